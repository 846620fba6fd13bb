#pragma once

#include <cstdint>
#include <string_view>

namespace mo::app {

// What a signal handler can say: collects a text without allocating, and writes it at once.
class SignalText {
 public:
  SignalText() = default;
  ~SignalText();
  SignalText(const SignalText&) = delete;
  SignalText& operator=(const SignalText&) = delete;
  SignalText& operator<<(std::string_view);
  SignalText& operator<<(uint64_t);
  // Between quotes; bytes that a terminal could obey become '?'.
  SignalText& quote(std::string_view name);

 private:
  char text_[16 * 1024];
  size_t size_ = 0;
};

}  // namespace mo::app
