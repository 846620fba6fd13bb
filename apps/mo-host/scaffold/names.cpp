#include "apps/mo-host/scaffold/names.hpp"

#include <algorithm>

#include "core/support/failure.hpp"

namespace mo::app {

namespace {

using core::Exit;
using core::Failure;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// Words of C++ and of what builds it, and files that every project has.
constexpr std::string_view taken[] = {
    "all",           "auto",       "bool",     "break",    "case",     "catch",     "char",
    "class",         "clean",      "const",    "continue", "default",  "delete",    "do",
    "double",        "edit_cache", "else",     "enum",     "explicit", "extern",    "false",
    "float",         "for",        "friend",   "goto",     "help",     "if",        "inline",
    "install",       "int",        "items",    "long",     "main",     "mo",        "namespace",
    "new",           "operator",   "package",  "plugin",   "private",  "protected", "public",
    "rebuild_cache", "register",   "return",   "short",    "signed",   "sizeof",    "static",
    "std",           "struct",     "switch",   "template", "test",     "this",      "throw",
    "true",          "try",        "typedef",  "typename", "union",    "unsigned",  "using",
    "virtual",       "void",       "volatile", "while"};

}  // namespace

std::string file_name_of(std::string_view name) {
  const auto fail = [&](const std::string& why) {
    return Failure(Exit::usage, "MO0133", "'" + std::string(name) + "' is not a name: " + why)
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
  if (std::find(std::begin(taken), std::end(taken), out) != std::end(taken))
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
    throw Failure(Exit::usage, "MO0134", "--id '" + std::string(id) + "' is not an id of a plugin")
        .with("hint", "ids are a name of yours backwards, in lower case: com.acme.layers");
}

std::string domain_of(std::string_view id) {
  const size_t last = id.rfind('.');
  return std::string(std::count(id.begin(), id.end(), '.') > 1 ? id.substr(0, last) : id);
}

}  // namespace mo::app
