#include "apps/config_tools/explain.hpp"
#include "apps/mo-host/commands.hpp"
#include "apps/mo-host/model_options.hpp"
#include "apps/mo-host/print.hpp"

namespace mo::app {

void explain_config_command(Run& run, const Arguments& arguments) {
  core::ConvertOptions options = model_options(run, arguments);
  if (run.session().configuration == nullptr)
    throw core::Failure(core::Exit::usage, "MO0103", "explain-config needs --transformations_config FILE");
  options.stop_after = core::Stage::extract;
  core::ConvertResult result;
  const core::GraphPtr g = core::prepare_model(run.session(), options, result);
  Run::keep(g);
  const ConfigReport report = explain_configuration(run.session(), *g);
  run.progress().clear();
  print(report.text);
  if (report.matched == report.instances) return;
  throw core::Failure(core::Exit::model, "MO0617",
                      std::to_string(report.instances - report.matched) + " of " +
                          std::to_string(report.instances) + " instances of the configuration do not match")
      .with("model", options.input_model);
}

}  // namespace mo::app
