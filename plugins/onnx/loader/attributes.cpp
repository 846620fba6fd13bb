#include "loader/attributes.hpp"

namespace mo::onnx {

namespace {

// A file holds floats; 0.1 shall stay 0.1 and not become 0.10000000149011612.
double shortest_double(float f) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, f).ptr;
  double d = f;
  std::from_chars(buffer, end, d);
  return d;
}

struct AttributeMessage {
  AttributeType type = AttributeType::undefined;
  float f = 0;
  int64_t i = 0;
  Bytes s, tensor, graph, sparse_tensor, type_proto;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<Bytes> strings, tensors, graphs;
};

AttributeMessage parse_attribute(Bytes bytes) {
  AttributeMessage a;
  AttributeType held = AttributeType::undefined;  // old files do not state the type
  const auto holds = [&held](AttributeType t) { held = t; };
  for (const wire::Field& f : wire::Message(bytes)) {
    switch (f.number) {
      case field::attribute::type:
        a.type = static_cast<AttributeType>(f.integer());
        break;
      case field::attribute::f:
        a.f = f.f32();
        holds(AttributeType::f);
        break;
      case field::attribute::i:
        a.i = f.signed_integer();
        holds(AttributeType::i);
        break;
      case field::attribute::s:
        a.s = f.bytes();
        holds(AttributeType::s);
        break;
      case field::attribute::t:
        a.tensor = f.bytes();
        holds(AttributeType::tensor);
        break;
      case field::attribute::g:
        a.graph = f.bytes();
        holds(AttributeType::graph);
        break;
      case field::attribute::tp:
        a.type_proto = f.bytes();
        holds(AttributeType::type_proto);
        break;
      case field::attribute::sparse_tensor:
        a.sparse_tensor = f.bytes();
        holds(AttributeType::sparse_tensor);
        break;
      case field::attribute::floats:
        wire::append_fixed(f, a.floats);
        holds(AttributeType::floats);
        break;
      case field::attribute::ints:
        wire::append_integers(f, a.ints);
        holds(AttributeType::ints);
        break;
      case field::attribute::strings:
        a.strings.push_back(f.bytes());
        holds(AttributeType::strings);
        break;
      case field::attribute::tensors:
        a.tensors.push_back(f.bytes());
        holds(AttributeType::tensors);
        break;
      case field::attribute::graphs:
        a.graphs.push_back(f.bytes());
        holds(AttributeType::graphs);
        break;
      default:
        break;
    }
  }
  if (a.type == AttributeType::undefined) a.type = held;
  return a;
}

std::vector<std::string> to_strings(const std::vector<Bytes>& list) { return {list.begin(), list.end()}; }

std::vector<double> to_doubles(const std::vector<float>& list) {
  std::vector<double> d;
  d.reserve(list.size());
  for (const float f : list) d.push_back(shortest_double(f));
  return d;
}

}  // namespace

std::string_view name_of_attribute(Bytes attribute_proto) {
  for (const wire::Field& f : wire::Message(attribute_proto))
    if (f.number == field::attribute::name) return f.bytes();
  return {};
}

std::string_view referenced_attribute(Bytes attribute_proto) {
  for (const wire::Field& f : wire::Message(attribute_proto))
    if (f.number == field::attribute::ref_attr_name) return f.bytes();
  return {};
}

std::optional<Bytes> find_attribute(Bytes node_proto, std::string_view name) {
  for (const wire::Field& f : wire::Message(node_proto))
    if (f.number == field::node::attribute && name_of_attribute(f.bytes()) == name) return f.bytes();
  return std::nullopt;
}

std::optional<Bytes> find_default(Bytes function_proto, std::string_view name) {
  for (const wire::Field& f : wire::Message(function_proto))
    if (f.number == field::function::attribute_proto && name_of_attribute(f.bytes()) == name)
      return f.bytes();
  return std::nullopt;
}

void give_attribute(Context c, Files& files, Bytes attribute_proto, std::string_view name) {
  const AttributeMessage a = parse_attribute(attribute_proto);
  try {
    switch (a.type) {
      case AttributeType::f:
        return give_native(c, shortest_double(a.f));
      case AttributeType::i:
        return give_native(c, a.i);
      case AttributeType::s:
        return give_native(c, std::string(a.s));
      case AttributeType::tensor:
        return give_native(c, read_tensor(c, files, a.tensor));
      case AttributeType::sparse_tensor:
        return give_native(c, read_sparse_tensor(c, files, a.sparse_tensor));
      case AttributeType::floats:
        return give_native(c, to_doubles(a.floats));
      case AttributeType::ints:
        return give_native(c, a.ints);
      case AttributeType::strings:
        return give_native(c, to_strings(a.strings));
      case AttributeType::tensors: {
        std::vector<Tensor> list;
        for (const Bytes t : a.tensors) list.push_back(read_tensor(c, files, t));
        return give_native(c, list);
      }
      case AttributeType::type_proto: {
        const TensorType t = parse_tensor_type(a.type_proto);
        return give_native(c, t.type.type);
      }
      case AttributeType::graph:
      case AttributeType::graphs:
        fail("it holds a graph; those of If, Loop, Scan and FlexAttention are the only ones that are read");
      default:
        fail("its type is ", static_cast<uint32_t>(a.type), ", which is not supported");
    }
  } catch (const Error& e) {
    throw Error(text("attribute '", name, "': ", e.what()), e.status());
  }
}

Bytes graph_of_attribute(Bytes attribute_proto) { return parse_attribute(attribute_proto).graph; }

Tensor read_constant(Context c, Files& files, Bytes node_proto, const Scope& scope) {
  for (const wire::Field& f : wire::Message(node_proto)) {
    if (f.number != field::node::attribute) continue;
    const std::string_view name = name_of_attribute(f.bytes());
    if (name.substr(0, 5) != "value" && name != "sparse_value") continue;
    const auto given = resolve_attribute(f.bytes(), scope);
    if (!given) continue;
    const AttributeMessage a = parse_attribute(*given);
    const auto count = [](const auto& list) { return std::vector{static_cast<int64_t>(list.size())}; };
    switch (a.type) {
      case AttributeType::tensor:
        return read_tensor(c, files, a.tensor);
      case AttributeType::sparse_tensor:
        return read_sparse_tensor(c, files, a.sparse_tensor);
      case AttributeType::f:
        return Tensor::scalar(c, a.f);
      case AttributeType::floats:
        return Tensor::vector(c, a.floats);
      case AttributeType::i:
        return Tensor::scalar(c, a.i);
      case AttributeType::ints:
        return Tensor::vector(c, a.ints);
      case AttributeType::s:
        return Tensor::strings(c, {a.s}, {});
      case AttributeType::strings:
        return Tensor::strings(c, a.strings, count(a.strings));
      default:
        fail("attribute '", name, "' has type ", static_cast<uint32_t>(a.type), ", which holds no constant");
    }
  }
  fail("a Constant needs one of the attributes value, value_float, value_ints, …");
}

}  // namespace mo::onnx
