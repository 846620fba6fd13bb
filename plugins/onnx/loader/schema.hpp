// Field numbers of onnx.proto, as far as a converter needs them, and its element types.
#pragma once

#include <mo/types.hpp>

#include <cstdint>

namespace mo::onnx::field {

namespace model {
enum : uint32_t { ir_version = 1, producer_name = 2, producer_version = 3, graph = 7, opset_import = 8 };
enum : uint32_t { functions = 25 };
}  // namespace model
namespace opset {
enum : uint32_t { domain = 1, version = 2 };
}
namespace graph {
enum : uint32_t { node = 1, name = 2, initializer = 5, input = 11, output = 12, sparse_initializer = 15 };
}
namespace node {
enum : uint32_t { input = 1, output = 2, name = 3, op_type = 4, attribute = 5, domain = 7, overload = 8 };
}
namespace function {
enum : uint32_t { name = 1, input = 4, output = 5, attribute = 6, node = 7, opset_import = 9, domain = 10 };
enum : uint32_t { attribute_proto = 11, overload = 13 };
}  // namespace function
namespace attribute {
enum : uint32_t { name = 1, f = 2, i = 3, s = 4, t = 5, g = 6, floats = 7, ints = 8, strings = 9 };
enum : uint32_t { tensors = 10, graphs = 11, tp = 14, type_protos = 15, type = 20, ref_attr_name = 21 };
enum : uint32_t { sparse_tensor = 22, sparse_tensors = 23 };
}  // namespace attribute
namespace value_info {
enum : uint32_t { name = 1, type = 2 };
}
namespace type {
enum : uint32_t { tensor = 1, sequence = 4, map = 5, sparse_tensor = 8, optional = 9 };
enum : uint32_t { tensor_elem_type = 1, tensor_shape = 2 };
enum : uint32_t { shape_dim = 1, dim_value = 1, dim_param = 2, optional_elem_type = 1 };
}  // namespace type
namespace tensor {
enum : uint32_t { dims = 1, data_type = 2, segment = 3, float_data = 4, int32_data = 5, string_data = 6 };
enum : uint32_t { int64_data = 7, name = 8, raw_data = 9, double_data = 10, uint64_data = 11 };
enum : uint32_t { external_data = 13, data_location = 14 };
}  // namespace tensor
namespace sparse_tensor {
enum : uint32_t { values = 1, indices = 2, dims = 3 };
}
namespace entry {
enum : uint32_t { key = 1, value = 2 };
}

}  // namespace mo::onnx::field

namespace mo::onnx {

// AttributeProto.AttributeType
enum class AttributeType : uint32_t {
  undefined = 0,
  f = 1,
  i = 2,
  s = 3,
  tensor = 4,
  graph = 5,
  floats = 6,
  ints = 7,
  strings = 8,
  tensors = 9,
  graphs = 10,
  sparse_tensor = 11,
  sparse_tensors = 12,
  type_proto = 13,
  type_protos = 14,
};

// The element type of TensorProto.DataType; unknown when the IR has no such type (see data_type_name).
ElementType element_type_of_onnx(int64_t data_type);

// Element types that the IR does not have, and whose numbers are all numbers of another one that holds them:
// floats without a zero of each sign are held in f16, integers of two bits in i4. What makes them rounds
// (support/fnuz.hpp), and only what moves or converts values may read them. The numbers are ONNX's.
enum class Held : uint8_t { none = 0, float8e4m3fnuz = 18, float8e5m2fnuz = 20, int2 = 26 };
struct ValueType {
  ElementType type = ElementType::unknown;
  Held held = Held::none;
  constexpr ValueType() = default;
  constexpr ValueType(ElementType t, Held h = Held::none) : type(t), held(h) {}
};
ValueType value_type_of_onnx(int64_t data_type);
std::string_view name_of(Held type);
// What the loader sets on a node that rounds to the type of an input; none where it is absent.
constexpr std::string_view held_type_attribute = "held_type";

// "float", "complex64", …, or the number for messages.
std::string_view data_type_name(int64_t data_type);
int64_t data_type_of_name(std::string_view name);  // 0: no such type

}  // namespace mo::onnx
