// The ABIs that were released, with the sizes their tables had: what today's host can present itself as.
#pragma once

#include <mo/plugin.h>

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace mo::app {

struct AbiRelease {
  uint32_t minor;
  bool candidate;  // may still change when it turns out to be wrong
  size_t host;
  std::array<size_t, 6> parts;  // in the order of HostTables
};

// Oldest first; the last is that of this host.
std::span<const AbiRelease> abi_releases();

// "1.0-rc2"
std::string name_of(const AbiRelease&);

// "1.0" or "1.0-rc2". nullptr: no such ABI was released.
const AbiRelease* find_abi_release(std::string_view name);

// The tables as a host of that release has them: their sizes say so, and there is nothing behind them. They
// live as long as the process.
const mo_host* host_of(const AbiRelease&);

}  // namespace mo::app
