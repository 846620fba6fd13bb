#include "apps/processes/process_state.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cfenv>
#include <climits>
#include <clocale>
#include <cmath>
#include <cstring>
#include <ctime>

namespace mo::app {

namespace {

std::string current_folder() {
  char path[PATH_MAX];
  return getcwd(path, sizeof path) == nullptr ? std::string() : std::string(path);
}

std::string whole_environment() {
  std::string all;
  for (char** e = environ; e != nullptr && *e != nullptr; ++e) (all += *e) += '\n';
  return all;
}

double monotonic() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double timer_rings_at() {
  itimerval timer{};
  if (getitimer(ITIMER_REAL, &timer) != 0) return 0;
  const double left =
      static_cast<double>(timer.it_value.tv_sec) + static_cast<double>(timer.it_value.tv_usec) * 1e-6;
  return left == 0 ? 0 : monotonic() + left;
}

size_t thread_count() {
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return 0;
  size_t count = 0;
  while (const dirent* entry = readdir(tasks)) count += entry->d_name[0] != '.' ? 1 : 0;
  closedir(tasks);
  return count;
}

bool any_child() {
  siginfo_t info{};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

bool same_handler(const struct sigaction& a, const struct sigaction& b) {
  return (a.sa_flags & SA_SIGINFO) == (b.sa_flags & SA_SIGINFO) && a.sa_handler == b.sa_handler;
}

bool same_set(const sigset_t& a, const sigset_t& b) {
  for (int s = 1; s < 32; ++s)
    if (sigismember(&a, s) != sigismember(&b, s)) return false;
  return true;
}

// As they were when the first state was taken; where nobody who closes the first hundreds finds them.
int kept_standard(size_t i) {
  static const std::array<int, 3> kept{fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 610),
                                       fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 610),
                                       fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 610)};
  return kept.at(i);
}

constexpr const char* standard_names[] = {"standard input", "standard output", "standard error"};

}  // namespace

ProcessState ProcessState::now(Parts parts) {
  ProcessState p;
  p.parts_ = parts;
  p.folder_ = current_folder();
  const char* locale = std::setlocale(LC_ALL, nullptr);
  p.locale_ = locale == nullptr ? "" : locale;
  p.environment_ = whole_environment();
  p.mask_ = umask(0);
  umask(p.mask_);
  p.rounding_ = std::fegetround();
  for (size_t s = 1; s < signals; ++s) (void)sigaction(static_cast<int>(s), nullptr, &p.handlers_[s]);
  (void)pthread_sigmask(SIG_BLOCK, nullptr, &p.blocked_);
  (void)kept_standard(0);
  for (size_t i = 0; i < standard; ++i) p.is_open_[i] = fcntl(static_cast<int>(i), F_GETFD) >= 0;
  if (parts == Parts::quick) return p;
  for (size_t i = 0; i < p.limits_.size(); ++i)
    (void)getrlimit(static_cast<__rlimit_resource_t>(i), &p.limits_[i]);
  p.rings_at_ = timer_rings_at();
  p.threads_ = thread_count();
  p.has_children_ = any_child();
  return p;
}

std::vector<std::string> ProcessState::changes(const ProcessState& later) const {
  std::vector<std::string> list;
  const auto note = [&](bool same, std::string what) {
    if (!same) list.push_back(std::move(what));
  };
  note(folder_ == later.folder_, "the current folder");
  note(locale_ == later.locale_, "the locale");
  note(environment_ == later.environment_, "the environment");
  note(mask_ == later.mask_, "the umask");
  note(rounding_ == later.rounding_, "the rounding mode");
  bool same = same_set(blocked_, later.blocked_);
  for (size_t s = 1; s < signals; ++s) same = same && same_handler(handlers_[s], later.handlers_[s]);
  note(same, "what happens on signals");
  for (size_t i = 0; i < standard; ++i)
    note(is_open_[i] == later.is_open_[i],
         std::string(standard_names[i]) + (is_open_[i] ? ", which is closed" : ""));
  if (parts_ == Parts::quick || later.parts_ == Parts::quick) return list;
  same = true;
  for (size_t i = 0; i < limits_.size(); ++i)
    same = same && limits_[i].rlim_cur == later.limits_[i].rlim_cur &&
           limits_[i].rlim_max == later.limits_[i].rlim_max;
  note(same, "a limit (ulimit)");
  // Somebody's timer may ring in between, and is set anew then.
  note(later.rings_at_ == 0 || (rings_at_ != 0 && later.rings_at_ > rings_at_ - 0.25),
       "the timer of alarm()");
  size_t threads = later.threads_;
  for (int tries = 0; threads > threads_ && tries < 20; ++tries) {
    usleep(2000);
    threads = thread_count();
  }
  note(threads <= threads_, "the number of threads: one was left running");
  note(has_children_ || !later.has_children_, "the number of child processes: one was left");
  return list;
}

std::string listed(const std::vector<std::string>& changes) {
  std::string all;
  for (const std::string& c : changes) all += (all.empty() ? "" : ", ") + c;
  return all;
}

void ProcessState::put_back() const {
  if (!folder_.empty() && current_folder() != folder_) (void)!chdir(folder_.c_str());
  const char* locale = std::setlocale(LC_ALL, nullptr);
  if (locale == nullptr || locale_ != locale) (void)std::setlocale(LC_ALL, locale_.c_str());
  umask(mask_);
  if (std::fegetround() != rounding_) (void)std::fesetround(rounding_);
  for (size_t s = 1; s < signals; ++s) {
    struct sigaction has {};
    const int number = static_cast<int>(s);
    if (sigaction(number, nullptr, &has) == 0 && !same_handler(has, handlers_[s]))
      (void)sigaction(number, &handlers_[s], nullptr);
  }
  (void)pthread_sigmask(SIG_SETMASK, &blocked_, nullptr);
  for (size_t i = 0; i < standard; ++i)
    if (is_open_[i] && fcntl(static_cast<int>(i), F_GETFD) < 0 && kept_standard(i) >= 0)
      (void)dup2(kept_standard(i), static_cast<int>(i));
  if (parts_ == Parts::quick) return;
  for (size_t i = 0; i < limits_.size(); ++i) {
    rlimit has{};
    const auto which = static_cast<__rlimit_resource_t>(i);
    if (getrlimit(which, &has) != 0) continue;
    if (has.rlim_cur == limits_[i].rlim_cur && has.rlim_max == limits_[i].rlim_max) continue;
    // Whoever may not raise the hard limit again gets as much as is left.
    const rlimit most{std::min(limits_[i].rlim_cur, has.rlim_max), has.rlim_max};
    if (setrlimit(which, &limits_[i]) != 0) (void)setrlimit(which, &most);
  }
  const double now = timer_rings_at();
  if (rings_at_ == 0 ? now == 0 : now > rings_at_ - 0.25) return;
  itimerval timer{};
  const double left = rings_at_ == 0 ? 0 : std::max(rings_at_ - monotonic(), 0.001);
  timer.it_value.tv_sec = static_cast<time_t>(left);
  timer.it_value.tv_usec = static_cast<suseconds_t>((left - std::floor(left)) * 1e6);
  (void)setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace mo::app
