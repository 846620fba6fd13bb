// Whole messages over a socket, with a file now and then.
#pragma once

#include "core/support/descriptor.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace mo::app::isolate {

struct Message {
  std::string bytes;
  core::Descriptor file;
};

struct TimedOut : std::runtime_error {
  TimedOut() : std::runtime_error("time is up") {}
};
struct Closed : std::runtime_error {
  Closed() : std::runtime_error("the other side is gone") {}
};

class Channel {
 public:
  // `process`: who is at the other end, by pidfd_open(). It is gone when that has ended, whoever else has got
  // hold of its socket. Without one only the socket tells.
  explicit Channel(core::Descriptor socket, core::Descriptor process = {})
      : socket_(std::move(socket)), process_(std::move(process)) {}
  // `seconds`: how long the other side may take; forever when it is negative. The answer to how long it took.
  void send(std::string_view bytes, int file, double seconds);
  Message receive(double& seconds);
  void close() { socket_ = {}; }

 private:
  void wait(short events, double& seconds) const;
  size_t read_some(char* to, size_t size, core::Descriptor* file, double& seconds);
  core::Descriptor socket_, process_;
};

// Bytes as a file that nobody can change any more. `read` is asked for one piece after the other.
core::Descriptor sealed_copy(uint64_t bytes,
                             const std::function<void(uint64_t offset, size_t count, std::byte* to)>& read);

}  // namespace mo::app::isolate
