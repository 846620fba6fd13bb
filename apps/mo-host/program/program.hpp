// The program at work: a session, what was loaded into it, and where messages go.
#pragma once

#include <chrono>

#include "apps/mo-host/program/progress.hpp"
#include "apps/session/loaded_session.hpp"
#include "apps/session/warning_limit.hpp"

namespace spdlog {
class logger;
}

namespace mo::app {

class Program : public LoadedSession {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Program(Clock::time_point started) : started_(started) {}
  // Beside another, with the same plugins: a session is for one model.
  enum class Says { as_the_other, errors };
  Program(const Program& other, Says);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  // Sets up messages; then, if asked for, loads plugins. for_one_framework: what built-in front-ends have for
  // their models is there once a model is one of theirs, or something asks for it.
  void open(const EarlyOptions&, bool load_plugins, bool for_one_framework = false);

  Progress& progress() { return progress_; }
  bool silent() const { return silent_; }
  double seconds_to_start() const { return seconds_to_start_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }
  // Taking a big graph apart costs time that nobody needs any more: this one stays until the process is gone.
  static void keep(const core::GraphPtr&);

 private:
  void say(const core::LogLine&);

  Clock::time_point started_;
  double seconds_to_start_ = 0;
  bool silent_ = false;
  std::shared_ptr<spdlog::logger> log_;
  WarningLimit warnings_;
  Progress progress_;
};

}  // namespace mo::app
