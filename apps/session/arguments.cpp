#include "apps/session/arguments.hpp"

#include <CLI/CLI.hpp>

#include "core/support/nearest.hpp"
#include "core/support/numbers.hpp"
#include "core/support/paths.hpp"
#include "core/support/split.hpp"

namespace mo::app {

namespace {

bool same_word(std::string_view a, std::string_view b) { return core::edit_distance(a, b, 0) == 0; }

// The choice as the table spells it.
std::string checked_choice(const OptionRow& row, const std::string& value) {
  const auto choices = core::split(row.shown, '|');
  for (const std::string& c : choices)
    if (same_word(c, value)) return c;
  throw core::Failure(
      core::Exit::usage, "MO0104",
      "--" + std::string(row.name) + " is '" + value + "'; expected " + std::string(row.shown))
      .with("hint", core::did_you_mean(value, choices));
}

template <class T>
T number(const OptionRow& row, const std::string& value) {
  if (const auto v = core::parse_number<T>(value)) return *v;
  throw core::Failure(core::Exit::usage, "MO0104",
                      "--" + std::string(row.name) + " is '" + value + "'; expected a " +
                          (row.takes == Takes::integer ? "whole number" : "number"));
}

core::Attribute attribute_of(const OptionRow& row, const std::string& value) {
  switch (row.takes) {
    case Takes::nothing:
      return true;
    case Takes::integer:
      return number<int64_t>(row, value);
    case Takes::real:
      return number<double>(row, value);
    case Takes::list:
      return core::split(value);
    case Takes::path:
      return core::resolve_path(value);
    default:
      return value;
  }
}

}  // namespace

std::string Arguments::text(std::string_view name) const {
  if (const auto it = given_.find(name); it != given_.end()) return it->second;
  for (const OptionRow& r : rows_)
    if (r.name == name) return std::string(r.fallback);
  return {};
}

int64_t Arguments::integer(std::string_view name) const {
  return core::parse_number<int64_t>(text(name)).value_or(0);
}

double Arguments::real(std::string_view name) const {
  return core::parse_number<double>(text(name)).value_or(0);
}

std::string Arguments::path(std::string_view name) const { return core::resolve_path(text(name)); }

std::vector<std::string> Arguments::paths(std::string_view name) const {
  std::vector<std::string> list;
  for (const std::string& p : core::split(text(name))) list.push_back(core::resolve_path(p));
  return list;
}

std::vector<std::string> Arguments::notes() const {
  std::vector<std::string> list;
  for (const OptionRow& r : rows_)
    if (r.old == Old::ignored && has(r.name))
      list.push_back("--" + std::string(r.name) + " has no effect: " + std::string(r.help));
  return list;
}

void Arguments::hand_to(core::Session& session) const {
  for (const OptionRow& r : rows_)
    if (const auto it = given_.find(r.name); it != given_.end() && r.old == Old::no)
      session.set_option(r.name, attribute_of(r, it->second));
}

Arguments parse_arguments(const std::vector<std::string>& words, const std::vector<OptionRow>& rows,
                          size_t most_operands) {
  Arguments out;
  out.rows_ = rows;
  CLI::App app;
  app.set_help_flag();
  std::deque<std::string> values(rows.size());
  std::vector<CLI::Option*> options;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string name = "--" + std::string(rows[i].name);
    CLI::Option* o =
        rows[i].takes == Takes::nothing ? app.add_flag(name) : app.add_option(name, values[i])->expected(1);
    options.push_back(o->take_last());
  }
  app.add_option("operands", out.operands_);
  std::vector<std::string> complete = complete_names(words, rows);
  std::reverse(complete.begin(), complete.end());
  try {
    app.parse(complete);
  } catch (const CLI::ParseError& e) {
    throw core::Failure(core::Exit::usage, "MO0103", e.what());
  }
  if (out.operands_.size() > most_operands)
    throw core::Failure(core::Exit::usage, "MO0107",
                        "'" + out.operands_[most_operands] + "' is one word too many")
        .with("hint", "options begin with --; quote values that have blanks");
  for (size_t i = 0; i < rows.size(); ++i) {
    if (options[i]->count() == 0) continue;
    if (rows[i].old == Old::refused)
      throw core::Failure(core::Exit::usage, "MO0119", "mo-host has no --" + std::string(rows[i].name))
          .with("hint", std::string(rows[i].help));
    std::string value = rows[i].takes == Takes::choice ? checked_choice(rows[i], values[i]) : values[i];
    out.given_.emplace(rows[i].name, std::move(value));
  }
  return out;
}

}  // namespace mo::app
