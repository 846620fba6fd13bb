#include <unistd.h>

#include "apps/mo-host/commands.hpp"
#include "apps/mo-host/inspection.hpp"
#include "apps/mo-host/model_options.hpp"
#include "apps/mo-host/print.hpp"
#include "apps/mo-host/write_file.hpp"
#include "apps/views/text.hpp"

namespace mo::app {

namespace {

core::Stage stage_named(const std::string& name) {
  if (name == "load") return core::Stage::load;
  if (name == "extract") return core::Stage::extract;
  if (name == "front") return core::Stage::front;
  if (name == "infer") return core::Stage::infer;
  return core::Stage::final;
}

}  // namespace

void dump_command(Run& run, const Arguments& arguments) {
  core::ConvertOptions options = model_options(run, arguments);
  Inspection inspection(run, arguments, options);
  options.stop_after = stage_named(arguments.text("after"));
  const std::string file = arguments.path("output_file");
  core::ConvertResult result;
  TextOptions form;
  if (!file.empty() && is_replaceable(file)) {
    form.side_file = file + ".bin";
    unlink(form.side_file.c_str());  // to_text appends
  }
  std::string text;
  try {
    const core::GraphPtr g = core::prepare_model(run.session(), options, result);
    text = to_text(*g, form);
    Run::keep(g);
  } catch (core::Failure& f) {
    f.with("model", options.input_model);
    throw;
  }
  run.progress().clear();
  if (file.empty())
    print(text);
  else
    write_file(file, text);
}

}  // namespace mo::app
