// What the user wrote, taken apart by the table of options.
#pragma once

#include "apps/session/options.hpp"

namespace mo::app {

class Arguments {
 public:
  bool has(std::string_view name) const { return given_.contains(name); }
  bool flag(std::string_view name) const { return has(name); }
  // As given, or the default of the table.
  std::string text(std::string_view name) const;
  // Of an option that takes a number; `hand_to` has refused what is none.
  int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  // Resolved; empty when neither given nor a default.
  std::string path(std::string_view name) const;
  std::vector<std::string> paths(std::string_view name) const;
  const std::vector<std::string>& operands() const { return operands_; }
  // Options of plugins and, as text, those of the program: what plugins may ask for.
  void hand_to(core::Session&) const;
  // Old options that were given and change nothing: what to tell the user.
  std::vector<std::string> notes() const;
  // All that were given, by name.
  const std::map<std::string, std::string, std::less<>>& given() const { return given_; }
  const std::vector<OptionRow>& rows() const { return rows_; }

 private:
  friend Arguments parse_arguments(const std::vector<std::string>&, const std::vector<OptionRow>&, size_t);
  std::vector<OptionRow> rows_;
  std::map<std::string, std::string, std::less<>> given_;
  std::vector<std::string> operands_;
};

// Long options may be shortened as long as only one fits. Failure (Exit::usage) with what may have been
// meant.
Arguments parse_arguments(const std::vector<std::string>& words, const std::vector<OptionRow>& rows,
                          size_t most_operands);

// The words with long options at full length; used by parse_arguments.
std::vector<std::string> complete_names(const std::vector<std::string>& words,
                                        const std::vector<OptionRow>& rows);

// Of `--flag=False` and `--flag False`, as ovc has them; nothing where it is no such word.
std::optional<bool> truth_of(std::string_view word);

}  // namespace mo::app
