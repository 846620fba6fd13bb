// Parameters, buffers and constants by their names in the model.
#pragma once

#include "loader/archive.hpp"
#include "loader/document.hpp"
#include "loader/pickle.hpp"

#include <unordered_map>

namespace mo::pytorch {

class Weights {
 public:
  explicit Weights(const File& file) : file_(file) {}
  // Raw entries, which a configuration describes. `folder`: where they lie.
  void add_raw(const Archive& archive, const Value& config, const std::string& folder);
  // A file of torch.save within the archive.
  void add_pickled(Context c, const Archive& archive, const std::string& entry);

  // Its elements, where they lie in the file unless strides say otherwise. Errors name it.
  Tensor tensor(Context c, const std::string& name) const;

 private:
  struct Weight {
    StoredTensor look;
    Archive::Range storage;
  };
  void add(const std::string& name, Weight w);

  const File& file_;
  std::unordered_map<std::string, Weight> all_;
};

}  // namespace mo::pytorch
