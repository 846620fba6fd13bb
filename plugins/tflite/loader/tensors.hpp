// Tensors of a sub-graph: what the file says of them, and the values of constants.
#pragma once

#include "loader/schema.hpp"

#include <mo/tensor.hpp>
#include <mo/types.hpp>

#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace mo::tflite {

using Ints = std::vector<int64_t>;

// What a tensor's type is called, and the element type of the IR; unknown when that has none.
struct TensorType {
  std::string_view name;
  ElementType type;
  int bits;
};
// An error for numbers that the format does not have.
const TensorType& tensor_type(format::TensorType number);

// real = scale * (integer - zero point)
struct Quantization {
  std::vector<double> scale;
  std::vector<double> zero;  // as many, or one
  int64_t axis = 0;          // of several scales
  // Scales in another tensor, one for so many elements of the last dimension; block 0: none.
  int64_t block = 0, block_scales = -1, block_zeros = -1;

  friend bool operator==(const Quantization&, const Quantization&) = default;
};

struct TensorInfo {
  std::string_view name;
  format::TensorType type_number{};
  const TensorType* type = nullptr;
  Ints dims;
  Shape shape;  // dimensions that may change are open
  uint32_t buffer = 0;
  uint32_t external = 0;  // the id of a buffer in another file; 0: none
  bool is_variable = false;
  const format::SparsityParameters* sparsity = nullptr;
  std::optional<Quantization> quantization;  // only of integers

  // The type that operators see: quantized tensors are what they stand for.
  ElementType real_type() const { return quantization ? ElementType::f32 : type->type; }
  bool is_complex() const {
    return has(format::TensorType::COMPLEX64) || has(format::TensorType::COMPLEX128);
  }
  bool is_handle() const { return has(format::TensorType::RESOURCE) || has(format::TensorType::VARIANT); }
  bool has(format::TensorType t) const { return type_number == t; }
};

// Errors say what is wrong; the caller adds whose tensor it is.
TensorInfo read_tensor(const format::Tensor& t);

// The file, its buffers, and bytes of it, or of files beside it, as tensors.
class Buffers {
 public:
  Buffers(Context c, std::string_view path) : path_(path), file_(File::open(c, path)) {}
  const std::string& path() const { return path_; }
  Bytes file() const { return file_.bytes(); }
  void set_model(const format::Model* model);

  // Bytes of a buffer; empty ones hold no value.
  Bytes bytes(uint32_t buffer) const;
  // Bytes outside of the FlatBuffer. Error when the file does not have them.
  Bytes outside(uint64_t offset, uint64_t size, std::string_view what) const;
  // The value of a tensor with a buffer; nothing without.
  std::optional<Tensor> value(Context c, const TensorInfo& t) const;

 private:
  struct Data {
    Bytes bytes;
    const File* file;  // in which they lie
  };
  // What a tensor's values are made of; empty ones are no value.
  Data data(Context c, const TensorInfo& t) const;
  Data external(Context c, uint32_t id) const;
  const File& group(Context c, uint32_t number) const;

  std::string path_;
  const format::Model* model_ = nullptr;
  size_t count_ = 0;
  File file_;
  std::unordered_map<uint32_t, const format::ExternalBuffer*> external_;
  mutable std::map<std::string_view, File> groups_;  // by name, as they are needed
};

// Strings as a buffer holds them.
Tensor read_strings(Context c, Bytes buffer, const Ints& dims);
// All elements of a constant whose values are listed by traversal.
Tensor make_dense(Context c, Bytes values, const TensorInfo& t);

}  // namespace mo::tflite
