#include "apps/config_tools/explain.hpp"
#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/models/model_options.hpp"
#include "apps/mo-host/output/print.hpp"

namespace mo::app {

void explain_config_command(Program& program, const Arguments& arguments) {
  core::ConvertOptions options = model_options(program, arguments);
  if (program.session().configuration == nullptr)
    throw core::Failure(core::Exit::usage, "MO0103", "explain-config needs --transformations_config FILE");
  options.stop_after = core::Stage::extract;
  core::ConvertResult result;
  const core::GraphPtr g = core::prepare_model(program.session(), options, result);
  Program::keep(g);
  const ConfigReport report = explain_configuration(program.session(), *g);
  program.progress().clear();
  print(report.text);
  if (report.matched == report.instances) return;
  throw core::Failure(core::Exit::model, "MO0617",
                      std::to_string(report.instances - report.matched) + " of " +
                          std::to_string(report.instances) + " instances of the configuration do not match")
      .with("model", options.input_model);
}

}  // namespace mo::app
