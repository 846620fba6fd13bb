// The program at work: the session, what was loaded into it, and where messages go.
#pragma once

#include <chrono>

#include "apps/isolate/careful_loading.hpp"
#include "apps/known_plugins/search_path.hpp"
#include "apps/mo-host/command_line/early_options.hpp"
#include "apps/mo-host/program/progress.hpp"
#include "apps/mo-host/program/warning_limit.hpp"
#include "core/host/host_tables.hpp"

namespace spdlog {
class logger;
}

namespace mo::app {

class Program {
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

  // How plugins that are not built in are met.
  FirstContact first_contact() const;

  // Adds what only computing needs: fast kernels that conversion does without.
  void load_kernels();

  // As given to open().
  const EarlyOptions& early() const { return early_; }

  core::Session& session() { return session_; }
  const core::Session& session() const { return session_; }
  const core::LoadReport& plugins() const { return plugins_; }
  Progress& progress() { return progress_; }
  bool silent() const { return silent_; }
  double seconds_to_start() const { return seconds_to_start_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }
  // Taking a big graph apart costs time that nobody needs any more: this one stays until the process is gone.
  static void keep(const core::GraphPtr&);
  // How plugins are loaded in this run: all but which of them.
  CarefulRequest load_request(const SearchPath&) const;
  // Ids by --prefer, else by MO_PREFER: whose registrations are used where several claim one thing.
  std::vector<std::string> preferred() const;
  // Refused and skipped plugins, one line each; empty when there are none.
  std::string skipped_plugins() const;

 private:
  void load(const EarlyOptions&);
  void say(const core::LogLine&);
  void leave_out_disorder(const std::vector<std::string>& searched);
  void check_preferred(const std::vector<std::string>& ids, bool asked_for) const;

  Clock::time_point started_;
  double seconds_to_start_ = 0;
  bool silent_ = false;
  EarlyOptions early_;
  std::shared_ptr<spdlog::logger> log_;
  WarningLimit warnings_;
  Progress progress_;
  core::Session session_{core::host_table()};
  core::LoadReport plugins_;
};

}  // namespace mo::app
