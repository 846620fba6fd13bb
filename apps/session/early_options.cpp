#include "apps/session/early_options.hpp"

#include <algorithm>

#include "apps/session/arguments.hpp"
#include "apps/session/options.hpp"
#include "core/support/numbers.hpp"
#include "core/support/paths.hpp"
#include "core/support/split.hpp"

namespace mo::app {

namespace {

// The option of the program that a word names, in full or as far as one can tell without the plugins'
// options.
const OptionRow* row_of(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');  // --simulate-abi is --simulate_abi
  const OptionRow* found = nullptr;
  for (const OptionRow& r : host_options()) {
    if (r.name == name) return &r;
    if (name.empty() || !r.name.starts_with(name)) continue;
    if (found != nullptr) return nullptr;
    found = &r;
  }
  return found;
}

double seconds_of(const OptionRow& row, const std::string& value) {
  constexpr double longest = 86400;
  const auto seconds = core::parse_number<double>(value);
  if (!seconds || !(*seconds > 0 && *seconds <= longest))
    throw core::Failure(core::Exit::usage, "MO0104",
                        "--" + std::string(row.name) + " is '" + value +
                            "'; expected seconds, more than 0 and at most 86400");
  return *seconds;
}

// -q and -v, which have to be known before the plugins' short names are.
const OptionRow* row_of_letter(const std::string& word) {
  if (word.size() == 2 && word[0] == '-')
    for (const OptionRow& r : host_options())
      if (r.takes == Takes::nothing && r.letters.find(word[1]) != std::string_view::npos) return &r;
  return nullptr;
}

}  // namespace

// Mistakes are left to parse_arguments, which sees everything.
EarlyOptions scan_early(const std::vector<std::string>& words) {
  EarlyOptions early;
  bool is_verbose = false;
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const bool is_long = words[i].starts_with("--");
    const size_t equals = words[i].find('=');
    const OptionRow* row = is_long
                               ? row_of(words[i].substr(2, equals == std::string::npos ? equals : equals - 2))
                               : row_of_letter(words[i]);
    if (row == nullptr) continue;
    if (row->takes == Takes::nothing && truth_of(equals != std::string::npos ? words[i].substr(equals + 1)
                                                 : i + 1 < words.size()      ? words[i + 1]
                                                                             : "") == false)
      continue;
    if (row->name == "silent") early.silent = true;
    if (row->name == "verbose") is_verbose = true;
    if (row->name == "allow_writable_folders") early.allow_writable_folders = true;
    if (row->name == "locked") early.locked = true;
    if (row->takes == Takes::nothing) continue;
    if (equals == std::string::npos && i + 1 == words.size()) break;
    const std::string value = equals != std::string::npos ? words[i].substr(equals + 1) : words[++i];
    if (row->name == "extensions") {
      early.extensions = core::split(value);
      for (std::string& path : *early.extensions) path = core::resolve_path(path);
    }
    if (row->name == "probe_timeout") early.probe_timeout = seconds_of(*row, value);
    if (row->name == "prefer") early.prefer = core::split(value);
    if (row->name == "simulate_abi") early.simulate_abi = value;
    if (row->name == "isolate") early.isolation.ids = core::split(value);
    if (row->name == "isolate_timeout") early.isolation.seconds = seconds_of(*row, value);
    if (row->name == "log_level") {
      early.log_level.clear();
      for (const char c : value)
        early.log_level += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
  }
  if (is_verbose && early.log_level == EarlyOptions().log_level) early.log_level = "INFO";
  return early;
}

}  // namespace mo::app
