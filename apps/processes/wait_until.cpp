#include "apps/processes/wait_until.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace mo::app {

int milliseconds_until(Moment until) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
  return static_cast<int>(std::clamp<decltype(left)>(left, 0, INT_MAX));
}

bool ends_until(pid_t child, Moment until) {
  for (int pause = 50;; pause = std::min(pause * 2, 20000)) {
    siginfo_t info{};
    const int got = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
    if (got == 0 && info.si_pid == child) return true;
    if (got < 0 && errno != EINTR) return true;  // somebody else has waited for it
    if (std::chrono::steady_clock::now() >= until) return false;
    usleep(static_cast<useconds_t>(pause));
  }
}

int end_group(pid_t child) {
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) < 0) return 0;
  // Before it is waited for: until then nobody else has its number.
  (void)kill(-child, SIGKILL);
  (void)kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace mo::app
