#include "apps/plugin_check/graphs.hpp"
#include "apps/views/text.hpp"

namespace mo::app::checks {

// A copy whose nodes are in the order in which the results need them, and whose names say nothing.
std::string canonical_text(const core::Graph& g) {
  const auto space = std::make_shared<core::GraphSpace>();
  const core::GraphPtr copy = core::Graph::create(space, "");
  std::map<core::NodeId, core::NodeId> made;
  std::vector<std::pair<core::NodeId, bool>> stack;
  const auto visit = [&](core::NodeId root) {
    stack.emplace_back(root, false);
    while (!stack.empty()) {
      const auto [n, inputs_done] = stack.back();
      stack.pop_back();
      if (made.count(n) != 0) continue;
      const core::NodeRecord& r = g.node(n);
      if (!inputs_done) {
        stack.emplace_back(n, true);
        for (size_t i = r.inputs.size(); i-- > 0;)
          if (r.inputs[i].source) stack.emplace_back(r.inputs[i].source.node, false);
        continue;
      }
      const bool plain =
          r.op == g.space().parameter || r.op == g.space().constant || r.op == g.space().result;
      const core::NodeId m =
          copy->add_node(g.op(n), plain ? "" : g.opset(n), "n", static_cast<uint32_t>(r.inputs.size()),
                         static_cast<uint32_t>(r.outputs.size()));
      made[n] = m;
      for (uint32_t i = 0; i < r.inputs.size(); ++i)
        if (const core::PortRef from = r.inputs[i].source)
          if (const auto at = made.find(from.node); at != made.end())
            copy->connect({at->second, from.port}, {m, i});
      for (uint32_t i = 0; i < r.outputs.size(); ++i) {
        core::TensorState t = r.outputs[i].tensor;
        t.from_shape = false;
        t.bounds.clear();
        copy->set_tensor({m, i}, std::move(t));
      }
      std::vector<std::pair<std::string, core::Attribute>> attributes;
      if (!plain)
        for (const auto& [key, value] : r.attributes.items())
          if (kind_of(value) != MO_VALUE_GRAPH && kind_of(value) != MO_VALUE_GRAPHS)
            attributes.emplace_back(g.symbols().text(key), value);
      std::sort(attributes.begin(), attributes.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      for (auto& [key, value] : attributes) copy->set_attribute(m, key, std::move(value));
      copy->unmark(m);
    }
  };
  for (const core::NodeId p : g.parameters()) visit(p);
  for (const core::NodeId r : g.results()) visit(r);
  for (const core::NodeId n : copy->nodes()) copy->unmark(n);
  return to_text(*copy);
}

}  // namespace mo::app::checks
