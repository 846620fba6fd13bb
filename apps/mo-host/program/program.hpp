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

// Where messages go: apart from the program, as a session that ends may still have something to say.
class Messages {
 public:
  void open(const EarlyOptions&);
  void take(const core::LogLine&);
  void say(const core::LogLine&);
  void say_what_was_left_out();
  Progress& progress() { return progress_; }
  bool silent() const { return silent_; }

 private:
  bool silent_ = false;
  std::shared_ptr<spdlog::logger> log_;
  WarningLimit warnings_;
  Progress progress_;
};

class Program : private Messages, public LoadedSession {
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

  using Messages::progress;
  using Messages::silent;
  double seconds_to_start() const { return seconds_to_start_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }
  // Taking a big graph apart costs time that nobody needs any more: this one stays until the process is gone.
  static void keep(const core::GraphPtr&);

 private:
  Clock::time_point started_;
  double seconds_to_start_ = 0;
};

}  // namespace mo::app
