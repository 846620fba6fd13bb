#include "apps/known_plugins/probe.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "apps/known_plugins/elf_file.hpp"
#include "apps/known_plugins/failure_json.hpp"
#include "apps/known_plugins/probe_child.hpp"
#include "core/registry/refusal.hpp"
#include "core/support/descriptor.hpp"
#include "core/support/signals.hpp"

namespace mo::core {

namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr size_t largest_answer = 64U << 20U, kept_of_output = 4096, shown_lines = 8;

// What came through both pipes until the answer was whole, the process ended, or time was up.
struct Heard {
  std::vector<std::string> answers;
  std::string said;
  bool in_time = true;
};

using Deadline = steady_clock::time_point;

// False at the end of the pipe.
bool take(Descriptor& from, std::string& to) {
  char part[4096];
  const ssize_t n = ::read(from.get(), part, sizeof part);
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) {
    from.close();
    return false;
  }
  to.append(part, static_cast<size_t>(n));
  return true;
}

Heard listen(Descriptor& answer, Descriptor& said, Deadline deadline) {
  Heard heard;
  std::string part;
  while (answer.get() >= 0 && heard.answers.size() < 2 && part.size() <= largest_answer) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
    std::array<pollfd, 2> waiting{{{answer.get(), POLLIN, 0}, {said.get(), POLLIN, 0}}};
    const int ready =
        left <= 0 ? 0 : poll(waiting.data(), waiting.size(), static_cast<int>(std::min<long>(left, INT_MAX)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      heard.in_time = false;
      break;
    }
    if (waiting[1].revents != 0) {
      (void)take(said, heard.said);
      if (heard.said.size() > 2 * kept_of_output) heard.said.erase(0, heard.said.size() - kept_of_output);
    }
    if (waiting[0].revents == 0 || !take(answer, part)) continue;
    for (size_t end = part.find('\0'); end != std::string::npos; end = part.find('\0')) {
      heard.answers.push_back(part.substr(0, end));
      part.erase(0, end + 1);
    }
  }
  // What it said last may still be on its way.
  if (said.get() >= 0) {
    (void)fcntl(said.get(), F_SETFL, O_NONBLOCK);
    while (heard.said.size() < 16 * kept_of_output && take(said, heard.said)) {
    }
  }
  return heard;
}

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

// One that has closed its end of the pipe may go on all the same.
int wait_for(pid_t child, Deadline deadline, bool& in_time) {
  int status = 0;
  for (;;) {
    const bool over = !in_time || steady_clock::now() >= deadline;
    if (over) kill(-child, SIGKILL);
    const pid_t ended = waitpid(child, &status, over ? 0 : WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return status;
    if (ended == 0 && steady_clock::now() >= deadline) in_time = false;
    if (ended == 0 && in_time) usleep(1000);
  }
}

Failure not_started(const char* what, int error) {
  return refusal(
      Rule::probe_not_started,
      text("the process that loads a plugin first cannot be started: ", what, ": ", std::strerror(error)));
}

Failure ended(int status, bool in_time, std::chrono::milliseconds limit) {
  if (!in_time)
    return refusal(Rule::probe_hangs,
                   text("the plugin had not loaded after ", static_cast<double>(limit.count()) / 1000,
                        " s; expected that loading only registers, which takes no time"));
  if (WIFSIGNALED(status))
    return refusal(Rule::probe_crashed,
                   text("the plugin crashed while it was loaded (", meaning_of(WTERMSIG(status)), ", signal ",
                        WTERMSIG(status), ")"));
  return refusal(Rule::probe_exited, text("the plugin ended the process while it was loaded (exit code ",
                                          WEXITSTATUS(status), "); expected a status given to the host"));
}

// Who it is may be known although it could not say so.
void name_plugin(Failure& f, const FoundPlugin& found) {
  if (f.has("plugin")) return;
  if (const auto note = read_plugin_note(found.canonical))
    f.with("plugin", text(note->id, " ", note->version));
}

}  // namespace

Probed probe_plugin(const Session& session, const FoundPlugin& found, const ProbeRules& rules) {
  Probed result;
  Pipe answer, said;
  if (!answer.make() || !said.make()) {
    result.refused = not_started("pipe", errno);
    return result;
  }
  // A copy would write it again.
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) {
    result.refused = not_started("fork", errno);
    return result;
  }
  if (child == 0) run_probe(session, found, rules, answer.to.get(), said.to.get());
  setpgid(child, child);  // whoever of the two comes first
  answer.to.close();
  said.to.close();
  const Deadline deadline = steady_clock::now() + rules.limit;
  Heard heard = listen(answer.from, said.from, deadline);
  const bool is_whole = heard.answers.size() == 2;
  if (is_whole) kill(-child, SIGKILL);
  const int status = wait_for(child, deadline, heard.in_time);
  kill(-child, SIGKILL);  // what it has started
  try {
    if (!heard.answers.empty()) {
      const json first = json::parse(heard.answers[0]);
      if (first.is_array())
        result.libraries = first.get<std::vector<std::string>>();
      else
        result.refused = failure_from(first);
    }
    if (is_whole) {
      const json last = json::parse(heard.answers[1]);
      if (last.contains("code")) {
        result.refused = failure_from(last);
      } else {
        result.manifest = last.at("manifest").get<std::string>();
        result.digest = last.at("digest").get<std::string>();
        result.only_operations = last.at("only_operations").get<bool>();
      }
    }
  } catch (const json::exception& e) {
    result.refused = refusal(Rule::probe_crashed,
                             text("the answer of the process that loaded it is spoilt: ", reason_of(e)));
  }
  if (!is_whole && !result.refused) {
    result.refused = ended(status, heard.in_time, rules.limit);
    name_plugin(*result.refused, found);
    if (const std::string lines = last_lines(heard.said); !lines.empty()) result.refused->with("said", lines);
  }
  return result;
}

}  // namespace mo::core
