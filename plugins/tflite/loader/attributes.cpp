// Native attributes: the options of built-in operators by the names that the format has for them, those of
// custom operators by the keys of their FlexBuffer, and the shapes that the file states.
#include "loader/functions.hpp"

#include <flatbuffers/flexbuffers.h>

#include <algorithm>

namespace mo::tflite {

namespace {

constexpr std::string_view raw_options = "custom_options", input_shapes = "input_shapes",
                           output_shapes = "output_shapes", complex = "complex",
                           input_levels = "input_levels", intermediate_levels = "intermediate_levels",
                           body = "body", comparator = "comparator", comparator_keys = "comparator_keys";

// nullptr where the table or the field is left out.
template <class T>
const T* part_of(const Table* t, const Field& f) {
  return t == nullptr ? nullptr : t->GetPointer<const T*>(f.offset());
}

void give_list(Context c, const Table* t, const Field& f) {
  using flatbuffers::Vector;
  switch (f.type()->element()) {
    case reflection::BaseType::Float:
      return give_native(c, list_of<double>(part_of<Vector<float>>(t, f)));
    case reflection::BaseType::Int:
    case reflection::BaseType::UInt:
      return give_native(c, list_of<int64_t>(part_of<Vector<int32_t>>(t, f)));
    case reflection::BaseType::Long:
      return give_native(c, list_of<int64_t>(part_of<Vector<int64_t>>(t, f)));
    default:
      return give_native(c, std::string(bytes_of(part_of<Vector<uint8_t>>(t, f))));
  }
}

// Options that are left out have the defaults of the format.
void give_option(Context c, const Table* t, const Field& f) {
  switch (f.type()->base_type()) {
    case reflection::BaseType::Bool:
      return give_native(c, integer_of(t, f) != 0);
    case reflection::BaseType::Float: {
      const auto fallback = static_cast<float>(f.default_real());
      return give_native(c, double{t == nullptr ? fallback : t->GetField<float>(f.offset(), fallback)});
    }
    case reflection::BaseType::String:
      return give_native(c, std::string(text_of(part_of<flatbuffers::String>(t, f))));
    case reflection::BaseType::Vector:
      return give_list(c, t, f);
    default:
      break;
  }
  const int64_t number = integer_of(t, f);
  if (f.type()->index() < 0) return give_native(c, number);
  const std::string_view name = enumerated(f, number);
  require(!name.empty(), "attribute '", text_of(f.name()), "' has the value ", number,
          ", which is not known");
  if (is_enumerated(f, "TensorType"))
    return give_native(c, tensor_type(static_cast<format::TensorType>(number)).type);
  give_native(c, std::string(name));
}

std::vector<Shape> shapes_of(const SubGraph& g, const std::vector<int32_t>& tensors) {
  std::vector<Shape> list;
  for (const int32_t t : tensors)
    list.push_back(t < 0 ? Shape::unknown() : g.tensors[static_cast<size_t>(t)].shape);
  return list;
}

// Scale and zero point of each tensor, one after another; 0 and 0 of those that are not quantized by one
// scale.
std::vector<double> levels_of(const SubGraph& g, const std::vector<int32_t>& tensors) {
  std::vector<double> list;
  for (const int32_t t : tensors) {
    const Quantization* q = nullptr;
    if (t >= 0 && g.tensors[static_cast<size_t>(t)].quantization)
      q = &*g.tensors[static_cast<size_t>(t)].quantization;
    const bool one = q != nullptr && q->scale.size() == 1;
    list.insert(list.end(), {one ? q->scale[0] : 0, one ? q->zero[0] : 0});
  }
  return list;
}

// The field of the sub-graph that computes `what` ("body"): body_subgraph_index,
// update_computation_subgraph_index.
const Field* body_field(const Options& options, std::string_view what) {
  const Field* f = options.find(text(what, "_subgraph_index"));
  return f == nullptr && what == body ? options.find("update_computation_subgraph_index") : f;
}

// A map whose every part lies within the bytes; nothing for other options.
std::optional<flexbuffers::Map> map_of(Bytes bytes) {
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  if (bytes.size() < 3) return std::nullopt;
  std::vector<uint8_t> seen;
  if (!flexbuffers::VerifyBuffer(data, bytes.size(), &seen)) return std::nullopt;
  const flexbuffers::Reference root = flexbuffers::GetRoot(data, bytes.size());
  return root.IsMap() ? std::optional(root.AsMap()) : std::nullopt;
}

template <class Vector, class Read>
auto read_all(const Vector& v, Read read) {
  std::vector<decltype(read(v[0]))> all;
  for (size_t i = 0; i < v.size(); ++i) all.push_back(read(v[i]));
  return all;
}

bool give_flexible(Context c, const flexbuffers::Reference& r) {
  if (r.IsBool()) return give_native(c, r.AsBool()), true;
  if (r.IsIntOrUint()) return give_native(c, r.AsInt64()), true;
  if (r.IsFloat()) return give_native(c, r.AsDouble()), true;
  if (r.IsString()) return give_native(c, r.AsString().str()), true;
  const auto as_int = [](const flexbuffers::Reference& e) { return e.AsInt64(); };
  const auto as_float = [](const flexbuffers::Reference& e) { return e.AsDouble(); };
  if (r.IsTypedVector()) {
    auto v = r.AsTypedVector();
    const bool floats = v.ElementType() == flexbuffers::FBT_FLOAT;
    if (floats) return give_native(c, read_all(v, as_float)), true;
    return give_native(c, read_all(v, as_int)), true;
  }
  if (!r.IsUntypedVector()) return false;
  const auto v = r.AsVector();
  bool ints = true, numbers = true;
  for (size_t i = 0; i < v.size(); ++i) {
    ints = ints && v[i].IsIntOrUint();
    numbers = numbers && v[i].IsNumeric();
  }
  if (ints) return give_native(c, read_all(v, as_int)), true;
  if (numbers) return give_native(c, read_all(v, as_float)), true;
  return false;
}

}  // namespace

bool give_custom_option(Context c, Bytes flexbuffer, std::string_view name) {
  const auto map = map_of(flexbuffer);
  if (!map) return false;
  const flexbuffers::Reference value = (*map)[std::string(name)];
  return !value.IsNull() && give_flexible(c, value);
}

std::vector<std::string> custom_option_names(Bytes flexbuffer) {
  std::vector<std::string> names;
  const auto map = map_of(flexbuffer);
  if (!map) return names;
  const auto keys = map->Keys();
  for (size_t i = 0; i < keys.size(); ++i) names.emplace_back(keys[i].AsKey());
  return names;
}

Bytes TfliteModel::custom_options(const Operator& op) const {
  const uint64_t offset = op.table->large_custom_options_offset();
  if (offset > 1)
    return buffers_.outside(offset, op.table->large_custom_options_size(), "the custom options");
  return bytes_of(op.table->custom_options());
}

bool TfliteModel::native_attr(Context c, uint64_t tag, std::string_view name) {
  const Record& r = record(tag);
  if (name == input_shapes) return give_native(c, shapes_of(*r.graph, r.op->inputs)), true;
  if (name == output_shapes) return give_native(c, shapes_of(*r.graph, r.op->outputs)), true;
  if (name == input_levels) return give_native(c, levels_of(*r.graph, r.op->inputs)), true;
  if (name == intermediate_levels) return give_native(c, levels_of(*r.graph, r.op->intermediates)), true;
  if (name == complex) return give_native(c, has_complex_numbers(*r.op, *r.graph)), true;
  if (r.op->code->is_custom) {
    if (name != raw_options) return give_custom_option(c, custom_options(*r.op), name);
    mo_value v{};
    const Bytes bytes = custom_options(*r.op);
    v.kind = MO_VALUE_BYTES;
    v.u.s = str(bytes);
    v.count = bytes.size();
    give_native(c, v);
    return true;
  }
  const Options* options = options_of(r.op->code->op);
  if (options == nullptr) return false;
  if (const Field* f = name == body ? body_field(*options, body) : nullptr)
    return give_native(c, reductions_of(sub_graph(integer_of(r.op->options, *f)))), true;
  if (name == comparator || name == comparator_keys) {
    const Field* f = body_field(*options, comparator);
    if (f == nullptr) return false;
    const Order order = order_of(sub_graph(integer_of(r.op->options, *f)));
    if (name == comparator) return give_native(c, order.directions), true;
    return give_native(c, order.keys), true;
  }
  const Field* f = options->find(name);
  if (f != nullptr) give_option(c, r.op->options, *f);
  return f != nullptr;
}

std::vector<std::string> TfliteModel::native_attr_names(uint64_t tag) {
  const Record& r = record(tag);
  std::vector<std::string> names;
  if (r.op->code->is_custom) {
    names = custom_option_names(custom_options(*r.op));
    names.emplace_back(raw_options);
    return names;
  }
  if (const Options* options = options_of(r.op->code->op))
    for (const Field* f : options->fields) names.emplace_back(text_of(f->name()));
  return names;
}

}  // namespace mo::tflite
