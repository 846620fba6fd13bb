// The ABIs that were released, with the sizes their tables had: what today's host can present itself as.
#pragma once

#include <mo/plugin.h>

#include <span>
#include <string>
#include <string_view>

namespace mo::core {

struct AbiRelease {
  uint32_t minor;
  bool candidate;  // may still change when it turns out to be wrong
  size_t host, graph, tensor, file, infer, match, registry;
};

// Oldest first; the last is that of this host.
std::span<const AbiRelease> abi_releases();

// "1.0-rc"
std::string name_of(const AbiRelease&);

// "1.0" or "1.0-rc". nullptr: no such ABI was released.
const AbiRelease* find_abi_release(std::string_view name);

// The tables as a host of that release has them: their sizes say so, and there is nothing behind them. They
// live as long as the process.
const mo_host* host_of(const AbiRelease&);

}  // namespace mo::core
