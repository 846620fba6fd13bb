#include "apps/plugin_check/sample.hpp"

#include "apps/elements/elements.hpp"
#include "core/infer/infer.hpp"

namespace mo::app::checks {

std::string sample_text(const Sample& s) {
  return to_text(*s.graph, {.tensors = true, .literal_bytes = 1 << 16, .side_file = {}});
}

Sample read_sample(core::Session& session, const std::string& text) {
  Sample s;
  s.graph = parse_text(text, session.space());
  s.node = s.graph->nodes().back();
  return s;
}

Sample cut_out(core::Session& session, const core::Graph& from, core::NodeId n) {
  const core::NodeRecord& r = from.node(n);
  Sample s;
  s.graph = session.create_graph("example");
  std::vector<core::NodeId> sources;
  for (const core::InSlot& in : r.inputs) {
    if (!in.source) {
      sources.push_back(core::no_node);
      continue;
    }
    sources.push_back(s.graph->add_node(core::words::parameter, "opset1", "x", 0, 1));
    s.graph->set_tensor({sources.back(), 0}, from.out(in.source).tensor);
  }
  s.node = s.graph->add_node(from.op(n), from.opset(n), "y", static_cast<uint32_t>(r.inputs.size()),
                             static_cast<uint32_t>(r.outputs.size()));
  for (uint32_t i = 0; i < sources.size(); ++i)
    if (sources[i] != core::no_node) s.graph->connect({sources[i], 0}, {s.node, i});
  for (const auto& [key, value] : r.attributes.items())
    s.graph->set_attribute(s.node, from.symbols().text(key), clone_of(value));
  return s;
}

core::TensorRef random_value(Random& random, ElementType type, const std::vector<int64_t>& dims) {
  size_t count = 1;
  for (const int64_t d : dims) count *= static_cast<size_t>(d);
  if (type == ElementType::string) {
    std::vector<std::string> strings;
    for (size_t i = 0; i < count; ++i) strings.push_back(text("s", random.below(5)));
    return core::make_tensor_from_bytes(type, dims, pack_strings(strings));
  }
  core::TensorRef t = core::make_tensor(type, dims);
  if (!has_element_text(type)) {
    for (uint64_t i = 0; i < t->bytes; ++i) t->buffer[i] = static_cast<std::byte>(random.below(256));
    return t;
  }
  const size_t width = static_cast<size_t>(bits(type)) / 8;
  for (size_t i = 0; i < count; ++i) {
    const size_t n = random.below(type == ElementType::boolean ? 2 : 4);
    std::string element = text(n);
    if (type == ElementType::boolean) element = n != 0 ? "true" : "false";
    if (is_float(type)) element = text(random.one_in(2) ? "-" : "", n, ".5");
    std::byte* to = t->buffer.get() + i * width;
    if (!parse_element(element, type, to) && type == ElementType::boolean) *to = static_cast<std::byte>(n);
  }
  return t;
}

namespace {

constexpr ElementType usual_types[] = {ElementType::f32,     ElementType::f32,   ElementType::f32,
                                       ElementType::i64,     ElementType::i32,   ElementType::f16,
                                       ElementType::boolean, ElementType::u8,    ElementType::f64,
                                       ElementType::i8,      ElementType::string};

std::vector<int64_t> random_ints(Random& random) {
  constexpr int64_t few[] = {1, 1, 1, 2, 0, 3};
  std::vector<int64_t> list(random.below(5));
  const bool alike = random.one_in(2);
  const int64_t one = random.of(few);
  for (int64_t& v : list) v = alike ? one : random.of(few);
  return list;
}

}  // namespace

core::Attribute random_attribute(Random& random, const core::AttributeDef& d) {
  constexpr int64_t ints[] = {1, 0, 2, -1, 3, 4};
  constexpr double floats[] = {0.5, 1.0, 0.25, 2.0, -1.0, 0.0};
  switch (d.kind) {
    case MO_VALUE_INT:
      return random.of(ints);
    case MO_VALUE_FLOAT:
      return random.of(floats);
    case MO_VALUE_BOOL:
      return random.one_in(2);
    case MO_VALUE_STRING:
      return d.allowed.empty() ? std::string(random.one_in(3) ? "" : "a") : random.of(d.allowed);
    case MO_VALUE_TYPE:
      return random.of(usual_types);
    case MO_VALUE_SHAPE:
      return core::shape_attribute(Shape(random_ints(random)));
    case MO_VALUE_TENSOR:
      return random_value(random, ElementType::f32, {2});
    case MO_VALUE_BYTES:
      return core::Bytes{};
    case MO_VALUE_INTS:
      return random_ints(random);
    case MO_VALUE_FLOATS:
      return std::vector<double>(random.below(4), random.of(floats));
    case MO_VALUE_BOOLS:
      return std::vector<uint8_t>(random.below(4), random.one_in(2) ? 1 : 0);
    case MO_VALUE_STRINGS:
      return std::vector<std::string>(random.below(3), "a");
    case MO_VALUE_TYPES:
      return std::vector<ElementType>(random.below(3), ElementType::f32);
    case MO_VALUE_SHAPES:
      return std::vector<Shape>(random.below(3), Shape(random_ints(random)));
    default:
      return {};
  }
}

bool give_values(const Sample& s, Random& random) {
  for (size_t i = 0; i < inputs_of(s); ++i) {
    if (!is_connected(s, i)) continue;
    core::TensorState t = input_of(s, i);
    if (t.value) continue;
    if (!t.shape.is_static() || t.type == ElementType::unknown) return false;
    if (bits(t.type) == 0 && t.type != ElementType::string) return false;
    t.value = random_value(random, t.type, t.shape.to_static());
    set_input(s, i, std::move(t));
  }
  return true;
}

}  // namespace mo::app::checks
