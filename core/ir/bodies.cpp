#include "core/ir/layers.hpp"

namespace mo::core {

void LayerWriter::bodies(const GraphPlan& p, uint32_t id, int depth) {
  const auto it = p.bodies.find(id);
  if (it == p.bodies.end()) return;
  for (const Body& body : it->second) port_map(p.layers[id], body, depth);
  for (const Body& body : it->second) {
    xml_.line(depth).raw("<").raw(body.prefix).raw("body>");
    graph(*body.plan, depth + 1);
    xml_.line(depth).raw("</").raw(body.prefix).raw("body>");
  }
}

void LayerWriter::port_map(const Layer& layer, const Body& body, int depth) {
  const Graph& inner = *body.plan->graph;
  const auto parameters = inner.parameters(), results = inner.results();
  const auto id_of = [&](std::span<const NodeId> nodes, int64_t i) {
    return int64_t{body.plan->id_of[nodes[static_cast<size_t>(i)]]};
  };
  xml_.line(depth).raw("<").raw(body.prefix).raw("port_map>");
  for (const PortMapEntry& e : body.port_map) {
    xml_.line(depth + 1).raw(e.output ? "<output" : "<input");
    xml_.attribute("external_port_id", e.external < 0 || !e.output ? e.external : layer.inputs + e.external);
    xml_.attribute("internal_layer_id", id_of(e.output ? results : parameters, e.internal));
    if (e.axis) {
      xml_.attribute("axis", *e.axis).attribute("start", e.start).attribute("end", e.end);
      xml_.attribute("stride", e.stride).attribute("part_size", e.part_size);
    }
    if (!e.purpose.empty()) xml_.attribute("purpose", e.purpose);
    xml_.raw("/>");
  }
  xml_.line(depth).raw("</").raw(body.prefix).raw("port_map>");
  if (body.back_edges.empty()) return;
  xml_.line(depth).raw("<").raw(body.prefix).raw("back_edges>");
  for (size_t i = 0; i < body.back_edges.size(); i += 2) {
    xml_.line(depth + 1).raw("<edge").attribute("from-layer", id_of(results, body.back_edges[i]));
    xml_.attribute("to-layer", id_of(parameters, body.back_edges[i + 1])).raw("/>");
  }
  xml_.line(depth).raw("</").raw(body.prefix).raw("back_edges>");
}

}  // namespace mo::core
