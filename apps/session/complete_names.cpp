#include "apps/session/arguments.hpp"
#include "apps/session/old_options.hpp"
#include "core/support/nearest.hpp"

#include <algorithm>

namespace mo::app {

namespace {

core::Failure unknown(const std::string& word, const std::vector<OptionRow>& rows) {
  core::Failure f(core::Exit::usage, "MO0101", "unknown option '" + word + "'");
  std::vector<std::string> known;
  for (const OptionRow& r : rows)
    if (r.old == Old::no) known.push_back("--" + std::string(r.name));
  const std::string guess = core::did_you_mean(word, known);
  f.with("hint",
         guess.empty()
             ? "`mo-host help` lists the options; those of plugins are there when the plugin is loaded"
             : guess);
  return f;
}

// The documents know these options with a framework in front, though nothing about them is one framework's.
std::string_view without_framework(std::string_view name) {
  if (name.ends_with("_custom_operations_config_update")) return "transformations_config_update";
  if (name.ends_with("_use_custom_operations_config")) return "transformations_config";
  return name;
}

// `said` may end with "=VALUE".
const OptionRow& by_long_name(const std::string& said, const std::vector<OptionRow>& rows) {
  const std::string word = said.substr(0, said.find('='));
  std::string wanted(without_framework(std::string_view(word).substr(2)));
  std::replace(wanted.begin(), wanted.end(), '-', '_');  // --stop-after is --stop_after
  std::vector<const OptionRow*> fits;
  for (const OptionRow& r : rows) {
    if (r.name == wanted) return r;
    if (!wanted.empty() && r.name.starts_with(wanted)) fits.push_back(&r);
  }
  if (fits.empty()) throw unknown(word, rows);
  if (fits.size() == 1) return *fits.front();
  std::string list;
  for (const OptionRow* r : fits) list += (list.empty() ? "--" : ", --") + std::string(r->name);
  throw core::Failure(core::Exit::usage, "MO0102", "'" + word + "' is short for several options: " + list);
}

const OptionRow& by_letter(const std::string& word, const std::vector<OptionRow>& rows) {
  for (const OptionRow& r : rows)
    if (r.letters.find(word[1]) != std::string_view::npos) return r;
  throw unknown(word, rows);
}

// "-ms" is -ms before it is -m with the value "s".
const OptionRow* by_short_name(const std::string& word, const std::vector<OptionRow>& rows) {
  for (const ShortName& s : short_names())
    for (const OptionRow& r : rows)
      if (s.word == word && r.name == s.name) return &r;
  return nullptr;
}

}  // namespace

std::optional<bool> truth_of(std::string_view word) {
  if (core::edit_distance(word, "true", 0) == 0) return true;
  if (core::edit_distance(word, "false", 0) == 0) return false;
  return std::nullopt;
}

std::vector<std::string> complete_names(const std::vector<std::string>& words,
                                        const std::vector<OptionRow>& rows) {
  std::vector<std::string> out;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& w = words[i];
    if (w.size() < 2 || w[0] != '-' || w == "--") {
      out.push_back(w);
      if (w != "--") continue;
      out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    const bool is_long = w[1] == '-';
    const size_t equals = is_long ? w.find('=') : std::string::npos;
    const OptionRow* named = by_short_name(w, rows);
    const OptionRow& row = named != nullptr ? *named : is_long ? by_long_name(w, rows) : by_letter(w, rows);
    const bool attached = is_long ? equals != std::string::npos : named == nullptr && w.size() > 2;
    if (row.takes == Takes::nothing) {
      std::optional<bool> is_on = attached && is_long ? truth_of(w.substr(equals + 1)) : std::nullopt;
      if (attached && !is_on)
        throw core::Failure(core::Exit::usage, "MO0103",
                            "option '--" + std::string(row.name) + "' takes no value");
      if (!attached && i + 1 < words.size() && (is_on = truth_of(words[i + 1]))) ++i;
      if (is_on.value_or(true)) out.push_back("--" + std::string(row.name));
      continue;
    }
    out.push_back("--" + std::string(row.name));
    if (attached) {
      out.push_back(w.substr(is_long ? equals + 1 : 2));
      continue;
    }
    if (i + 1 == words.size())
      throw core::Failure(core::Exit::usage, "MO0103", "option '" + w + "' needs a value: " + signature(row));
    out.push_back(words[++i]);
  }
  return out;
}

}  // namespace mo::app
