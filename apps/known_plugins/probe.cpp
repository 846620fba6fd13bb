#include "apps/known_plugins/probe.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "apps/known_plugins/elf_file.hpp"
#include "apps/known_plugins/failure_json.hpp"
#include "apps/known_plugins/probe_child.hpp"
#include "apps/processes/run_in_copy.hpp"
#include "apps/processes/signals.hpp"
#include "core/registry/refusal.hpp"

namespace mo::app {

namespace {

using nlohmann::json;

constexpr size_t kept_of_output = 4096, shown_lines = 8;

// The answer's texts, each ended by a zero byte.
std::vector<std::string> texts_in(std::string_view answer) {
  std::vector<std::string> texts;
  for (size_t end = answer.find('\0'); end != std::string::npos; end = answer.find('\0')) {
    texts.emplace_back(answer.substr(0, end));
    answer.remove_prefix(end + 1);
  }
  return texts;
}

bool is_whole(std::string_view answer) { return std::count(answer.begin(), answer.end(), '\0') >= 2; }

std::string last_lines(std::string said) {
  if (said.size() > kept_of_output) said.erase(0, said.size() - kept_of_output);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  size_t at = said.size();
  for (size_t lines = 0; at > 0; --at)
    if (said[at - 1] == '\n' && ++lines == shown_lines) break;
  said.erase(0, at);
  for (char& c : said)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || static_cast<unsigned char>(c) > 0x7e) c = '?';
  return said;
}

core::Failure not_started(const std::system_error& e) {
  return refusal(core::Rule::probe_not_started,
                 text("the process that loads a plugin first cannot be started: ", e.what()));
}

core::Failure ended(int status, bool in_time, std::chrono::milliseconds limit) {
  if (!in_time)
    return refusal(core::Rule::probe_hangs,
                   text("the plugin had not loaded after ", static_cast<double>(limit.count()) / 1000,
                        " s; expected that loading only registers, which takes no time"));
  if (WIFSIGNALED(status))
    return refusal(core::Rule::probe_crashed,
                   text("the plugin crashed while it was loaded (", meaning_of(WTERMSIG(status)), ", signal ",
                        WTERMSIG(status), ")"));
  return refusal(core::Rule::probe_exited,
                 text("the plugin ended the process while it was loaded (exit code ", WEXITSTATUS(status),
                      "); expected a status given to the host"));
}

// Who it is may be known although it could not say so.
void name_plugin(core::Failure& f, const core::FoundPlugin& found) {
  if (f.has("plugin")) return;
  if (const auto note = read_plugin_note(found.canonical))
    f.with("plugin", text(note->id, " ", note->version));
}

}  // namespace

Probed probe_plugin(const core::Session& session, const core::FoundPlugin& found, const ProbeRules& rules) {
  Probed result;
  Copied copied;
  try {
    copied = run_in_copy([&](int answer_to) { run_probe(session, found, rules, answer_to); },
                         {.time = rules.limit, .is_whole = is_whole});
  } catch (const std::system_error& e) {
    result.refused = not_started(e);
    return result;
  }
  const std::vector<std::string> answers = texts_in(copied.answer);
  const bool whole = answers.size() == 2;
  try {
    if (!answers.empty()) {
      const json first = json::parse(answers[0]);
      if (first.is_array())
        result.libraries = first.get<std::vector<std::string>>();
      else
        result.refused = failure_from(first);
    }
    if (whole) {
      const json last = json::parse(answers[1]);
      if (last.contains("code")) {
        result.refused = failure_from(last);
      } else {
        result.manifest = last.at("manifest").get<std::string>();
        result.digest = last.at("digest").get<std::string>();
        result.only_operations = last.at("only_operations").get<bool>();
      }
    }
  } catch (const json::exception& e) {
    result.refused =
        refusal(core::Rule::probe_crashed,
                text("the answer of the process that loaded it is spoilt: ", core::reason_of(e)));
  }
  if (!whole && !result.refused) {
    result.refused = ended(copied.status, copied.in_time, rules.limit);
    name_plugin(*result.refused, found);
    if (const std::string lines = last_lines(copied.said); !lines.empty())
      result.refused->with("said", lines);
  }
  return result;
}

}  // namespace mo::app
