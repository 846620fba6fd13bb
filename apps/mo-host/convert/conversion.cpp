#include "apps/mo-host/convert/conversion.hpp"

#include "apps/mo-host/convert/cache.hpp"
#include "apps/mo-host/convert/depfile.hpp"
#include "apps/mo-host/model_options.hpp"
#include "apps/mo-host/print.hpp"

namespace mo::app {

namespace {

// What is asked for beside the result has to be seen happening.
bool may_be_known(const Arguments& a) {
  for (const char* name : {"explore", "explain", "profile", "dump_after", "transformations_config_update"})
    if (a.has(name)) return false;
  return !is_switched_on("MO_PROFILE_PASS_ENABLE") && !is_switched_on("MO_ENABLE_VISUALIZE_TRACING");
}

}  // namespace

Conversion convert_one(Run& run, const Arguments& arguments) {
  Conversion c;
  c.options = model_options(run, arguments);
  std::optional<Cache> cache;
  if (arguments.has("cache")) {
    cache.emplace(run, arguments, c.options);
    auto known = may_be_known(arguments) ? cache->find() : std::nullopt;
    if (known) {
      c.result = std::move(*known);
      c.cached = true;
      if (arguments.has("depfile")) write_depfile(arguments.path("depfile"), run, c.result.ir);
      return c;
    }
  }
  Inspection inspection(run, arguments, c.options);
  try {
    c.result = core::convert(run.session(), c.options);
  } catch (core::Failure& f) {
    run.progress().clear();
    print(inspection.explanations());
    // What is missing may be what a refused plugin offers.
    if (f.code().starts_with("MO04") || f.code() == "MO0206") f.with("refused", run.skipped_plugins());
    if (inspection.page() != nullptr) inspection.page()->write_failed(f);
    throw;
  }
  Run::keep(c.result.graph);
  if (cache) cache->keep(c.result);
  if (inspection.page() != nullptr) {
    inspection.page()->write(c.result);
    c.page = inspection.page()->file();
  }
  c.explanations = inspection.explanations();
  c.options.watch = nullptr;
  c.options.phase_started = {};
  if (arguments.has("depfile")) write_depfile(arguments.path("depfile"), run, c.result.ir);
  return c;
}

}  // namespace mo::app
