#include <unistd.h>

#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/models/model_options.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/output/write_file.hpp"
#include "apps/mo-host/watch/transformation_watch.hpp"
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

void dump_command(Program& program, const Arguments& arguments) {
  core::ConvertOptions options = model_options(program, arguments);
  TransformationWatch watch(program, arguments, options);
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
    const core::GraphPtr g = core::prepare_model(program.session(), options, result);
    text = to_text(*g, form);
    Program::keep(g);
  } catch (core::Failure& f) {
    f.with("model", options.input_model);
    throw;
  }
  program.progress().clear();
  if (file.empty())
    print(text);
  else
    write_file(file, text);
}

}  // namespace mo::app
