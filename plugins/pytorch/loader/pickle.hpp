// What torch.save made of a dictionary of tensors. Nothing is run: a few names of functions stand for what
// they make, and any other is refused.
#pragma once

#include <mo/tensor.hpp>
#include <mo/types.hpp>

#include <string>
#include <vector>

namespace mo::pytorch {

// A look at a storage, in its elements.
struct StoredTensor {
  ElementType type = ElementType::unknown;
  bool is_complex = false;
  std::string storage;  // the entry's name
  int64_t offset = 0;
  std::vector<int64_t> sizes, strides;
  std::string problem;  // why it cannot be read
};

struct NamedTensor {
  std::string name;
  StoredTensor tensor;
};

// Names of storages are "0", "1", …
std::vector<NamedTensor> read_pickled_tensors(std::string_view pickle, std::string_view what);

}  // namespace mo::pytorch
