#include "apps/explore/node_facts.hpp"

#include <nlohmann/json.hpp>

#include "apps/views/text_values.hpp"
#include "core/graph/lazy_elements.hpp"

namespace mo::app {

namespace {

constexpr size_t longest_text = 600;
constexpr uint64_t largest_value = 256;  // bytes

// What lies in no memory is not computed to be looked at, unless it is as small as this.
std::string value_text(const mo_tensor& t) {
  if (t.bytes > largest_value) return {};
  try {
    const TextOptions options{true, largest_value, {}};
    TextWriter w(options);
    w.literal(t);
    return std::move(w.out());
  } catch (const std::exception&) {
    return {};  // whoever computes it cannot
  }
}

std::string tensor_text(const mo_tensor& t) {
  std::string value = value_text(t);
  return text(name(t.type), core::shape_of(t), value.empty() ? "" : " ", value);
}

std::string cut(std::string s) {
  if (s.size() <= longest_text) return s;
  size_t end = longest_text;
  while (end > 0 && (static_cast<uint8_t>(s[end]) & 0xc0U) == 0x80U) --end;
  s.resize(end);
  return s + "…";
}

bool is_body(const core::Attribute& a) {
  return std::holds_alternative<core::GraphPtr>(a) || std::holds_alternative<std::vector<core::GraphPtr>>(a);
}

void item(std::string& list, std::string_view json) {
  if (!list.empty()) list += ',';
  list += json;
}

std::string in_brackets(const std::string& list, const char* brackets) {
  return list.empty() ? std::string() : brackets[0] + list + brackets[1];
}

std::string map_json(const core::Graph& g, const core::AttributeMap& map) {
  std::string list;
  for (const auto& [key, value] : map.items())
    if (!is_body(value))
      item(list, quoted_json(g.symbols().text(key)) + ':' + quoted_json(short_text(value)));
  return in_brackets(list, "{}");
}

std::string inputs_json(const core::Graph& g, core::NodeId n, Numbers& numbers) {
  std::string list;
  for (const core::InSlot& in : g.node(n).inputs)
    item(list, in.source ? text('[', numbers.node(g, in.source.node), ',', in.source.port, ']') : "0");
  return in_brackets(list, "[]");
}

// [tensor] or [tensor, names] or [tensor, names, value], the tensor as the number of a text.
std::string outputs_json(const core::Graph& g, core::NodeId n, SharedTexts& texts) {
  std::string list;
  for (const core::OutSlot& out : g.node(n).outputs) {
    const core::TensorState& t = out.tensor;
    const bool is_known = t.type != ElementType::unknown || t.shape.has_rank();
    std::string one = text('[', texts.number(is_known ? text(name(t.type), t.shape) : std::string()));
    const std::string value = t.value ? value_text(*t.value) : std::string();
    if (!out.names.empty() || !value.empty()) {
      std::string names;
      for (const core::Symbol s : out.names) item(names, quoted_json(g.symbols().text(s)));
      one += ",[" + names + ']';
    }
    if (!value.empty()) one += ',' + quoted_json(cut(value));
    item(list, one + ']');
  }
  return in_brackets(list, "[]");
}

std::string bodies_json(const core::Graph& g, core::NodeId n, Numbers& numbers) {
  std::string list;
  const auto add = [&](std::string_view key, const core::GraphPtr& body) {
    if (body != nullptr)
      item(list, text('[', quoted_json(key), ',', numbers.graph(body->serial()), ',',
                      quoted_json(body->name()), ']'));
  };
  for (const auto& [key, value] : g.node(n).attributes.items()) {
    const std::string_view name = g.symbols().text(key);
    if (const auto* one = std::get_if<core::GraphPtr>(&value)) add(name, *one);
    if (const auto* many = std::get_if<std::vector<core::GraphPtr>>(&value))
      for (const core::GraphPtr& body : *many) add(name, body);
  }
  return in_brackets(list, "[]");
}

}  // namespace

uint32_t SharedTexts::number(std::string_view text) {
  const auto [at, is_new] = numbers_.try_emplace(std::string(text), static_cast<uint32_t>(all_.size()));
  if (is_new) all_.emplace_back(text);
  return at->second;
}

std::string quoted_json(std::string_view s) {
  return nlohmann::json(s).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string short_text(const core::Attribute& a) {
  if (const auto* t = std::get_if<core::TensorRef>(&a); t != nullptr && *t) return cut(tensor_text(**t));
  if (const auto* list = std::get_if<std::vector<core::TensorRef>>(&a)) {
    std::string all;
    for (const core::TensorRef& t : *list) all += (all.empty() ? "" : ", ") + (t ? tensor_text(*t) : "none");
    return cut('[' + all + ']');
  }
  const TextOptions options{true, largest_value, {}};
  TextWriter w(options);
  w.attribute(a);
  return cut(std::move(w.out()));
}

NodeFacts node_facts(const core::Graph& g, core::NodeId n, SharedTexts& texts, Numbers& numbers) {
  NodeFacts f;
  f.parts[NodeFacts::graph] = text(numbers.graph(g.serial()));
  f.parts[NodeFacts::op] = text(texts.number(g.op(n)));
  f.parts[NodeFacts::opset] = text(texts.number(g.opset(n)));
  f.parts[NodeFacts::name] = quoted_json(g.name(n));
  f.parts[NodeFacts::inputs] = inputs_json(g, n, numbers);
  f.parts[NodeFacts::outputs] = outputs_json(g, n, texts);
  f.parts[NodeFacts::attributes] = map_json(g, g.node(n).attributes);
  f.parts[NodeFacts::rt_info] = map_json(g, g.rt_info(n));
  f.parts[NodeFacts::bodies] = bodies_json(g, n, numbers);
  return f;
}

}  // namespace mo::app
