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

int64_t integer_of(const Table* t, const Field& f) {
  const auto fallback = static_cast<int64_t>(f.fallback);
  if (t == nullptr) return fallback;
  if (f.kind == Kind::integer || f.kind == Kind::natural || f.kind == Kind::comparison ||
      f.kind == Kind::reduction)
    return number_of<int32_t>(t, f.number, static_cast<int32_t>(fallback));
  if (f.kind == Kind::long_integer || f.kind == Kind::u64) return number_of<int64_t>(t, f.number, fallback);
  return number_of<int8_t>(t, f.number, static_cast<int8_t>(fallback));
}

// Options that are left out have the defaults of the format.
void give_option(Context c, const Table* t, const Field& f) {
  switch (f.kind) {
    case Kind::boolean:
      return give_native(c, integer_of(t, f) != 0);
    case Kind::number:
      return give_native(c, t == nullptr
                                ? f.fallback
                                : double{number_of<float>(t, f.number, static_cast<float>(f.fallback))});
    case Kind::type:
      return give_native(c, tensor_type(integer_of(t, f)).type);
    case Kind::text:
      return give_native(c, t == nullptr ? std::string() : std::string(text_of(t, f.number)));
    case Kind::bytes:
      return give_native(c, t == nullptr ? std::string() : std::string(Elements<char>(t, f.number).bytes()));
    case Kind::integers:
      return give_native(c, t == nullptr ? Ints{} : Elements<int32_t>(t, f.number).list<int64_t>());
    case Kind::longs:
      return give_native(c, t == nullptr ? Ints{} : Elements<int64_t>(t, f.number).list<int64_t>());
    case Kind::numbers:
      return give_native(c,
                         t == nullptr ? std::vector<double>{} : Elements<float>(t, f.number).list<double>());
    default:
      break;
  }
  const int64_t number = integer_of(t, f);
  const std::string_view name = enumerated(f.kind, number);
  if (!name.empty()) return give_native(c, std::string(name));
  const bool plain = f.kind == Kind::integer || f.kind == Kind::natural || f.kind == Kind::byte ||
                     f.kind == Kind::long_integer || f.kind == Kind::u64;
  require(plain, "attribute '", f.name, "' has the value ", number, ", which is not known");
  give_native(c, number);
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
  const std::string name = text(what, "_subgraph_index");
  const auto found = std::find_if(options.fields.begin(), options.fields.end(), [&](const Field& f) {
    return f.name == name || (what == body && f.name == "update_computation_subgraph_index");
  });
  return found == options.fields.end() ? nullptr : &*found;
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
auto list_of(const Vector& v, Read read) {
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
    if (floats) return give_native(c, list_of(v, as_float)), true;
    return give_native(c, list_of(v, as_int)), true;
  }
  if (!r.IsUntypedVector()) return false;
  const auto v = r.AsVector();
  bool ints = true, numbers = true;
  for (size_t i = 0; i < v.size(); ++i) {
    ints = ints && v[i].IsIntOrUint();
    numbers = numbers && v[i].IsNumeric();
  }
  if (ints) return give_native(c, list_of(v, as_int)), true;
  if (numbers) return give_native(c, list_of(v, as_float)), true;
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
  namespace f = field::op;
  const auto offset = number_of<uint64_t>(op.table, f::large_custom_offset);
  if (offset > 1)
    return buffers_.outside(offset, number_of<uint64_t>(op.table, f::large_custom_size),
                            "the custom options");
  return Elements<uint8_t>(op.table, f::custom_options).bytes();
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
  for (const Field& f : options->fields)
    if (f.name == name) return give_option(c, r.op->options, f), true;
  return false;
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
    for (const Field& f : options->fields) names.emplace_back(f.name);
  return names;
}

}  // namespace mo::tflite
