#include "apps/mo-host/program/log.hpp"

#include <mo/plugin.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include "apps/mo-host/output/print.hpp"

namespace mo::app {

namespace {

spdlog::level::level_enum threshold(std::string_view name) {
  if (name == "CRITICAL") return spdlog::level::critical;
  if (name == "ERROR") return spdlog::level::err;
  if (name == "INFO") return spdlog::level::info;
  if (name == "DEBUG") return spdlog::level::debug;
  if (name == "NOTSET") return spdlog::level::trace;
  return spdlog::level::warn;
}

}  // namespace

std::shared_ptr<spdlog::logger> make_log(std::string_view level) {
  auto log = std::make_shared<spdlog::logger>("mo-host", std::make_shared<spdlog::sinks::stderr_sink_st>());
  log->set_level(threshold(level));
  const std::string name = is_coloured(STDERR_FILENO) ? "\033[1;33m%l\033[0m" : "%l";
  log->set_pattern((level == "DEBUG" || level == "NOTSET" ? "%T.%e " : "") + name + ": %v");
  log->flush_on(spdlog::level::trace);
  return log;
}

spdlog::level::level_enum level_of(int32_t level) {
  switch (level) {
    case MO_LOG_DEBUG:
      return spdlog::level::debug;
    case MO_LOG_INFO:
      return spdlog::level::info;
    case MO_LOG_WARNING:
      return spdlog::level::warn;
    default:
      return spdlog::level::err;
  }
}

}  // namespace mo::app
