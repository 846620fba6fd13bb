// What belongs to the process and not to a plugin: what it was before, what has become of it, and putting it back.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <string>
#include <vector>

namespace mo::app {

class ProcessState {
 public:
  // Quick: what a few system calls tell, for looking often. All: limits, timers, threads and children, too.
  enum class Parts { quick, all };
  static ProcessState now(Parts);

  // What is another in a state that was taken later, of the parts that both have: "the current folder", "a thread that
  // was left running". Threads that are about to end are waited for, a little.
  std::vector<std::string> changes(const ProcessState& later) const;
  // Back to this, as far as nobody can rely on the other: threads, children and the environment stay as they are.
  void put_back() const;

 private:
  static constexpr size_t signals = 32;
  static constexpr size_t standard = 3;
  Parts parts_ = Parts::quick;
  std::string folder_, locale_, environment_;
  mode_t mask_ = 0;
  int rounding_ = 0;
  std::array<struct sigaction, signals> handlers_{};
  sigset_t blocked_{};
  std::array<bool, standard> is_open_{};
  std::array<rlimit, RLIM_NLIMITS> limits_{};
  double rings_at_ = 0;  // the timer of alarm(), by the monotonic clock; 0: it is off
  size_t threads_ = 0;
  bool has_children_ = false;
};

// "the umask, the locale"
std::string listed(const std::vector<std::string>& changes);

}  // namespace mo::app
