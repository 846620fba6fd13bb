#include "apps/mo-host/crash/signal_text.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace mo::app {

SignalText& SignalText::operator<<(std::string_view s) {
  const size_t n = std::min(s.size(), sizeof text_ - size_);
  std::memcpy(text_ + size_, s.data(), n);
  size_ += n;
  return *this;
}

SignalText& SignalText::quote(std::string_view name) {
  *this << "'";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    *this << (byte < 0x20 || byte == 0x7f ? std::string_view("?") : std::string_view(&c, 1));
  }
  return *this << "'";
}

SignalText& SignalText::operator<<(uint64_t number) {
  char digits[20];
  size_t n = sizeof digits;
  do digits[--n] = static_cast<char>('0' + number % 10);
  while ((number /= 10) != 0);
  return *this << std::string_view(digits + n, sizeof digits - n);
}

SignalText::~SignalText() {
  size_t done = 0;
  while (done < size_) {
    const ssize_t n = write(STDERR_FILENO, text_ + done, size_ - done);
    if (n <= 0) return;
    done += static_cast<size_t>(n);
  }
}

}  // namespace mo::app
