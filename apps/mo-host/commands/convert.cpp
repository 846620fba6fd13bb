#include "apps/mo-host/commands.hpp"
#include "apps/mo-host/convert/conversion.hpp"
#include "apps/mo-host/convert/many_models.hpp"
#include "apps/mo-host/print.hpp"
#include "apps/mo-host/report.hpp"

namespace mo::app {

void convert_command(Run& run, const Arguments& arguments) {
  if (arguments.has("manifest")) return convert_many(run, arguments);
  const Conversion c = convert_one(run, arguments);
  run.progress().clear();
  if (!run.silent() && c.cached)
    print("taken from the cache: " + c.result.ir.xml_path + ", " + c.result.ir.bin_path + "\n");
  if (!run.silent() && !c.cached) print(summary(run, c.options, c.result));
  if (!run.silent() && !c.page.empty()) print("  page       " + c.page + "\n");
  print(c.explanations);
  if (c.cached && !arguments.has("timing")) return;
  if (arguments.flag("profile") || is_switched_on("MO_PROFILE_PASS_ENABLE")) print(profile_text(c.result));
  if (arguments.has("timing"))
    print(arguments.text("timing") == "json" ? timing_json(run, c.result) : timing_text(run, c.result));
}

}  // namespace mo::app
