#pragma once

#include <string_view>

namespace mo::app {

class Arguments;
class Program;

// A command of the program, as data.
struct CommandRow {
  std::string_view name;
  std::string_view operands;  // "KIND", "[MODEL]"
  std::string_view summary;
  unsigned bit;          // for the table of options
  size_t most_operands;  // words that are no options
  bool loads_plugins;
  void (*run)(Program&, const Arguments&);
  std::string_view words = {};  // what may stand behind it, with blanks between, for completion
};

}  // namespace mo::app
