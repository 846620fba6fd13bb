// What `mo-host plugin` can do: one row and one file per word.
#pragma once

#include "apps/session/arguments.hpp"

namespace mo::app {

class Program;

struct WordRow {
  std::string_view name;
  std::string_view operands;  // "FILE"
  std::string_view summary;
  size_t least, most;  // operands behind the word
  void (*run)(Program&, const Arguments&, const std::vector<std::string>& operands);
};

std::span<const WordRow> plugin_words();

void list_word(Program&, const Arguments&, const std::vector<std::string>&);
void inspect_word(Program&, const Arguments&, const std::vector<std::string>&);
void audit_word(Program&, const Arguments&, const std::vector<std::string>&);
void lock_word(Program&, const Arguments&, const std::vector<std::string>&);
void why_word(Program&, const Arguments&, const std::vector<std::string>&);
void check_word(Program&, const Arguments&, const std::vector<std::string>&);
void manifest_word(Program&, const Arguments&, const std::vector<std::string>&);
void note_word(Program&, const Arguments&, const std::vector<std::string>&);
void release_word(Program&, const Arguments&, const std::vector<std::string>&);

}  // namespace mo::app
