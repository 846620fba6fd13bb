#include "apps/config_tools/explain.hpp"

namespace mo::app {

namespace {

constexpr size_t most_nodes = 8;

std::string port_name(const core::Graph& g, core::PortRef p, const char* direction) {
  return text(direction, ' ', p.port, " of ", describe(g, p.node));
}

void add_match(std::string& out, core::Match& m) {
  const core::Graph& g = *m.graph;
  const core::Boundary& b = boundary_of(m, g.end_id());
  const auto nodes = m.nodes();
  out += text(": ", nodes.size(), nodes.size() == 1 ? " node\n" : " nodes\n");
  for (size_t i = 0; i < b.inputs.size(); ++i) {
    out += text("    input ", i, ": ", port_name(g, b.inputs[i].source, "output"), ", read by ");
    for (size_t k = 0; k < b.inputs[i].ports.size(); ++k)
      out += text(k == 0 ? "" : ", ", port_name(g, b.inputs[i].ports[k], "input"));
    out += '\n';
  }
  for (size_t i = 0; i < b.outputs.size(); ++i)
    out += text("    output ", i, ": ", port_name(g, b.outputs[i], "output"), '\n');
  out += "    nodes: ";
  for (size_t i = 0; i < nodes.size() && i < most_nodes; ++i)
    out += text(i == 0 ? "" : ", ", describe(g, nodes[i]));
  out += nodes.size() > most_nodes ? text(", and ", nodes.size() - most_nodes, " more\n") : "\n";
}

}  // namespace

ConfigReport explain_configuration(const core::Session& session, core::Graph& g) {
  ConfigReport report;
  if (session.configuration == nullptr) return report;
  for (const core::ConfigEntry& e : *session.configuration) {
    report.text += text(e.place(), ": \"", e.id, "\", ", name(e.kind),
                        e.op.empty() ? "" : text(", becomes one ", e.op), '\n');
    if (e.kind == core::ConfigEntry::Kind::general) report.text += "  applied to the whole graph, once\n";
    for (size_t i = 0; i < instance_count(e); ++i) {
      ++report.instances;
      try {
        core::InstanceMatch found = match_instance(g, e, i);
        report.text += text("  ", found.instance);
        if (found.match) {
          add_match(report.text, *found.match);
          if (const core::Operation* one = e.op.empty() ? nullptr : operation_meant(session.registry(), e))
            check_one_operation(*one, *found.match);
          ++report.matched;
        } else {
          report.text += text(": no match: ", found.why_not, '\n');
        }
      } catch (const core::Failure& f) {
        report.text += text("  error ", f.code(), ": ", f.message(), '\n');
        if (f.has("hint")) report.text += text("    hint ", f.context_of("hint"), '\n');
      }
    }
  }
  return report;
}

}  // namespace mo::app
