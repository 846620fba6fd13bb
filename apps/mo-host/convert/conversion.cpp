#include "apps/mo-host/convert/conversion.hpp"

#include "apps/mo-host/convert/cache.hpp"
#include "apps/mo-host/convert/depfile.hpp"
#include "apps/mo-host/models/model_options.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/session/convert_options.hpp"

namespace mo::app {

namespace {

// What is asked for beside the result has to be seen happening.
bool may_be_known(const Arguments& a) {
  for (const char* name : {"explore", "explain", "profile", "dump_after", "transformations_config_update"})
    if (a.has(name)) return false;
  return !is_switched_on("MO_PROFILE_PASS_ENABLE") && !is_switched_on("MO_ENABLE_VISUALIZE_TRACING");
}

}  // namespace

Conversion convert_one(Program& program, const Arguments& arguments) {
  Conversion c;
  c.options = model_options(program, arguments);
  std::optional<Cache> cache;
  if (arguments.has("cache")) {
    cache.emplace(program, arguments, c.options);
    auto known = may_be_known(arguments) ? cache->find() : std::nullopt;
    if (known) {
      c.result = std::move(known->result);
      c.files = std::move(known->files);
      c.cached = true;
      if (arguments.has("depfile")) write_depfile(arguments.path("depfile"), program, c.files);
      return c;
    }
  }
  TransformationWatch watch(program, arguments, c.options);
  try {
    IrFiles files(program.session(), ir_place(arguments));
    c.result = core::convert(program.session(), c.options, files);
    c.files = files.paths();
  } catch (core::Failure& f) {
    program.progress().clear();
    print(watch.explanations());
    // What is missing may be what a refused plugin offers.
    if (f.code().starts_with("MO04") || f.code() == "MO0206") f.with("refused", program.skipped_plugins());
    if (watch.page() != nullptr) watch.page()->write_failed(f);
    throw;
  }
  Program::keep(c.result.graph);
  // What names its own files writes others beside them, which a cache does not know.
  if (cache && c.result.graph->name() == c.options.emit.model_name) cache->keep(c.result, c.files);
  if (watch.page() != nullptr) {
    watch.page()->write(c.result, c.files);
    c.page = watch.page()->file();
  }
  c.explanations = watch.explanations();
  c.options.watch = nullptr;
  c.options.phase_started = {};
  if (arguments.has("depfile")) write_depfile(arguments.path("depfile"), program, c.files);
  return c;
}

}  // namespace mo::app
