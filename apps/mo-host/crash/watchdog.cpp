#include "apps/mo-host/crash/watchdog.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <ctime>

#include "apps/mo-host/crash/current_work.hpp"
#include "apps/processes/signals.hpp"
#include "core/registry/at_work.hpp"
#include "core/support/numbers.hpp"

namespace mo::app {

namespace {

// What was seen at the last look; shared with the copies that look.
struct Seen {
  const void* plugin;
  const void* work;  // transformation or graph
  uint64_t node;
  double since, next;  // seconds of the monotonic clock
};
Seen* seen = nullptr;
double first_notice = 30;

double now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// The outermost call: what it calls in turn may change all the time.
void look() {
  const void *plugin = nullptr, *work = nullptr;
  uint64_t node = 0;
  const core::Session* session = watched_session();
  if (session != nullptr && session->call_depth() > 0) {
    const core::CallContext& c = session->call_at(0);
    plugin = c.plugin;
    work = c.transformation != nullptr ? static_cast<const void*>(c.transformation) : c.graph;
    node = c.node;
  } else {
    plugin = core::at_work.plugin.load();
  }
  if (plugin == nullptr || plugin != seen->plugin || work != seen->work || node != seen->node) {
    *seen = {plugin, work, node, now(), first_notice};
    return;
  }
  const double seconds = now() - seen->since;
  if (seconds < seen->next) return;
  while (seen->next <= seconds) seen->next *= 2;
  const CurrentWork a = current_work();
  if (a.plugin == nullptr) return;
  SignalText out;
  out << "warning: plugin " << name_of(*a.plugin) << " has been at work on one thing for "
      << static_cast<uint64_t>(seconds) << " s\n";
  describe(out, a);
  out << "  hint    Ctrl-C ends it, and nothing is written then\n";
}

// Once, and again when that look is over: where a copy takes long, the plugin has its share of the time.
void next_tick() {
  const double after = first_notice / 4;
  itimerval once{};
  once.it_value.tv_sec = static_cast<time_t>(after);
  once.it_value.tv_usec = static_cast<suseconds_t>((after - std::floor(after)) * 1e6);
  setitimer(ITIMER_REAL, &once, nullptr);
}

// The host may be in the middle of a change, so a copy of the process looks. A copy that falls over is
// nobody's loss.
void on_tick(int) {
  const int error = errno;
  const long copy = syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr);
  if (copy == 0) {
    forget_signal_handlers();
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, nullptr);
    alarm(1);
    look();
    _exit(0);
  }
  if (copy > 0) {
    int status = 0;
    while (waitpid(static_cast<pid_t>(copy), &status, __WCLONE) < 0 && errno == EINTR) {
    }
  }
  next_tick();
  errno = error;
}

}  // namespace

void start_watchdog() {
  if (const char* given = std::getenv("MO_HANG_NOTICE"))
    first_notice = core::parse_number<double>(given).value_or(first_notice);
  if (!(first_notice > 0 && first_notice <= 86400)) return;
  void* shared = mmap(nullptr, sizeof(Seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return;
  seen = static_cast<Seen*>(shared);
  struct sigaction tick {};
  tick.sa_handler = on_tick;
  tick.sa_flags = SA_RESTART | SA_ONSTACK;
  sigaction(SIGALRM, &tick, nullptr);
  next_tick();
}

}  // namespace mo::app
