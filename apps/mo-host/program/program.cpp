#include "apps/mo-host/program/program.hpp"

#include "apps/mo-host/crash/crash_handlers.hpp"
#include "apps/mo-host/crash/current_work.hpp"
#include "apps/mo-host/program/log.hpp"

namespace mo::app {

Program::Program(const Program& other, Says says) : Program(Clock::now()) {
  EarlyOptions early = other.early();
  if (says == Says::errors) early.silent = true;
  open(early, true);
}

Program::~Program() {
  say_what_was_left_out();
  watch_session(nullptr);
}

void Program::open(const EarlyOptions& early, bool load_plugins, bool for_one_framework) {
  Messages::open(early);
  session().log_sink = [to = static_cast<Messages*>(this)](const core::LogLine& line) { to->take(line); };
  watch_session(&session());
  LoadedSession::open(early, load_plugins, for_one_framework);
  if (load_plugins) expect_no_exit();
  seconds_to_start_ = seconds();
}

void Messages::open(const EarlyOptions& early) {
  silent_ = early.silent;
  log_ = make_log(early.silent ? "ERROR" : early.log_level);
}

void Messages::take(const core::LogLine& line) {
  if (log_->should_log(level_of(MO_LOG_INFO)) || warnings_.takes(line)) say(line);
}

void Messages::say_what_was_left_out() {
  for (const auto& [plugin, what] : warnings_.left_out()) say({MO_LOG_WARNING, plugin, what});
}

void Messages::say(const core::LogLine& line) {
  const auto level = level_of(line.level);
  if (!log_->should_log(level)) return;
  progress_.clear();
  if (line.plugin == nullptr)
    log_->log(level, line.render());
  else
    log_->log(level, "[{}] {}", line.plugin->id, line.render());
}

void Program::keep(const core::GraphPtr& graph) {
  static auto* kept = new std::vector<core::GraphPtr>;  // on purpose without an owner
  kept->push_back(graph);
}

}  // namespace mo::app
