// The process of an isolated plugin, from its start to its end.
#pragma once

#include "apps/isolate/channel.hpp"
#include "core/host/found_plugin.hpp"

#include <mo/plugin.h>
#include <sys/types.h>

namespace mo::app::isolate {

class Process {
 public:
  Process(const core::FoundPlugin&, const mo_host& offered);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  Channel& channel() { return channel_; }
  // Ends it if it does not end by itself within so many seconds. How it ended, for a message: "was ended by
  // SIGSEGV (Segmentation fault)".
  std::string end(double seconds);
  // Whether it then had ended by itself and with exit status 0.
  bool ended_well() const { return ended_well_; }

 private:
  pid_t pid_ = -1;
  bool ended_well_ = false;
  Channel channel_{core::Descriptor()};
};

}  // namespace mo::app::isolate
