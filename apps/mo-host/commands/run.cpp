#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/models/cases.hpp"
#include "apps/mo-host/models/model_options.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/reports/outputs.hpp"
#include "apps/session/value_inputs.hpp"

namespace mo::app {

namespace {

using core::Exit;
using core::Failure;

// The whole of one run. Random inputs are told.
std::vector<Output> compute(Program& program, core::ConvertOptions options, std::span<const GivenInput> given,
                            uint64_t seed, core::Variables* variables = nullptr) {
  core::ConvertResult result;
  try {
    const core::GraphPtr g = load_runnable(program.session(), options, result);
    std::vector<core::TensorRef> values;
    for (RunInput& in : run_inputs(*g, given, seed, {.account = program.session().memory()})) {
      if (in.origin == ValueOrigin::random && !program.silent())
        program.session().log(MO_LOG_WARNING, fmt::format("input '{}' gets random values of shape {}",
                                                          in.name, text(core::shape_of(*in.value))));
      values.push_back(std::move(in.value));
    }
    program.progress().phase("run", 1, 1);
    auto outputs = run_graph(program.session(), *g, values, nullptr, variables);
    program.session().close_model();
    return outputs;
  } catch (Failure& f) {
    f.with("model", options.input_model);
    program.session().close_model();
    throw;
  }
}

// Each in a session of its own; what a model keeps from run to run is there for its next case. What one case
// does wrong is its result, not the end.
void run_cases(Program& program, const Arguments& a) {
  const std::string path = a.path("cases");
  size_t failed = 0;
  std::map<std::string, core::Variables> kept;
  const std::vector<Case> cases = read_cases(path);
  for (const Case& c : cases) {
    if (c.model.empty()) throw bad_case(c, "names no model");
    core::Variables& variables = kept[c.model];
    if (c.reset) variables = {};
    nlohmann::ordered_json report{{"model", c.model}, {"ok", true}};
    try {
      Program one(program, Program::Says::errors);
      one.load_kernels();
      core::ConvertOptions options = model_options(one, a, InputForm::values, c.model);
      const auto outputs =
          compute(one, std::move(options), c.inputs, static_cast<uint64_t>(a.integer("seed")), &variables);
      if (!c.output_dir.empty()) write_outputs(c.output_dir, outputs);
    } catch (const Failure& f) {
      report["ok"] = false;
      report["error"] = f.render();
      ++failed;
    }
    print(report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  }
  if (failed != 0)
    throw Failure(Exit::model, "MO0507",
                  fmt::format("{} of {} cases of '{}' failed", failed, cases.size(), path));
}

}  // namespace

void run_command(Program& program, const Arguments& a) {
  if (a.has("cases")) return run_cases(program, a);
  program.load_kernels();
  const core::ConvertOptions options = model_options(program, a, InputForm::values);
  const auto outputs = compute(program, options, parse_value_inputs(a.text("input")),
                               static_cast<uint64_t>(a.integer("seed")));
  program.progress().clear();
  if (a.has("output_dir")) write_outputs(a.path("output_dir"), outputs);
  if (!program.silent()) print(outputs_text(outputs));
}

}  // namespace mo::app
