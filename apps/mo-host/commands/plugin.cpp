// Finds the word and gives it what stands behind it.
#include <fmt/format.h>

#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/plugin/words.hpp"
#include "core/support/nearest.hpp"

namespace mo::app {

namespace {

std::string words_text() {
  std::string out;
  for (const WordRow& w : plugin_words())
    out += fmt::format("{}{:<24}{}", out.empty() ? "" : "\n", fmt::format("{} {}", w.name, w.operands),
                       wrapped(w.summary, 24, 90));
  return out;
}

const WordRow& word_named(const std::vector<std::string>& operands) {
  std::vector<std::string> known;
  for (const WordRow& w : plugin_words()) {
    if (!operands.empty() && operands.front() == w.name) return w;
    known.emplace_back(w.name);
  }
  if (operands.empty())
    throw core::Failure(core::Exit::usage, "MO0120", "plugin what?").with("words", words_text());
  throw core::Failure(core::Exit::usage, "MO0120", "`plugin` has no word '" + operands.front() + "'")
      .with("hint", core::did_you_mean(operands.front(), known))
      .with("words", words_text());
}

}  // namespace

void plugin_command(Program& program, const Arguments& arguments) {
  const WordRow& word = word_named(arguments.operands());
  const std::vector<std::string> operands(arguments.operands().begin() + 1, arguments.operands().end());
  if (operands.size() < word.least)
    throw core::Failure(core::Exit::usage, "MO0120",
                        fmt::format("something is missing after `plugin {}`", word.name))
        .with("hint", fmt::format("mo-host plugin {} {}", word.name, word.operands));
  if (operands.size() > word.most)
    throw core::Failure(core::Exit::usage, "MO0107", "'" + operands[word.most] + "' is one word too many")
        .with("hint", fmt::format("mo-host plugin {} {}", word.name, word.operands));
  word.run(program, arguments, operands);
}

}  // namespace mo::app
