#include "core/ir/layers.hpp"

#include <algorithm>

namespace mo::core {

void LayerWriter::inputs(const GraphPlan& p, const Layer& layer, int depth) {
  const Graph& g = *p.graph;
  const auto& slots = g.node(layer.node).inputs;
  xml_.line(depth).raw("<input>");
  for (uint32_t i = 0; i < layer.inputs; ++i) {
    const TensorState& t = g.out(slots[i].source).tensor;
    xml_.line(depth + 1).raw("<port").attribute("id", i);
    xml_.raw(" precision=\"").raw(info(t.type).precision).raw("\">");
    dims(t.shape);
    if (layer.kind->form == LayerKind::result) rt_info(g, layer.node, depth + 2, true);
    xml_.raw("</port>");
  }
  xml_.line(depth).raw("</input>");
}

void LayerWriter::outputs(const GraphPlan& p, const Layer& layer, int depth) {
  const Graph& g = *p.graph;
  const auto& slots = g.node(layer.node).outputs;
  xml_.line(depth).raw("<output>");
  for (uint32_t i = 0; i < slots.size(); ++i) {
    const TensorState& t = slots[i].tensor;
    xml_.line(depth + 1).raw("<port").attribute("id", layer.inputs + i);
    xml_.raw(" precision=\"").raw(info(t.type).precision).raw("\"");
    tensor_names(p, {layer.node, i});
    xml_.raw(">");
    dims(t.shape);
    if (layer.kind->form == LayerKind::parameter) rt_info(g, layer.node, depth + 2, true);
    xml_.raw("</port>");
  }
  xml_.line(depth).raw("</output>");
}

// An unknown rank has no spelling here and looks like a scalar, as the runtime itself writes it.
void LayerWriter::dims(const Shape& shape) {
  // Version 10 has no number for a size that is not known; what it can be at most was checked.
  const bool v10 = model_.ir_version == 10;
  for (const Dim& d : shape)
    xml_.raw("<dim>").number(d.is_static() ? d.value() : v10 ? d.max : -1).raw("</dim>");
}

void LayerWriter::tensor_names(const GraphPlan& p, PortRef port) {
  names_.clear();
  for (Symbol s : p.graph->out(port).names) names_.push_back(p.graph->symbols().text(s));
  if (names_.empty()) {
    const auto given = p.given_names.find(GraphPlan::key(port));
    if (given == p.given_names.end()) return;
    names_.push_back(given->second);
  }
  // Readers of version 10 stumble over a name of nothing but blanks.
  if (model_.ir_version == 10)
    names_.erase(std::remove_if(names_.begin(), names_.end(),
                                [](std::string_view s) { return s.find_first_not_of(' ') == s.npos; }),
                 names_.end());
  if (names_.empty()) return;
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  // A backslash at the end of a name would hide the comma behind it, so one such name stands last; there is
  // no spelling for a second.
  const auto last = std::stable_partition(names_.begin(), names_.end(),
                                          [](std::string_view s) { return !s.ends_with('\\'); });
  if (names_.end() - last > 1) {
    session_.log(MO_LOG_WARNING,
                 text("a tensor name that ends with a backslash is left out: ", names_.back()));
    names_.erase(last + 1, names_.end());
  }
  xml_.raw(" names=\"");
  bool first = true;
  for (std::string_view name : names_) {
    if (!std::exchange(first, false)) xml_.raw(",");
    for (size_t comma = name.find(','); comma != std::string_view::npos; comma = name.find(',')) {
      xml_.text(name.substr(0, comma)).raw("\\,");
      name.remove_prefix(comma + 1);
    }
    xml_.text(name);
  }
  xml_.raw("\"");
}

}  // namespace mo::core
