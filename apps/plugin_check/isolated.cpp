#include "apps/plugin_check/isolated.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mo/text.hpp>
#include <system_error>

#include "apps/processes/run_in_copy.hpp"
#include "core/host/library.hpp"
#include "core/support/failure.hpp"

namespace mo::app::checks {

namespace {

// What the process has mapped now, and so much more.
void limit_memory() {
  constexpr rlim_t more = rlim_t{1} << 30;
  if (!limits_memory()) return;
  std::ifstream statm("/proc/self/statm");
  rlim_t pages = 0;
  if (!(statm >> pages)) return;
  const rlim_t limit = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + more;
  const rlimit r{limit, limit};
  (void)setrlimit(RLIMIT_AS, &r);
}

bool is_isolated = false;

[[noreturn]] void work(const std::function<std::string()>& f, int answer_to, const IsolatedLimits& limits) {
  is_isolated = true;
  limit_memory();
  if (std::FILE* nothing = std::fopen("/dev/null", "w")) (void)dup2(fileno(nothing), STDOUT_FILENO);
  write_or_exit(answer_to, f());
  close(answer_to);
  if (limits.ends_like_a_program) {
    core::shut_down_plugins();
    // A sanitizer's own checks at exit are about the host.
    if (limits_memory()) std::exit(0);
  }
  _exit(0);
}

// The line that says most: a sanitizer's verdict, or the last one.
std::string last_words(const std::string& all) {
  size_t at = all.find("ERROR: ");
  if (at == std::string::npos) at = all.find("runtime error: ");
  const size_t end = at == std::string::npos ? all.find_last_not_of('\n') : all.find('\n', at) - 1;
  if (end == std::string::npos) return {};
  const size_t begin = all.rfind('\n', at == std::string::npos ? end : at);
  std::string line =
      all.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? 0 : begin));
  return line.substr(0, 400);
}

}  // namespace

void note_attempt(const std::string& what) {
  if (is_isolated) (void)std::fprintf(stderr, "%s\n", what.c_str());
}

bool limits_memory() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return false;
#else
  return true;
#endif
}

Isolated run_isolated(const std::function<std::string()>& f, const IsolatedLimits& limits) {
  Copied copied;
  try {
    copied = run_in_copy([&](int answer_to) { work(f, answer_to, limits); },
                         {.time = std::chrono::seconds(limits.seconds)});
  } catch (const std::system_error& e) {
    throw core::Failure(core::Exit::usage, "MO0129",
                        text("no process for a case can be started: ", e.what()));
  }
  Isolated result;
  result.answer = std::move(copied.answer);
  const int status = copied.status;
  if (result.answer.size() > largest_answer) {
    result.how = text("it answered with more than ", largest_answer >> 20U, " MB");
  } else if (!copied.in_time) {
    result.how = text("it did not come back within ", limits.seconds, " s");
  } else if (WIFSIGNALED(status)) {
    result.how = text("it crashed with signal ", WTERMSIG(status), " (", strsignal(WTERMSIG(status)), ")");
  } else if (WEXITSTATUS(status) != 0 || result.answer.empty()) {
    result.how = text("it ended the process with exit code ", WEXITSTATUS(status));
  } else {
    result.came_back = true;
  }
  if (!result.came_back)
    if (const std::string said = last_words(copied.said); !said.empty()) result.how += ": " + said;
  return result;
}

}  // namespace mo::app::checks
