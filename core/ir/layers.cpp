#include "core/ir/layers.hpp"

namespace mo::core {

void LayerWriter::graph(const GraphPlan& p, int depth) {
  xml_.line(depth).raw("<layers>");
  for (uint32_t id = 0; id < p.layers.size(); ++id) layer(p, id, depth + 1);
  xml_.line(depth).raw("</layers>");
  edges(p, depth);
}

void LayerWriter::layer(const GraphPlan& p, uint32_t id, int depth) {
  const Layer& layer = p.layers[id];
  const Graph& g = *p.graph;
  xml_.line(depth).raw("<layer").attribute("id", id).attribute("name", g.name(layer.node));
  xml_.raw(layer.kind->header).raw(">");
  data(g, layer, depth + 1);
  rt_info(g, layer.node, depth + 1, false);
  if (layer.inputs != 0) inputs(p, layer, depth + 1);
  if (layer.kind->form != LayerKind::result && !g.node(layer.node).outputs.empty())
    outputs(p, layer, depth + 1);
  if (!p.bodies.empty()) bodies(p, id, depth + 1);
  xml_.line(depth).raw("</layer>");
}

void LayerWriter::edges(const GraphPlan& p, int depth) {
  xml_.line(depth).raw("<edges>");
  for (const LayerEdge& e : p.edges) {
    xml_.line(depth + 1).raw("<edge").attribute("from-layer", e.from).attribute("from-port", e.from_port);
    xml_.attribute("to-layer", e.to).attribute("to-port", e.to_port).raw("/>");
  }
  xml_.line(depth).raw("</edges>");
}

}  // namespace mo::core
