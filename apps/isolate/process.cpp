#include "apps/isolate/process.hpp"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "apps/isolate/child.hpp"
#include "apps/processes/copying.hpp"
#include "apps/processes/how_it_ended.hpp"
#include "apps/processes/signals.hpp"
#include "apps/processes/wait_until.hpp"
#include "core/support/quiet_thread.hpp"

namespace mo::app::isolate {

namespace {

// The copy ends when the host does, also when a plugin in it waits for something else. PR_SET_PDEATHSIG would
// go by the thread that has started it.
void end_with(core::Descriptor host) {
  core::start_quiet_thread([host = std::move(host)] {
    pollfd p{host.get(), POLLIN, 0};
    while (poll(&p, 1, -1) < 0 && errno == EINTR) {
    }
    _exit(0);
  }).detach();
}

// Not glibc's function: the header of 2.36 forgets that it is C.
core::Descriptor open_process(pid_t pid) {
  return core::Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

}  // namespace

Process::Process(const core::FoundPlugin& found, const mo_host& offered) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  core::Descriptor ours(pair[0]), theirs(pair[1]);
  std::fflush(nullptr);
  core::Descriptor host = open_process(getpid());
  if (!host) throw std::system_error(errno, std::generic_category(), "pidfd_open");
  pid_ = copy_process();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ == 0) {
    end_with(std::move(host));
    forget_signal_handlers();  // so that the host sees how it ends
    ours = {};
    run_child(std::move(theirs), found, offered);
  }
  channel_ = Channel(std::move(ours), open_process(pid_));
}

Process::~Process() { (void)end(0); }

std::string Process::end(double seconds) {
  if (pid_ < 0) return "has ended before";
  const auto patience = std::chrono::duration_cast<Moment::duration>(std::chrono::duration<double>(seconds));
  const bool killed = !ends_until(pid_, std::chrono::steady_clock::now() + patience);
  const int status = end_group(pid_);
  pid_ = -1;
  channel_.close();
  ended_well_ = !killed && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return killed ? "had to be ended" : how_it_ended(status);
}

}  // namespace mo::app::isolate
