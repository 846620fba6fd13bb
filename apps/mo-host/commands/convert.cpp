#include "apps/mo-host/commands.hpp"
#include "apps/mo-host/inspection.hpp"
#include "apps/mo-host/model_options.hpp"
#include "apps/mo-host/print.hpp"
#include "apps/mo-host/report.hpp"

namespace mo::app {

void convert_command(Run& run, const Arguments& arguments) {
  core::ConvertOptions options = model_options(run, arguments);
  Inspection inspection(run, arguments, options);
  options.watch = &inspection;
  core::ConvertResult result;
  try {
    result = core::convert(run.session(), options);
  } catch (core::Failure& f) {
    run.progress().clear();
    print(inspection.explanations());
    // What is missing may be what a refused plugin offers.
    if (f.code().starts_with("MO04") || f.code() == "MO0206") f.with("refused", run.skipped_plugins());
    throw;
  }
  Run::keep(result.graph);
  run.progress().clear();
  if (!run.silent()) print(summary(run, options, result));
  print(inspection.explanations());
  if (arguments.flag("profile") || is_switched_on("MO_PROFILE_PASS_ENABLE")) print(profile_text(result));
  if (arguments.has("timing"))
    print(arguments.text("timing") == "json" ? timing_json(run, result) : timing_text(run, result));
}

}  // namespace mo::app
