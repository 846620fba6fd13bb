#include "apps/plugin_check/trial_model.hpp"

#include <unistd.h>

#include <filesystem>

#include "apps/frontends/choose_frontend.hpp"
#include "apps/ir_files/ir_files.hpp"
#include "core/convert/phases.hpp"

namespace mo::app::checks {

namespace fs = std::filesystem;

core::GraphPtr model_of(core::Session& session, const Sample& s) {
  const core::GraphPtr g = session.create_graph("model");
  const core::NodeRecord& r = s.graph->node(s.node);
  std::vector<core::NodeId> sources;
  for (size_t i = 0; i < r.inputs.size(); ++i) {
    sources.push_back(core::no_node);
    if (!is_connected(s, i)) continue;
    const core::TensorState& t = input_of(s, i);
    if (t.value) {
      sources.back() = g->add_const("", t.value);
      continue;
    }
    sources.back() = g->add_node(core::words::parameter, "opset1", text("input_", i), 0, 1);
    g->set_attribute(sources.back(), "element_type", t.type);
    g->set_attribute(sources.back(), "shape", core::shape_attribute(t.shape));
  }
  const core::NodeId n =
      g->add_node(s.graph->op(s.node), s.graph->opset(s.node), "the_operation",
                  static_cast<uint32_t>(r.inputs.size()), static_cast<uint32_t>(r.outputs.size()));
  for (uint32_t i = 0; i < sources.size(); ++i)
    if (sources[i] != core::no_node) g->connect({sources[i], 0}, {n, i});
  for (const auto& [key, value] : r.attributes.items())
    g->set_attribute(n, s.graph->symbols().text(key), value);
  for (uint32_t i = 0; i < r.outputs.size(); ++i)
    g->connect({n, i}, {g->add_node(core::words::result, "opset1", text("output_", i), 1, 0), 0});
  return g;
}

void expect_reader(core::Session& session, const std::string& path) {
  try {
    (void)choose_frontend(session, path, "");
  } catch (const core::Failure&) {
    throw Skipped{"no front-end that is loaded reads IRs"};
  }
}

void convert_trial(core::Session& session, core::Graph& g, const std::string& folder) {
  infer_all(session, g);
  IrFiles ir(session, {.folder = folder});
  try {
    (void)emit_ir(session, g, {}, ir);
  } catch (core::Failure& f) {
    throw f.with("step", "writing");
  }
  expect_reader(session, ir.paths().xml);
  core::ConvertOptions options;
  options.frontend = choose_frontend;
  options.input_model = ir.paths().xml;
  options.emit.model_name = "converted";
  IrFiles converted(session, {.folder = folder});
  try {
    (void)convert(session, options, converted);
  } catch (core::Failure& f) {
    throw f.with("step", "converting");
  }
}

}  // namespace mo::app::checks
