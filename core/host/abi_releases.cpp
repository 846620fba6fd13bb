#include "core/host/abi_releases.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mo/text.hpp>
#include <mutex>

#include "core/host/abi.hpp"

namespace mo::core {

namespace {

constexpr AbiRelease releases[] = {
    {0, true, 144, 432, 56, 48, 48, 144, 64},
};

// A change of a table is a new release.
constexpr bool is_todays(const AbiRelease& r) {
  return r.minor == MO_ABI_MINOR && r.candidate == (MO_ABI_CANDIDATE != 0) && r.host == sizeof(mo_host) &&
         r.graph == sizeof(mo_graph_api) && r.tensor == sizeof(mo_tensor_api) &&
         r.file == sizeof(mo_file_api) && r.infer == sizeof(mo_infer_api) &&
         r.match == sizeof(mo_match_api) && r.registry == sizeof(mo_registry_api);
}
static_assert(is_todays(*std::rbegin(releases)), "the last row has the sizes of mo/plugin.h");

// The first `size` bytes of a table, in a block that ends there.
template <class Table>
Table* cut(const Table& whole, size_t size) {
  auto* block = static_cast<Table*>(::operator new(size));
  std::memcpy(static_cast<void*>(block), &whole, size);
  std::memcpy(static_cast<void*>(block), &size, sizeof size);
  return block;
}

const mo_host* make(const AbiRelease& r) {
  const mo_host& today = host_table();
  mo_host* host = cut(today, r.host);
  host->abi_minor = r.minor;
  host->graph = cut(*today.graph, r.graph);
  host->tensor = cut(*today.tensor, r.tensor);
  host->file = cut(*today.file, r.file);
  host->infer = cut(*today.infer, r.infer);
  host->match = cut(*today.match, r.match);
  host->registry = cut(*today.registry, r.registry);
  return host;
}

}  // namespace

std::span<const AbiRelease> abi_releases() { return releases; }

std::string name_of(const AbiRelease& r) {
  return text(MO_ABI_MAJOR, ".", r.minor, r.candidate ? "-rc" : "");
}

const AbiRelease* find_abi_release(std::string_view name) {
  for (const AbiRelease& r : releases)
    if (name == name_of(r) || name == text(MO_ABI_MAJOR, ".", r.minor)) return &r;
  return nullptr;
}

const mo_host* host_of(const AbiRelease& r) {
  struct Made {
    std::mutex mutex;
    std::map<const AbiRelease*, const mo_host*> hosts;
  };
  static auto* made = new Made;  // never destroyed: plugins keep what they were handed
  const std::lock_guard lock(made->mutex);
  const mo_host*& host = made->hosts[&r];
  if (host == nullptr) host = make(r);
  return host;
}

}  // namespace mo::core
