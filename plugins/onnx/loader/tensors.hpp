// Tensors of an ONNX file: views of the file where the bytes lie there as the IR has them, else decoded.
#pragma once

#include "loader/messages.hpp"

#include <map>

namespace mo::onnx {

// The model's file and the external files it names, all inside its folder.
class Files {
 public:
  Files(Context c, std::string_view path);
  Bytes bytes() const { return file_.bytes(); }
  const std::string& path() const { return path_; }
  // `payload` lies in the model's file.
  Tensor view(Context c, Bytes payload, ElementType type, const std::vector<int64_t>& dims) const;
  // A large field of the model's file was passed by: the host gives back what that made resident.
  void passed(Context c, Bytes field) const;
  const File& external(Context c, std::string_view location);

 private:
  std::string path_, folder_;
  File file_;
  std::map<std::string, File, std::less<>> external_;
};

// Errors say which field is wrong; the caller adds whose tensor it is.
// Numbers of a type that the IR does not have are those of the type that holds them.
Tensor read_tensor(Context c, Files& files, Bytes tensor_proto);
Held held_type_of_tensor(Bytes tensor_proto);
Tensor read_sparse_tensor(Context c, Files& files, Bytes sparse_tensor_proto);
std::string_view name_of_tensor(Bytes tensor_proto);
std::string_view name_of_sparse_tensor(Bytes sparse_tensor_proto);

}  // namespace mo::onnx
