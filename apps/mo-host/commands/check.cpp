#include <fmt/format.h>

#include <algorithm>

#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/models/fitting_configurations.hpp"
#include "apps/mo-host/models/model_options.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/reports/check_report.hpp"
#include "core/ir/check_ir.hpp"

namespace mo::app {

namespace {

std::string open_operations(const ModelSurvey& survey) {
  std::string list;
  for (const SurveyedOperation& o : survey.operations)
    if (o.open != 0) list += (list.empty() ? "" : ", ") + operation_name(o);
  return list;
}

// Whether what the model becomes can be written for --target: all of the conversion, but nothing is written.
void check_target(const Program& program, const Arguments& arguments) {
  Program one(program, Program::Says::errors);
  core::ConvertOptions options = model_options(one, arguments);
  options.phase_started = nullptr;
  core::ConvertResult result;
  try {
    const core::GraphPtr graph = core::prepare_model(one.session(), options, result);
    core::check_ir(one.session(), *graph, options.emit);
  } catch (core::Failure& f) {
    one.session().close_model();
    core::Failure refused(core::Exit::unsupported, f.code(), f.message());
    for (const auto& [label, line] : f.context()) refused.with(label, line);
    throw refused.with("model", options.input_model);
  }
  one.session().close_model();
}

}  // namespace

void check_command(Program& program, const Arguments& arguments) {
  const core::ConvertOptions options = model_options(program, arguments);
  const ModelSurvey survey = survey_model(program.session(), options);
  const std::vector<std::string> configurations = program.session().configuration == nullptr
                                                      ? fitting_configurations(program, options, survey)
                                                      : std::vector<std::string>();
  program.progress().clear();
  print(arguments.text("format") == "json" ? check_json(options, survey, configurations)
                                           : check_text(options, survey, configurations));
  if (!survey.all_convertible()) {
    const size_t open = static_cast<size_t>(std::count_if(survey.operations.begin(), survey.operations.end(),
                                                          [](const auto& o) { return o.open != 0; }));
    throw core::Failure(core::Exit::unsupported, "MO0403",
                        open == 0 ? "the model cannot be converted"
                                  : std::to_string(open) + " of " + std::to_string(survey.operations.size()) +
                                        " operations of the model cannot be converted")
        .with("missing", open_operations(survey))
        .with("fails", fmt::format("{}", fmt::join(survey.problems, "\n")))
        .with("model", options.input_model)
        .with("refused", program.skipped_plugins());
  }
  if (!survey.missing_files.empty())
    throw core::Failure(core::Exit::model, "MO0210", "files that the model refers to are missing")
        .with("missing", fmt::format("{}", fmt::join(survey.missing_files, "\n")))
        .with("model", options.input_model)
        .with("hint", "copy them into the model's folder");
  if (!arguments.has("target")) return;
  check_target(program, arguments);
  if (arguments.text("format") != "json")
    print("\nrelease " + arguments.text("target") + " reads what becomes of it\n");
}

}  // namespace mo::app
