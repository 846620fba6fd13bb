#include <fmt/format.h>

#include "apps/frontends/choose_frontend.hpp"
#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/models/used_by.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/output/table.hpp"
#include "apps/mo-host/program/program.hpp"
#include "apps/mo-host/reports/lists.hpp"
#include "apps/mo-host/reports/operation_reference.hpp"
#include "apps/mo-host/reports/transformation_reference.hpp"
#include "core/convert/convert.hpp"
#include "core/support/nearest.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

struct Kind {
  std::string_view name;
  Table (*make)(const Program&, const Arguments&);
};

constexpr Kind kinds[] = {
    {"plugins", plugin_table},
    {"operators", source_operator_table},
    {"extractors", source_operator_table},  // the same: who asks for them means operators
    {"ops", operation_table},
    {"transformations", transformation_table},
    {"frontends", frontend_table},
    {"options", option_table},
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

void list_command(Program& program, const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.operands();
  const Kind& kind = kind_named(words);
  if (arguments.has("used_by")) {
    if (kind.make != transformation_table)
      throw core::Failure(core::Exit::usage, "MO0116", "--used_by is for `list transformations`");
    std::vector<std::string> models{arguments.path("used_by")};
    for (size_t i = 1; i < words.size(); ++i) models.push_back(core::resolve_path(words[i]));
    std::string ids;
    for (const std::string& id : used_by(program, models, arguments.text("framework"))) ids += id + "\n";
    return print(ids);
  }
  if (arguments.has("target") && kind.make != operation_table)
    throw core::Failure(core::Exit::usage, "MO0116", "--target is for `list ops`");
  if (arguments.flag("where") && kind.make != operation_table && kind.make != source_operator_table &&
      kind.make != transformation_table)
    throw core::Failure(core::Exit::usage, "MO0116",
                        "--where is for `list operators`, `list ops` and `list transformations`");
  if (words.size() > 1)
    throw core::Failure(core::Exit::usage, "MO0107", "'" + words[1] + "' is one word too many");
  if (arguments.has("framework"))
    (void)frontend_named(program.session().registry(), arguments.text("framework"));
  const std::string format = arguments.text("format");
  const bool in_full = format == "md" && !arguments.flag("where");
  const Table t =
      in_full && kind.make == operation_table ? operation_reference(program) : kind.make(program, arguments);
  std::string text = format == "json" ? as_json(t) : format == "md" ? as_markdown(t) : as_text(t);
  if (in_full && kind.make == transformation_table && !arguments.flag("order"))
    text += transformation_reference(program.session());
  print(text);
}

}  // namespace mo::app
