#include "apps/plugin_check/isolated.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mo/text.hpp>

#include "core/host/library.hpp"
#include "core/support/descriptor.hpp"
#include "core/support/failure.hpp"
#include "core/support/signals.hpp"

namespace mo::core::checks {

namespace {

using Moment = std::chrono::steady_clock::time_point;

constexpr size_t largest_answer = size_t{64} << 20U;

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

[[noreturn]] void be_the_child(const std::function<std::string()>& f, int answer_to, int stderr_to,
                               pid_t parent, const IsolatedLimits& limits) {
  (void)setpgid(0, 0);
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  forget_signal_handlers();
  const rlimit none{0, 0};
  (void)setrlimit(RLIMIT_CORE, &none);
  limit_memory();
  if (std::FILE* nothing = std::fopen("/dev/null", "w")) (void)dup2(fileno(nothing), STDOUT_FILENO);
  if (stderr_to >= 0) is_isolated = dup2(stderr_to, STDERR_FILENO) >= 0;
  const std::string answer = f();
  for (size_t at = 0; at < answer.size();) {
    const ssize_t n = write(answer_to, answer.data() + at, answer.size() - at);
    if (n <= 0) _exit(1);
    at += static_cast<size_t>(n);
  }
  close(answer_to);
  if (limits.ends_like_a_program) {
    shut_down_plugins();
    // A sanitizer's own checks at exit are about the host.
    if (limits_memory()) std::exit(0);
  }
  _exit(0);
}

// False: time is up, or the answer is too long.
bool read_answer(int fd, std::string& answer, Moment until) {
  char buffer[65536];
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd p{fd, POLLIN, 0};
    const int ready = poll(&p, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) return true;
    if (ready <= 0) continue;
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    answer.append(buffer, static_cast<size_t>(n));
    if (answer.size() > largest_answer) return false;
  }
}

// It stays to be waited for.
bool ends_until(pid_t child, Moment until) {
  for (int pause = 50;; pause = std::min(pause * 2, 20000)) {
    siginfo_t info{};
    const int got = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
    if (got == 0 && info.si_pid == child) return true;
    if (got < 0 && errno != EINTR) return false;
    if (std::chrono::steady_clock::now() >= until) return false;
    usleep(static_cast<useconds_t>(pause));
  }
}

// The line that says most: a sanitizer's verdict, or the last one.
std::string last_words(int fd) {
  char buffer[8192];
  const off_t size = lseek(fd, 0, SEEK_END);
  if (size <= 0) return {};
  const ssize_t n = pread(fd, buffer, sizeof buffer, 0);
  const std::string all(buffer, n > 0 ? static_cast<size_t>(n) : 0);
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
  Pipe pipe;
  if (!pipe.make())
    throw Failure(Exit::usage, "MO0129", text("no pipe for a process of its own: ", std::strerror(errno)));
  const Descriptor words(memfd_create("mo-check", MFD_CLOEXEC));
  (void)std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0)
    throw Failure(Exit::usage, "MO0129",
                  text("no process for a case can be started: ", std::strerror(errno)));
  if (child == 0) {
    pipe.from.close();
    be_the_child(f, pipe.to.get(), words.get(), parent, limits);
  }
  pipe.to.close();
  Isolated result;
  const Moment until = std::chrono::steady_clock::now() + std::chrono::seconds(limits.seconds);
  const bool in_time = read_answer(pipe.from.get(), result.answer, until) && ends_until(child, until);
  // What it has started ends with it: now, as nobody else has its number yet.
  (void)kill(-child, SIGKILL);
  if (!in_time) (void)kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (result.answer.size() > largest_answer) {
    result.how = text("it answered with more than ", largest_answer >> 20U, " MB");
  } else if (!in_time) {
    result.how = text("it did not come back within ", limits.seconds, " s");
  } else if (WIFSIGNALED(status)) {
    result.how = text("it crashed with signal ", WTERMSIG(status), " (", strsignal(WTERMSIG(status)), ")");
  } else if (WEXITSTATUS(status) != 0 || result.answer.empty()) {
    result.how = text("it ended the process with exit code ", WEXITSTATUS(status));
  } else {
    result.came_back = true;
  }
  if (!result.came_back && words.get() >= 0)
    if (const std::string said = last_words(words.get()); !said.empty()) result.how += ": " + said;
  return result;
}

}  // namespace mo::core::checks
