// Field numbers of TensorFlow's messages, as far as a converter needs them, and its element types.
#pragma once

#include <mo/types.hpp>

namespace mo::tensorflow::field {

namespace graph {
enum : uint32_t { node = 1, library = 2, versions = 4 };
}
namespace library {
enum : uint32_t { function = 1 };
}
namespace node {
enum : uint32_t { name = 1, op = 2, input = 3, device = 4, attr = 5 };
}
namespace function {
enum : uint32_t { signature = 1, node = 3, ret = 4, attr = 5, arg_attr = 7 };
}
namespace op {
enum : uint32_t { name = 1, input_arg = 2, output_arg = 3, attr = 4 };
enum : uint32_t {
  arg_name = 1,
  arg_type = 3,
  arg_type_attr = 4,
  arg_number_attr = 5,
  arg_type_list_attr = 6
};
enum : uint32_t { attr_name = 1, attr_default = 3 };
}  // namespace op
namespace entry {  // of every map
enum : uint32_t { key = 1, value = 2 };
}
namespace attr {
enum : uint32_t { list = 1, s = 2, i = 3, f = 4, b = 5, type = 6, shape = 7, tensor = 8, placeholder = 9 };
enum : uint32_t { func = 10 };
}  // namespace attr
namespace named_attrs {  // NameAttrList: a function with values of its attributes
enum : uint32_t { name = 1, attr = 2 };
}
namespace shape {
enum : uint32_t { dim = 2, unknown_rank = 3, dim_size = 1 };
}
namespace tensor {
enum : uint32_t { dtype = 1, shape = 2, content = 4, half_val = 13, float_val = 5, double_val = 6 };
enum : uint32_t { int_val = 7, string_val = 8, int64_val = 10, bool_val = 11, uint32_val = 16 };
enum : uint32_t { uint64_val = 17, scomplex_val = 9, dcomplex_val = 12, float8_val = 18 };
}  // namespace tensor

}  // namespace mo::tensorflow::field

namespace mo::tensorflow {

// DataType of types.proto; a reference type is 100 more.
enum class DataType : uint32_t {
  invalid = 0,
  f32 = 1,
  f64 = 2,
  i32 = 3,
  u8 = 4,
  i16 = 5,
  i8 = 6,
  string = 7,
  complex64 = 8,
  i64 = 9,
  boolean = 10,
  qint8 = 11,
  quint8 = 12,
  qint32 = 13,
  bf16 = 14,
  qint16 = 15,
  quint16 = 16,
  u16 = 17,
  complex128 = 18,
  half = 19,
  resource = 20,
  variant = 21,
  u32 = 22,
  u64 = 23,
  f8e5m2 = 24,
  f8e4m3 = 25,
  int4 = 29,
  uint4 = 30,
};

// Quantized types are the integers that hold them, and so are those of 4 bits, which TensorFlow keeps in
// bytes; unknown for complex numbers, resources and variants.
ElementType element_type_of(DataType type);
// "DT_FLOAT", as TensorFlow calls it.
std::string_view data_type_name(DataType type);
// Of a name without DT_; invalid for another one.
DataType data_type_of_name(std::string_view name);
// Without the mark of a reference; invalid for a number that is none.
DataType data_type(uint64_t number);

}  // namespace mo::tensorflow
