#include "apps/mo-host/scaffold/names.hpp"

#include <algorithm>
#include <array>

#include "core/support/failure.hpp"

namespace mo::app {

namespace {

using core::Exit;
using core::Failure;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// They would be names of functions and variables.
constexpr std::array<std::string_view, 24> taken{"auto",     "bool",   "case",   "class", "const",  "default",
                                                 "delete",   "double", "else",   "float", "for",    "if",
                                                 "int",      "main",   "mo",     "new",   "plugin", "return",
                                                 "register", "short",  "static", "std",   "switch", "while"};

}  // namespace

std::string file_name_of(std::string_view name) {
  const auto fail = [&](const std::string& why) {
    return Failure(Exit::usage, "MO0133", "'" + std::string(name) + "' is no name: " + why)
        .with("hint", "names are like scaled_shift or ScaledShift, of letters, digits and underscores");
  };
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i] == '-' ? '_' : name[i];
    if (!is_lower(c) && !is_upper(c) && !is_digit(c) && c != '_')
      throw fail(std::string("it has '") + c + "' in it");
    const bool after_small = i > 0 && (is_lower(name[i - 1]) || is_digit(name[i - 1]));
    const bool before_small = i > 0 && is_upper(name[i - 1]) && i + 1 < name.size() && is_lower(name[i + 1]);
    if (is_upper(c) && (after_small || before_small)) out += '_';
    out += lower(c);
  }
  if (out.empty()) throw fail("it is empty");
  if (!is_lower(out.front())) throw fail("it does not begin with a letter");
  if (out.back() == '_' || out.find("__") != std::string::npos) throw fail("an underscore stands alone");
  if (out.size() > 60) throw fail("it is longer than 60 characters");
  if (std::find(taken.begin(), taken.end(), out) != taken.end())
    throw fail("it is a word with a meaning of its own");
  return out;
}

std::string type_name_of(std::string_view file_name) {
  std::string out;
  bool starts = true;
  for (const char c : file_name) {
    if (c != '_') out += starts && is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
    starts = c == '_';
  }
  return out;
}

void check_id(std::string_view id) {
  bool starts = true, good = !id.empty() && id.size() <= 120;
  for (const char c : id) {
    good = good && (is_lower(c) || (!starts && (is_digit(c) || c == '_' || c == '-' || c == '.')));
    starts = c == '.';
  }
  if (!good || starts || id.find('.') == std::string_view::npos)
    throw Failure(Exit::usage, "MO0134", "--id '" + std::string(id) + "' is no id of a plugin")
        .with("hint", "ids are a name of yours backwards, in lower case: com.acme.layers");
}

std::string domain_of(std::string_view id) {
  const size_t last = id.rfind('.');
  return std::string(std::count(id.begin(), id.end(), '.') > 1 ? id.substr(0, last) : id);
}

}  // namespace mo::app
