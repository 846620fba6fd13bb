// Failures as mo/host.h shows them.
#pragma once

#include <mo/host.h>

#include <string>
#include <vector>

#include "core/support/failure.hpp"

namespace mo::app {

class ErrorData {
 public:
  explicit ErrorData(const core::Failure&, mo_status);
  ErrorData(const ErrorData&) = delete;
  ErrorData& operator=(const ErrorData&) = delete;
  const mo_error* data() const { return &data_; }

 private:
  std::string code_, text_, hint_, node_, plugin_, transformation_, place_, model_, shown_;
  std::vector<std::string> missing_;
  std::vector<mo_str> missing_data_;
  mo_error data_{};
};

// What a caller is to do about it.
mo_status status_of(const core::Failure&);

}  // namespace mo::app
