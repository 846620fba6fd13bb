#include "core/infer/replaced_graph.hpp"
#include "core/ir/layers.hpp"
#include "core/ir/values.hpp"

#include <cmath>

namespace mo::core {

namespace {

using Extra = std::vector<std::pair<std::string, std::string>>;

const std::string* find(const Extra& list, std::string_view name) {
  for (const auto& [key, value] : list)
    if (key == name) return &value;
  return nullptr;
}

bool is_finite(const Attribute& a) {
  if (const auto* number = std::get_if<double>(&a)) return std::isfinite(*number);
  const auto* list = std::get_if<std::vector<double>>(&a);
  return list == nullptr ||
         std::all_of(list->begin(), list->end(), [](double v) { return std::isfinite(v); });
}

// A lower bound of how long its text is.
size_t least_text(const Attribute& a) {
  return std::visit(
      [](const auto& v) -> size_t {
        if constexpr (requires {
                        v.size();
                        v.data();
                      })
          return v.size() * (std::is_same_v<std::decay_t<decltype(v)>, std::string> ? 1 : 2);
        else
          return 0;
      },
      a);
}
constexpr size_t most_text = size_t{1} << 20;

Extra computed_attributes(Session& session, const Graph& g, const Layer& layer) {
  const Operation& operation = *layer.kind->operation;
  Extra computed;
  if (operation.ir_attrs == nullptr) return computed;
  Call call(session);
  call->plugin = operation.plugin;
  call->graph = const_cast<Graph*>(&g);
  call->node = layer.node;
  call->ir_attrs = &computed;
  call.check(operation.ir_attrs(operation.self, call.get(), node_handle(g, layer.node)), "ir_attrs");
  return computed;
}

}  // namespace

void LayerWriter::data(const Graph& g, const Layer& layer, int depth) {
  if (layer.kind->form == LayerKind::result) return;
  if (layer.kind->form == LayerKind::other) return operation_attributes(g, layer, depth);
  const TensorState& t = g.out({layer.node, 0}).tensor;
  xml_.line(depth)
      .raw("<data")
      .attribute("element_type", name(t.type))
      .attribute("shape", shape_text(t.shape));
  if (layer.kind->form == LayerKind::constant) {
    xml_.attribute("offset", static_cast<int64_t>(offsets_[layer.constant]));
    xml_.attribute("size", static_cast<int64_t>(t.value->bytes));
  }
  xml_.raw("/>");
}

// Those of the schema, defaults included: a runtime's default is not always that of its specification. What
// the operation computes for the IR replaces them or follows.
void LayerWriter::operation_attributes(const Graph& g, const Layer& layer, int depth) {
  const Operation* operation = layer.kind->operation;
  if (operation == nullptr) return;
  const Extra extra = computed_attributes(session_, g, layer);
  bool open = false;
  const auto begin = [&](std::string_view name) {
    if (!std::exchange(open, true)) xml_.line(depth).raw("<data");
    xml_.raw(" ").raw(name).raw("=\"");
  };
  const AttributeMap& attributes = g.node(layer.node).attributes;
  for (const AttributeDef& def : operation->attributes) {
    if (def.ir_name.empty() || find(extra, def.ir_name) != nullptr) continue;
    const Attribute* found = attributes.find(def.key);
    const Attribute& shown = found != nullptr ? *found : def.fallback;
    if (std::holds_alternative<std::monostate>(shown) || std::holds_alternative<GraphPtr>(shown)) continue;
    if (!is_finite(shown))
      problems_.add("MO0707",
                    text("attribute '", def.name, "' of ", g.op(layer.node),
                         " is infinite or no number, which every release reads as 0"),
                    path_of(g, layer.node), "a transformation can say it by an operation with a constant");
    if (const size_t size = least_text(shown); size > most_text)
      session_.log(
          {MO_LOG_WARNING,
           operation->plugin,
           text("attribute '", def.name, "' has more than ", size >> 20U, " MB as text in the IR"),
           {{"node", path_of(g, layer.node)},
            {"hint",
             "who reads the IR reads all of it first; make it an input of the operation: a constant"}}});
    begin(def.ir_name);
    if (!write_value(xml_, shown))
      problems_.add("MO0707", text("attribute '", def.name, "' is of a kind that the IR cannot hold"),
                    path_of(g, layer.node), "an operation can give it as text, through add_ir_attr");
    xml_.raw("\"");
  }
  // What a configuration adds to those of the schema.
  const Attribute* more = g.attribute(layer.node, config_words::ir_attributes);
  const auto* names = more == nullptr ? nullptr : std::get_if<std::vector<std::string>>(more);
  for (size_t i = 0; names != nullptr && i < names->size(); ++i) {
    const std::string& name = (*names)[i];
    const Attribute* shown = g.attribute(layer.node, name);
    const bool in_schema =
        std::any_of(operation->attributes.begin(), operation->attributes.end(),
                    [&](const AttributeDef& d) { return d.name == name || d.ir_name == name; });
    if (shown == nullptr || in_schema || find(extra, name) != nullptr) continue;
    if (!is_xml_name(name)) {
      problems_.add("MO0707", text("'", name, "' is not a name of an XML attribute"), path_of(g, layer.node),
                    "it is a key of \"custom_attributes\" of a transformations configuration");
      continue;
    }
    begin(name);
    if (!write_value(xml_, *shown))
      problems_.add("MO0707", text("attribute '", name, "' is of a kind that the IR cannot hold"),
                    path_of(g, layer.node));
    xml_.raw("\"");
  }
  for (size_t i = 0; i < extra.size(); ++i) {
    const auto& [name, shown] = extra[i];
    if (!is_xml_name(name) || find(extra, name) != &shown)
      problems_.add("MO0707",
                    text("'", name, "' given by ir_attrs is not a name of an XML attribute, or given twice"),
                    path_of(g, layer.node));
    begin(name);
    xml_.text(shown).raw("\"");
  }
  if (open) xml_.raw("/>");
}

void LayerWriter::rt_info(const Graph& g, NodeId n, int depth, bool of_port) {
  const AttributeMap& items = g.node(n).rt_info;
  if (items.empty() || model_.ir_version < 11) return;
  const Symbol op = g.node(n).op;
  const bool has_border_port = op == g.space().parameter || op == g.space().result;
  bool open = false;
  for (const auto& [key, shown] : items.items()) {
    const std::string_view name = g.symbols().text(key);
    // A layout belongs to the tensor a user sees, not to the layer; it has its own attribute.
    const bool is_layout = name == "layout";
    if ((is_layout && has_border_port) != of_port) continue;
    const auto* flag = std::get_if<bool>(&shown);
    if (flag != nullptr && !*flag) continue;
    if (!std::exchange(open, true)) xml_.line(depth).raw("<rt_info>");
    xml_.line(depth + 1).raw("<attribute").attribute("name", name).raw(" version=\"0\"");
    if (flag == nullptr) {
      xml_.raw(is_layout ? " layout=\"" : " value=\"");
      if (!write_value(xml_, shown))
        problems_.add("MO0707", text("rt_info '", name, "' is of a kind that the IR cannot hold"),
                      path_of(g, n));
      xml_.raw("\"");
    }
    xml_.raw("/>");
  }
  if (open) xml_.line(depth).raw("</rt_info>");
  if (open && of_port) xml_.line(depth - 1);
}

}  // namespace mo::core
