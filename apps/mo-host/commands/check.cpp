#include <optional>

#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/models/model_options.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/reports/check_report.hpp"
#include "apps/session/fitting_configurations.hpp"
#include "apps/survey/verdict.hpp"

namespace mo::app {

namespace {

void check_target(const Program& program, const Arguments& arguments) {
  Program one(program, Program::Says::errors);
  core::ConvertOptions options = model_options(one, arguments);
  options.phase_started = nullptr;
  const auto refused = refused_for_target(one.session(), options);
  if (refused) throw *refused;
}

}  // namespace

void check_command(Program& program, const Arguments& arguments) {
  const core::ConvertOptions options = model_options(program, arguments);
  const ModelSurvey survey = survey_model(program.session(), options);
  std::optional<Program> other;
  const auto fresh = [&]() -> core::Session& {
    return other.emplace(program, Program::Says::errors).session();
  };
  const std::vector<std::string> configurations =
      program.session().configuration == nullptr
          ? fitting_configurations(program.session(), fresh, options, survey)
          : std::vector<std::string>();
  program.progress().clear();
  print(arguments.text("format") == "json" ? check_json(options, survey, configurations)
                                           : check_text(options, survey, configurations));
  if (auto refused = refused_by(survey, options))
    throw refused->with("refused",
                        refused->exit() == core::Exit::unsupported ? program.skipped_plugins() : "");
  if (!arguments.has("target")) return;
  check_target(program, arguments);
  if (arguments.text("format") != "json")
    print("\nrelease " + arguments.text("target") + " reads what becomes of it\n");
}

}  // namespace mo::app
