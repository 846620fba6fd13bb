#include <fmt/format.h>

#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/convert/conversion.hpp"
#include "apps/mo-host/convert/many_models.hpp"
#include "apps/mo-host/models/model_options.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/reports/conversion_report.hpp"
#include "core/ir/emitter.hpp"

namespace mo::app {

namespace {

// --dry_run: all that can go wrong does, but for the disk.
void convert_without_writing(Program& program, const Arguments& arguments) {
  const core::ConvertOptions options = model_options(program, arguments);
  core::ConvertResult result;
  try {
    const core::GraphPtr g = core::prepare_model(program.session(), options, result);
    Program::keep(g);
    core::check_ir(program.session(), *g, options.emit);
    program.progress().clear();
    if (!program.silent())
      print(fmt::format("would write {0}/{1}.xml, {0}/{1}.bin: {2} layers from {3} nodes of {4}\n",
                        ir_place(arguments).folder, file_stem(options.emit.model_name), g->size(),
                        result.source_nodes, result.framework));
  } catch (core::Failure& f) {
    throw f.with("model", options.input_model);
  }
}

}  // namespace

void convert_command(Program& program, const Arguments& arguments) {
  if (arguments.flag("dry_run") && arguments.has("manifest"))
    throw core::Failure(core::Exit::usage, "MO0118", "--dry_run does not go together with --manifest");
  if (arguments.has("manifest")) return convert_many(program, arguments);
  if (arguments.flag("dry_run")) return convert_without_writing(program, arguments);
  if (arguments.text("format") == "json") return convert_as_line(program, arguments);
  const Conversion c = convert_one(program, arguments);
  program.progress().clear();
  if (!program.silent() && c.cached)
    print("taken from the cache: " + c.files.xml + ", " + c.files.bin + "\n");
  if (!program.silent() && !c.cached) print(summary(program, c.options, c.result, c.files));
  if (!program.silent() && !c.page.empty()) print("  page       " + c.page + "\n");
  print(c.explanations);
  if (c.cached && !arguments.has("timing")) return;
  if (arguments.flag("profile") || is_switched_on("MO_PROFILE_PASS_ENABLE")) print(profile_text(c.result));
  if (arguments.has("timing"))
    print(arguments.text("timing") == "json" ? timing_json(program, c.result)
                                             : timing_text(program, c.result));
}

}  // namespace mo::app
