#include <fmt/format.h>

#include "apps/mo-host/commands.hpp"
#include "apps/mo-host/print.hpp"
#include "apps/mo-host/run.hpp"
#include "apps/mo-host/table.hpp"
#include "apps/mo-host/tables.hpp"
#include "core/support/nearest.hpp"

namespace mo::app {

namespace {

struct Kind {
  std::string_view name;
  Table (*make)(const Run&, const Arguments&);
};

constexpr Kind kinds[] = {
    {"plugins", plugin_table},       {"ops", operation_table},
    {"extractors", extractor_table}, {"transformations", transformation_table},
    {"frontends", frontend_table},   {"options", option_table},
};

const Kind& kind_named(const std::vector<std::string>& operands) {
  std::vector<std::string> known;
  std::string all;
  for (const Kind& k : kinds) {
    if (!operands.empty() && operands.front() == k.name) return k;
    known.emplace_back(k.name);
    all += (all.empty() ? "" : ", ") + known.back();
  }
  if (operands.empty())
    throw core::Failure(core::Exit::usage, "MO0116", "list what?").with("hint", "one of " + all);
  const std::string guess = core::did_you_mean(operands.front(), known);
  throw core::Failure(core::Exit::usage, "MO0116", "there is no list of '" + operands.front() + "'")
      .with("hint", guess.empty() ? "one of " + all : guess);
}

}  // namespace

void list_command(Run& run, const Arguments& arguments) {
  const Table t = kind_named(arguments.operands()).make(run, arguments);
  const std::string format = arguments.text("format");
  print(format == "json" ? as_json(t) : format == "md" ? as_markdown(t) : as_text(t));
}

}  // namespace mo::app
