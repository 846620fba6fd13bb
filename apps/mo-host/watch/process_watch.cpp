#include "apps/mo-host/watch/process_watch.hpp"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <optional>
#include <set>

#include "apps/mo-host/crash/current_work.hpp"
#include "apps/processes/captured_output.hpp"
#include "apps/processes/process_state.hpp"
#include "core/registry/contain.hpp"

namespace mo::app {

namespace {

class ProcessWatch final : public core::CallbackWatch {
 public:
  void before(const core::CallContext& c) noexcept override {
    if (pthread_equal(pthread_self(), main_) == 0 || depth_++ != 0) return;
    try {
      const size_t count = ++calls_[c.plugin];
      const bool whole = count <= whole_at_first || (count & (count - 1)) == 0;
      note_foreign_call(c.plugin);
      // Nobody but plugins changes what is looked at each time: what was seen behind the last of them is known.
      const bool is_known = state_ && parts_ == ProcessState::Parts::quick && process_ == getpid();
      process_ = getpid();
      parts_ = whole ? ProcessState::Parts::all : ProcessState::Parts::quick;
      if (whole || !is_known) state_ = ProcessState::now(parts_);
      if (whole || printing_.count(c.plugin) != 0) output_.emplace();
    } catch (...) {
      state_.reset();
    }
  }

  void after(const core::CallContext& c, std::string_view callback) noexcept override {
    if (pthread_equal(pthread_self(), main_) == 0 || --depth_ != 0 || !state_) return;
    // A copy of the process that the plugin has made came here: there is one conversion, and this is not it.
    if (getpid() != process_)
      for (;;) syscall(SYS_exit_group, 0);
    try {
      const std::string written = output_ ? output_->take() : std::string();
      output_.reset();
      ProcessState now = ProcessState::now(parts_);
      const auto changes = state_->changes(now);
      if (changes.empty()) {
        state_ = std::move(now);
      } else {
        state_->put_back();
        state_.reset();  // not all of it is back
      }
      for (const std::string& what : changes)
        tell(c, text("it changed ", what, ", in its callback '", callback, "'"));
      if (written.empty()) return;
      printing_.insert(c.plugin);
      (void)std::fwrite(written.data(), 1, written.size(), stderr);
      tell(c,
           text("it wrote to standard output in its callback '", callback, "'; that goes to standard error"));
    } catch (...) {  // not worth a conversion
    }
  }

 private:
  // The rest is looked at each time; this costs more, and what a plugin does it mostly does soon.
  static constexpr size_t whole_at_first = 32;

  // Once each.
  void tell(const core::CallContext& c, const std::string& what) {
    if (!told_.insert(text(c.plugin->path, " ", what)).second) return;
    core::LogLine line{MO_LOG_WARNING, c.plugin, what};
    line.context.emplace_back("hint",
                              "what can be put back was; report this to whoever the plugin is from: `mo-host "
                              "plugin check` shows it");
    c.session->log(std::move(line));
  }

  const pthread_t main_ = pthread_self();
  pid_t process_ = 0;
  size_t depth_ = 0;
  ProcessState::Parts parts_ = ProcessState::Parts::quick;
  std::optional<ProcessState> state_;
  std::optional<CapturedOutput> output_;
  std::map<const core::Plugin*, size_t> calls_;
  std::set<const core::Plugin*> printing_;
  std::set<std::string> told_;
};

}  // namespace

void watch_process() { core::callback_watch = new ProcessWatch; }  // as long as the process

}  // namespace mo::app
