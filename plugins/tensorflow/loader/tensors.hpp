// TensorProto: tensors that are views of the file where it holds their bytes as they are.
#pragma once

#include "loader/body.hpp"

#include <mo/sdk.hpp>

namespace mo::tensorflow {

// False for what is no tensor of numbers or strings: resources and variants.
bool has_elements(Bytes tensor_proto);

class TensorReader {
 public:
  explicit TensorReader(File file) : file_(std::move(file)) {}

  Bytes file() const { return file_.bytes(); }
  // Bytes that tensors may be views of, besides those of the file.
  Bytes keep(std::string bytes);
  // Error when a type is none of the IR's. Complex numbers become pairs along a last dimension.
  Tensor read(Context c, Bytes tensor_proto);

 private:
  Tensor view(Context c, Bytes payload, ElementType type, const std::vector<int64_t>& dims) const;

  File file_;
  std::vector<std::shared_ptr<const std::string>> kept_;
};

}  // namespace mo::tensorflow
