#include "apps/mo-host/output/draw_svg.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace mo::app {

namespace {

constexpr int longest_seconds = 60;

// False: it still runs when its time is over.
bool wait_for(pid_t child, int& status) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(longest_seconds);
  const int fd = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  pid_t done = 0;
  while ((done = waitpid(child, &status, WNOHANG)) == 0 && Clock::now() < end) {
    pollfd p{fd, POLLIN, 0};
    // Without a descriptor to wait for, look every ten milliseconds.
    poll(&p, fd < 0 ? 0 : 1, fd < 0 ? 10 : 1000);
  }
  if (fd >= 0) close(fd);
  return done != 0;
}

}  // namespace

std::string draw_svg(const std::string& dot_file, const std::string& svg_file) {
  // Nothing that the environment names is run with privileges of its own.
  if (secure_getenv("PATH") == nullptr) return "there is no PATH to look for graphviz";
  const std::string out = "-o" + svg_file;
  const char* argv[] = {"dot", "-Tsvg", out.c_str(), dot_file.c_str(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawnp(&child, "dot", &actions, nullptr, const_cast<char* const*>(argv), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) return "graphviz is not installed";
  if (error != 0) return fmt::format("graphviz cannot be started: {}", std::strerror(error));
  int status = 0;
  if (!wait_for(child, status)) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    unlink(svg_file.c_str());
    return fmt::format("graphviz took more than {} s", longest_seconds);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  unlink(svg_file.c_str());
  return WIFEXITED(status) ? fmt::format("graphviz failed with exit code {}", WEXITSTATUS(status))
                           : fmt::format("graphviz was ended by signal {}", WTERMSIG(status));
}

}  // namespace mo::app
