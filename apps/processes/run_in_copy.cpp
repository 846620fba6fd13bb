#include "apps/processes/run_in_copy.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <system_error>

#include "apps/processes/copying.hpp"
#include "apps/processes/signals.hpp"
#include "apps/processes/wait_until.hpp"
#include "core/support/descriptor.hpp"

namespace mo::app {

namespace {

constexpr size_t kept_of_output = 8192;  // at its beginning, and at its end

[[noreturn]] void failed(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void become_the_copy(pid_t parent, int said) {
  (void)setpgid(0, 0);
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  const rlimit none{0, 0};
  (void)setrlimit(RLIMIT_CORE, &none);
  forget_signal_handlers();
  (void)dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  (void)dup2(said, STDOUT_FILENO);
  (void)dup2(said, STDERR_FILENO);
}

// Appends what can be read at once. False at the end of the pipe.
bool take(core::Descriptor& from, std::string& to) {
  char part[65536];
  const ssize_t n = ::read(from.get(), part, sizeof part);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return errno == EINTR;
  if (n <= 0) {
    from.close();
    return false;
  }
  to.append(part, static_cast<size_t>(n));
  return true;
}

bool take_said(core::Descriptor& from, std::string& said) {
  const bool more = take(from, said);
  if (said.size() > 2 * kept_of_output) said.erase(kept_of_output, said.size() - 2 * kept_of_output);
  return more;
}

// Until the answer is whole or too long, its pipe is closed, or time is up.
void listen(core::Descriptor& answer, core::Descriptor& said, const CopyLimits& limits, Moment until,
            Copied& copied) {
  while (answer && copied.answer.size() <= largest_answer) {
    if (limits.is_whole && limits.is_whole(copied.answer)) return;
    pollfd waiting[] = {{answer.get(), POLLIN, 0}, {said.get(), POLLIN, 0}};  // -1 is passed over
    const int ready = poll(waiting, std::size(waiting), milliseconds_until(until));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      copied.in_time = false;
      return;
    }
    if (waiting[1].revents != 0) (void)take_said(said, copied.said);
    if (waiting[0].revents != 0) (void)take(answer, copied.answer);
  }
}

}  // namespace

bool write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(to, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

void write_or_exit(int to, std::string_view bytes) {
  if (!write_all(to, bytes)) _exit(1);
}

Copied run_in_copy(const std::function<void(int answer_to)>& work, const CopyLimits& limits) {
  core::Pipe answer, said;
  if (!answer.make() || !said.make()) failed("pipe");
  std::fflush(nullptr);  // a copy would write it again
  const pid_t parent = getpid(), child = copy_process();
  if (child < 0) failed("fork");
  if (child == 0) {
    become_the_copy(parent, said.to.get());
    work(answer.to.get());
    _exit(1);
  }
  (void)setpgid(child, child);  // whoever of the two comes first
  answer.to.close();
  said.to.close();

  Copied copied;
  const Moment until = std::chrono::steady_clock::now() + limits.time;
  listen(answer.from, said.from, limits, until, copied);
  const bool is_over =
      copied.answer.size() > largest_answer || (limits.is_whole && limits.is_whole(copied.answer));
  // One that has closed its end of the pipe may go on all the same.
  if (!is_over && copied.in_time) copied.in_time = ends_until(child, until);
  copied.status = end_group(child);
  // What it said last may still be on its way. Somebody else may hold the pipe and go on.
  if (said.from) (void)fcntl(said.from.get(), F_SETFL, O_NONBLOCK);
  for (int pieces = 0; said.from && pieces < 16 && take_said(said.from, copied.said); ++pieces) {
  }
  return copied;
}

}  // namespace mo::app
