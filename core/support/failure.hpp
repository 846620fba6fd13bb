// What a user is told when something cannot be done: message, where, and what to try. Texts that come from
// files may be in it: here is where they become printable, and where they are cut.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mo::core {

// Documented in the manual; scripts rely on them.
enum class Exit : int {
  ok = 0,
  model = 1,        // the model cannot be converted as asked
  usage = 2,        // options are wrong
  plugin = 3,       // a plugin is broken, missing or refused
  output = 4,       // the result cannot be written
  unsupported = 5,  // `check`: some operation of the model has no converter
  internal = 70     // a bug of ours
};

// Labels and texts of lines.
using ContextLines = std::vector<std::pair<std::string, std::string>>;
std::string in_lines(const ContextLines&);

class Failure : public std::exception {
 public:
  Failure(Exit exit, std::string code, std::string_view message);

  // One line of context: label ("node", "place", "plugin", "model", "hint") and text. Lines are added from
  // inside to outside; a label that is already there is not added again, so that the innermost layer decides.
  Failure& with(std::string_view label, std::string_view text);
  bool has(std::string_view label) const;
  std::string context_of(std::string_view label) const;  // "" when there is none

  Exit exit() const { return exit_; }
  const std::string& code() const { return code_; }
  const std::string& message() const { return message_; }
  const ContextLines& context() const { return context_; }
  // "error MO0101: message" and one indented line per context.
  std::string render() const;
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  Exit exit_;
  std::string code_, message_;
  ContextLines context_;
};

// What an exception of a library says, without the library's own words around it.
std::string reason_of(const std::exception&);

}  // namespace mo::core
