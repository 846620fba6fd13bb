// A session of mo/host.h: what it was told, and one model after the other in sessions of the core.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "apps/library/error.hpp"
#include "apps/library/result.hpp"
#include "apps/run/inputs.hpp"
#include "apps/session/loaded_session.hpp"
#include "apps/session/option_row.hpp"

namespace mo::app {

class Arguments;
class WarningLimit;

class HostSession {
 public:
  explicit HostSession(const mo_session_def& def) : def_(def) {}

  void set(const std::string& name, std::optional<std::string> value);
  void cancel() noexcept { cancelled_ = true; }
  const mo_error* error() const { return error_ ? error_->data() : nullptr; }

  // Throw nothing: a failure is error() from then on.
  mo_status convert(const mo_model*, const mo_result**);
  mo_status check(const mo_model*, const mo_result**);
  mo_status run(const mo_model*, const mo_array* inputs, uint64_t count, const mo_result**);
  mo_status verify(const mo_model*, std::string_view ir, const mo_array* inputs, uint64_t count,
                   const mo_result**);

 private:
  class Work;
  mo_status attempt(const mo_result** result, const std::function<void(Result&)>&);
  mo_status fail(const core::Failure&);
  void log(const core::LogLine&) const;
  void show(std::string_view phase, int number, uint64_t done, uint64_t total);

  mo_session_def def_;
  std::map<std::string, std::string> options_;
  std::atomic<bool> cancelled_ = false;
  std::optional<ErrorData> error_;
};

}  // namespace mo::app
