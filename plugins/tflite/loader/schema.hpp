// The format: fields of its tables by number, and what they hold. Written from the format's public
// documentation; the numbers are part of the format and never change.
#pragma once

#include "loader/flat.hpp"

#include <mo/types.hpp>

#include <span>

namespace mo::tflite {

// What a field holds, and how an attribute shows it.
enum class Kind : uint8_t {
  boolean,
  byte,
  padding,         // i8: SAME, VALID
  activation,      // i8: NONE, RELU, …
  mode,            // i8: REFLECT, SYMMETRIC
  weights_format,  // i8, and so on
  lstm_kernel,
  combiner,
  comparison,  // u32
  reduction,   // i32
  type,        // i8: an element type
  integer,
  natural,
  u64,
  long_integer,
  number,
  text,
  bytes,
  integers,
  longs,
  numbers,
  table,
  tables,
};

struct Layout;
struct Field {
  uint16_t number;
  Kind kind;
  std::string_view name;
  double fallback = 0;
  const Layout* of = nullptr;
};
struct Layout {
  std::string_view name;
  std::span<const Field> fields;
};

// Whether all that `layout` knows of the table lies within the buffer.
bool verify(flatbuffers::Verifier& v, const Table* t, const Layout& layout);
extern const Layout model_layout;

namespace field {
namespace model {
enum : uint16_t {
  version,
  operator_codes,
  sub_graphs,
  description,
  buffers,
  metadata_buffer,
  metadata,
  signatures,
  external_groups,
  external_buffers
};
}
namespace operator_code {
enum : uint16_t { old_code, custom_code, version, code };
}
namespace sub_graph {
enum : uint16_t { tensors, inputs, outputs, operators, name };
}
namespace tensor {
enum : uint16_t {
  shape,
  type,
  buffer,
  name,
  quantization,
  is_variable,
  sparsity,
  shape_signature,
  has_rank,
  variant_tensors,
  external_buffer
};
}
namespace op {
enum : uint16_t {
  code,
  inputs,
  outputs,
  options_type,
  options,
  custom_options,
  custom_options_format,
  mutating_variable_inputs,
  intermediates,
  large_custom_offset,
  large_custom_size,
  options_2_type,
  options_2
};
}
namespace buffer {
enum : uint16_t { data, offset, size };
}
namespace external_group {
enum : uint16_t { name };
}
namespace external_buffer {
enum : uint16_t { id, group, offset, length, packing };
}
namespace quantization {
enum : uint16_t { min, max, scale, zero_point, details_type, details, axis };
}
namespace blockwise {
enum : uint16_t { scales, zero_points, block_size };
}
namespace sparsity {
enum : uint16_t { traversal_order, block_map, dims };
}
namespace dim_metadata {
enum : uint16_t { format, dense_size, segments_type, segments, indices_type, indices };
}
namespace signature {
enum : uint16_t { inputs, outputs, key, method, sub_graph };
}
namespace tensor_map {
enum : uint16_t { name, tensor };
}
namespace metadata {
enum : uint16_t { name, buffer };
}
}  // namespace field

// What a tensor's type is called, and the element type of the IR; unknown when that has none.
struct TensorType {
  std::string_view name;
  ElementType type;
  int bits;
};
// An error for numbers that the format does not have.
const TensorType& tensor_type(int64_t number);

namespace types {
enum : int8_t {
  f32,
  f16,
  i32,
  u8,
  i64,
  string,
  boolean,
  i16,
  c64,
  i8,
  f64,
  c128,
  u64,
  resource,
  variant,
  u32,
  u16,
  i4,
  bf16,
  i2
};
}

}  // namespace mo::tflite
