#include "apps/library/reports.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace mo::app {

using nlohmann::ordered_json;

namespace {

std::string line_of(const ordered_json& j) {
  return j.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

double milliseconds(double seconds) { return std::round(seconds * 1e4) / 10; }

}  // namespace

std::string conversion_report(const core::Session& session, const core::ConvertResult& r, double seconds) {
  ordered_json plugins = ordered_json::array(), needs = ordered_json::array(),
               phases = ordered_json::object();
  for (const core::Plugin* p : r.used) plugins.push_back({{"id", p->id}, {"version", p->version}});
  for (const auto& [op, nodes] : r.needed_at_run_time)
    needs.push_back(
        {{"operation", op->op}, {"opset", op->opset}, {"layers", nodes}, {"plugin", op->plugin->id}});
  for (const core::PhaseTime& p : r.phases) phases[p.name] = milliseconds(p.seconds);
  return line_of({{"framework", r.framework},
                  {"nodes", r.source_nodes},
                  {"layers", r.ir.layers},
                  {"ir_version", r.ir.ir_version},
                  {"target", session.target().name},
                  {"xml_bytes", r.ir.xml_bytes},
                  {"bin_bytes", r.ir.bin_bytes},
                  {"plugins", std::move(plugins)},
                  {"needs", std::move(needs)},
                  {"phases", std::move(phases)},
                  {"ms", milliseconds(seconds)}});
}

std::string survey_report(const std::string& json, const std::optional<core::Failure>& refused) {
  ordered_json all = ordered_json::parse(json);
  all["convertible"] = !refused;
  if (refused)
    all["error"] = {{"code", refused->code()},
                    {"text", refused->message()},
                    {"hint", refused->context_of("hint")},
                    {"missing", refused->context_of("missing")}};
  return line_of(all);
}

std::string outputs_report(const mo_result& r) {
  ordered_json names = ordered_json::array();
  for (uint64_t i = 0; i < r.n_outputs; ++i)
    names.push_back(std::string(r.outputs[i].name.data, r.outputs[i].name.size));
  return line_of({{"outputs", std::move(names)}});
}

std::string verdict_report(const Verdict& v) {
  ordered_json outputs = ordered_json::array();
  for (const ComparedOutput& o : v.outputs) {
    ordered_json output{{"name", o.name}};
    if (o.missing.empty() && o.difference.problem.empty()) {
      output["largest"] = o.difference.largest;
      output["relative"] = o.difference.relative;
      output["equal"] = o.difference.within(v.tolerance);
    } else {
      output["problem"] = o.missing.empty() ? o.difference.problem : o.missing;
    }
    outputs.push_back(std::move(output));
  }
  return line_of({{"equal", v.equal && v.compared == v.outputs.size()},
                  {"compared", v.compared},
                  {"tolerance", v.tolerance},
                  {"outputs", std::move(outputs)},
                  {"first", v.first_transformation},
                  {"without_values", v.without_values},
                  {"steps", v.steps}});
}

}  // namespace mo::app
