#include "apps/survey/extractor_result.hpp"

#include "core/registry/contain.hpp"

namespace mo::app {

std::string extractor_result(core::Session& session, const core::Extractor& e) {
  const core::GraphPtr g = session.create_graph("");
  const core::NodeId n = g->add_node(e.op, "", "", 2, 1);
  for (uint32_t i = 0; i < 2; ++i)
    g->connect({g->add_node(core::words::parameter, "opset1", "", 0, 1), 0}, {n, i});
  core::Call call(session);
  call->plugin = e.plugin;
  call->graph = g.get();
  call->node = n;
  // It may fail for want of an attribute; what it has chosen until then counts.
  (void)core::contain(*call, "extract", [&] { return e.extract(e.self, call.get(), node_handle(*g, n)); });
  return g->alive(n) && !g->opset(n).empty() ? std::string(g->op(n)) : std::string();
}

}  // namespace mo::app
