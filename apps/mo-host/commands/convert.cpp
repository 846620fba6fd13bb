#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/convert/conversion.hpp"
#include "apps/mo-host/convert/many_models.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/reports/conversion_report.hpp"

namespace mo::app {

void convert_command(Program& program, const Arguments& arguments) {
  if (arguments.has("manifest")) return convert_many(program, arguments);
  const Conversion c = convert_one(program, arguments);
  program.progress().clear();
  if (!program.silent() && c.cached)
    print("taken from the cache: " + c.result.ir.xml_path + ", " + c.result.ir.bin_path + "\n");
  if (!program.silent() && !c.cached) print(summary(program, c.options, c.result));
  if (!program.silent() && !c.page.empty()) print("  page       " + c.page + "\n");
  print(c.explanations);
  if (c.cached && !arguments.has("timing")) return;
  if (arguments.flag("profile") || is_switched_on("MO_PROFILE_PASS_ENABLE")) print(profile_text(c.result));
  if (arguments.has("timing"))
    print(arguments.text("timing") == "json" ? timing_json(program, c.result)
                                             : timing_text(program, c.result));
}

}  // namespace mo::app
