#include "loader/schema.hpp"

#include <array>

namespace mo::tflite {

namespace {

using flatbuffers::uoffset_t;
using flatbuffers::Verifier;

constexpr std::array operator_code_fields = {
    Field{field::operator_code::old_code, Kind::byte, "deprecated_builtin_code"},
    Field{field::operator_code::custom_code, Kind::text, "custom_code"},
    Field{field::operator_code::version, Kind::integer, "version"},
    Field{field::operator_code::code, Kind::integer, "builtin_code"},
};
constexpr Layout operator_code_layout{"OperatorCode", operator_code_fields};

constexpr std::array blockwise_fields = {
    Field{field::blockwise::scales, Kind::integer, "scales"},
    Field{field::blockwise::zero_points, Kind::integer, "zero_points"},
    Field{field::blockwise::block_size, Kind::integer, "block_size"},
};
constexpr Layout blockwise_layout{"BlockwiseQuantization", blockwise_fields};

constexpr std::array quantization_fields = {
    Field{field::quantization::min, Kind::numbers, "min"},
    Field{field::quantization::max, Kind::numbers, "max"},
    Field{field::quantization::scale, Kind::numbers, "scale"},
    Field{field::quantization::zero_point, Kind::longs, "zero_point"},
    Field{field::quantization::details_type, Kind::byte, "details_type"},
    Field{field::quantization::axis, Kind::integer, "quantized_dimension"},
};
constexpr Layout quantization_layout{"QuantizationParameters", quantization_fields};

constexpr std::array dim_metadata_fields = {
    Field{field::dim_metadata::format, Kind::byte, "format"},
    Field{field::dim_metadata::dense_size, Kind::integer, "dense_size"},
    Field{field::dim_metadata::segments_type, Kind::byte, "array_segments_type"},
    Field{field::dim_metadata::indices_type, Kind::byte, "array_indices_type"},
};
constexpr Layout dim_metadata_layout{"DimensionMetadata", dim_metadata_fields};

constexpr std::array sparsity_fields = {
    Field{field::sparsity::traversal_order, Kind::integers, "traversal_order"},
    Field{field::sparsity::block_map, Kind::integers, "block_map"},
    Field{field::sparsity::dims, Kind::tables, "dim_metadata", 0, &dim_metadata_layout},
};
constexpr Layout sparsity_layout{"SparsityParameters", sparsity_fields};

constexpr std::array tensor_fields = {
    Field{field::tensor::shape, Kind::integers, "shape"},
    Field{field::tensor::type, Kind::byte, "type"},
    Field{field::tensor::buffer, Kind::natural, "buffer"},
    Field{field::tensor::name, Kind::text, "name"},
    Field{field::tensor::quantization, Kind::table, "quantization", 0, &quantization_layout},
    Field{field::tensor::is_variable, Kind::boolean, "is_variable"},
    Field{field::tensor::sparsity, Kind::table, "sparsity", 0, &sparsity_layout},
    Field{field::tensor::shape_signature, Kind::integers, "shape_signature"},
    Field{field::tensor::has_rank, Kind::boolean, "has_rank"},
    Field{field::tensor::external_buffer, Kind::natural, "external_buffer"},
};
constexpr Layout tensor_layout{"Tensor", tensor_fields};

constexpr std::array op_fields = {
    Field{field::op::code, Kind::natural, "opcode_index"},
    Field{field::op::inputs, Kind::integers, "inputs"},
    Field{field::op::outputs, Kind::integers, "outputs"},
    Field{field::op::options_type, Kind::byte, "builtin_options_type"},
    Field{field::op::custom_options, Kind::bytes, "custom_options"},
    Field{field::op::custom_options_format, Kind::byte, "custom_options_format"},
    Field{field::op::intermediates, Kind::integers, "intermediates"},
    Field{field::op::large_custom_offset, Kind::u64, "large_custom_options_offset"},
    Field{field::op::large_custom_size, Kind::u64, "large_custom_options_size"},
    Field{field::op::options_2_type, Kind::byte, "builtin_options_2_type"},
};
constexpr Layout op_layout{"Operator", op_fields};

constexpr std::array sub_graph_fields = {
    Field{field::sub_graph::tensors, Kind::tables, "tensors", 0, &tensor_layout},
    Field{field::sub_graph::inputs, Kind::integers, "inputs"},
    Field{field::sub_graph::outputs, Kind::integers, "outputs"},
    Field{field::sub_graph::operators, Kind::tables, "operators", 0, &op_layout},
    Field{field::sub_graph::name, Kind::text, "name"},
};
constexpr Layout sub_graph_layout{"SubGraph", sub_graph_fields};

constexpr std::array buffer_fields = {
    Field{field::buffer::data, Kind::bytes, "data"},
    Field{field::buffer::offset, Kind::u64, "offset"},
    Field{field::buffer::size, Kind::u64, "size"},
};
constexpr Layout buffer_layout{"Buffer", buffer_fields};

constexpr std::array external_group_fields = {
    Field{field::external_group::name, Kind::text, "name"},
};
constexpr Layout external_group_layout{"ExternalBufferGroup", external_group_fields};

constexpr std::array external_buffer_fields = {
    Field{field::external_buffer::id, Kind::natural, "id"},
    Field{field::external_buffer::group, Kind::natural, "group"},
    Field{field::external_buffer::offset, Kind::u64, "offset"},
    Field{field::external_buffer::length, Kind::u64, "length"},
    Field{field::external_buffer::packing, Kind::text, "packing"},
};
constexpr Layout external_buffer_layout{"ExternalBuffer", external_buffer_fields};

constexpr std::array tensor_map_fields = {
    Field{field::tensor_map::name, Kind::text, "name"},
    Field{field::tensor_map::tensor, Kind::natural, "tensor_index"},
};
constexpr Layout tensor_map_layout{"TensorMap", tensor_map_fields};

constexpr std::array signature_fields = {
    Field{field::signature::inputs, Kind::tables, "inputs", 0, &tensor_map_layout},
    Field{field::signature::outputs, Kind::tables, "outputs", 0, &tensor_map_layout},
    Field{field::signature::key, Kind::text, "signature_key"},
    Field{field::signature::sub_graph, Kind::natural, "subgraph_index"},
};
constexpr Layout signature_layout{"SignatureDef", signature_fields};

constexpr std::array metadata_fields = {
    Field{field::metadata::name, Kind::text, "name"},
    Field{field::metadata::buffer, Kind::natural, "buffer"},
};
constexpr Layout metadata_layout{"Metadata", metadata_fields};

constexpr std::array model_fields = {
    Field{field::model::version, Kind::natural, "version"},
    Field{field::model::operator_codes, Kind::tables, "operator_codes", 0, &operator_code_layout},
    Field{field::model::sub_graphs, Kind::tables, "subgraphs", 0, &sub_graph_layout},
    Field{field::model::description, Kind::text, "description"},
    Field{field::model::buffers, Kind::tables, "buffers", 0, &buffer_layout},
    Field{field::model::metadata, Kind::tables, "metadata", 0, &metadata_layout},
    Field{field::model::signatures, Kind::tables, "signature_defs", 0, &signature_layout},
    Field{field::model::external_groups, Kind::tables, "external_buffer_groups", 0, &external_group_layout},
    Field{field::model::external_buffers, Kind::tables, "external_buffers", 0, &external_buffer_layout},
};

const uint8_t* address(const Table* t) { return reinterpret_cast<const uint8_t*>(t); }

template <class T>
bool verify_vector(Verifier& v, const Table* t, uint16_t field) {
  const auto offset = field_offset(field);
  return t->VerifyOffset(v, offset) && v.VerifyVector(t->GetPointer<const flatbuffers::Vector<T>*>(offset));
}

bool verify_text(Verifier& v, const Table* t, uint16_t field) {
  const auto offset = field_offset(field);
  return t->VerifyOffset(v, offset) && v.VerifyString(t->GetPointer<const flatbuffers::String*>(offset));
}

bool verify_tables(Verifier& v, const Table* t, const Field& f) {
  if (!verify_vector<uoffset_t>(v, t, f.number)) return false;
  using Vector = flatbuffers::Vector<flatbuffers::Offset<Table>>;
  const auto* list = t->GetPointer<const Vector*>(field_offset(f.number));
  if (list == nullptr) return true;
  for (uoffset_t i = 0; i < list->size(); ++i) {
    const uint8_t* at = list->Data() + size_t{i} * sizeof(uoffset_t);
    if (v.VerifyOffset(at, 0) == 0 || !verify(v, list->Get(i), *f.of)) return false;
  }
  return true;
}

template <class T>
bool verify_scalar(const Verifier& v, const Table* t, uint16_t field) {
  return t->VerifyField<T>(v, field_offset(field), sizeof(T));
}

// Tables that a union's type chooses.
bool verify_chosen(Verifier& v, const Table* t, uint16_t field, const Layout& layout) {
  if (!t->VerifyOffset(v, field_offset(field))) return false;
  const Table* chosen = table_of(t, field);
  return chosen == nullptr || verify(v, chosen, layout);
}

bool verify_sparse_list(Verifier& v, const Table* t, uint16_t type_field, uint16_t field) {
  const auto type = number_of<uint8_t>(t, type_field);
  if (type == 0) return true;
  if (!t->VerifyOffset(v, field_offset(field))) return false;
  const Table* list = table_of(t, field);
  if (list == nullptr) return true;
  if (!list->VerifyTableStart(v)) return false;
  const bool ok = type == 1   ? verify_vector<int32_t>(v, list, 0)
                  : type == 2 ? verify_vector<uint16_t>(v, list, 0)
                  : type == 3 ? verify_vector<uint8_t>(v, list, 0)
                              : true;
  return ok && v.EndTable();
}

// What the lists of fields cannot say.
bool verify_unions(Verifier& v, const Table* t, const Layout& layout) {
  namespace q = field::quantization;
  namespace d = field::dim_metadata;
  if (&layout == &quantization_layout && number_of<uint8_t>(t, q::details_type) == 2)
    return verify_chosen(v, t, q::details, blockwise_layout);
  if (&layout == &dim_metadata_layout)
    return verify_sparse_list(v, t, d::segments_type, d::segments) &&
           verify_sparse_list(v, t, d::indices_type, d::indices);
  return true;
}

bool verify_field(Verifier& v, const Table* t, const Field& f) {
  switch (f.kind) {
    case Kind::integer:
    case Kind::natural:
    case Kind::number:
    case Kind::comparison:
    case Kind::reduction:
      return verify_scalar<int32_t>(v, t, f.number);
    case Kind::u64:
    case Kind::long_integer:
      return verify_scalar<int64_t>(v, t, f.number);
    case Kind::text:
      return verify_text(v, t, f.number);
    case Kind::bytes:
      return verify_vector<uint8_t>(v, t, f.number);
    case Kind::integers:
    case Kind::numbers:
      return verify_vector<int32_t>(v, t, f.number);
    case Kind::longs:
      return verify_vector<int64_t>(v, t, f.number);
    case Kind::table:
      return verify_chosen(v, t, f.number, *f.of);
    case Kind::tables:
      return verify_tables(v, t, f);
    default:
      return verify_scalar<int8_t>(v, t, f.number);
  }
}

constexpr std::array tensor_types = {
    TensorType{"FLOAT32", ElementType::f32, 32},       TensorType{"FLOAT16", ElementType::f16, 16},
    TensorType{"INT32", ElementType::i32, 32},         TensorType{"UINT8", ElementType::u8, 8},
    TensorType{"INT64", ElementType::i64, 64},         TensorType{"STRING", ElementType::string, 0},
    TensorType{"BOOL", ElementType::boolean, 8},       TensorType{"INT16", ElementType::i16, 16},
    TensorType{"COMPLEX64", ElementType::f32, 64},     TensorType{"INT8", ElementType::i8, 8},
    TensorType{"FLOAT64", ElementType::f64, 64},       TensorType{"COMPLEX128", ElementType::f64, 128},
    TensorType{"UINT64", ElementType::u64, 64},        TensorType{"RESOURCE", ElementType::unknown, 0},
    TensorType{"VARIANT", ElementType::unknown, 0},    TensorType{"UINT32", ElementType::u32, 32},
    TensorType{"UINT16", ElementType::u16, 16},        TensorType{"INT4", ElementType::i4, 4},
    TensorType{"BFLOAT16", ElementType::bf16, 16},     TensorType{"INT2", ElementType::i8, 2},
    TensorType{"UINT4", ElementType::u4, 4},           TensorType{"FLOAT8_E4M3FN", ElementType::f8e4m3, 8},
    TensorType{"FLOAT8_E5M2", ElementType::f8e5m2, 8},
};

}  // namespace

const Layout model_layout{"Model", model_fields};

bool verify(Verifier& v, const Table* t, const Layout& layout) {
  if (!v.VerifyTableStart(address(t))) return false;
  for (const Field& f : layout.fields)
    if (!verify_field(v, t, f)) return false;
  return verify_unions(v, t, layout) && v.EndTable();
}

const TensorType& tensor_type(int64_t number) {
  require(number >= 0 && number < static_cast<int64_t>(tensor_types.size()), "its type has number ", number,
          ", expected 0 to ", tensor_types.size() - 1);
  return tensor_types[static_cast<size_t>(number)];
}

}  // namespace mo::tflite
