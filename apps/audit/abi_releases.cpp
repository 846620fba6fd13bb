#include "apps/audit/abi_releases.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mo/text.hpp>
#include <mutex>

#include "core/host/host_tables.hpp"
#include "core/registry/abi.hpp"

namespace mo::app {

namespace {

constexpr AbiRelease releases[] = {
    {0, true, 192, {472, 80, 48, 64, 144, 72}},
};

// A change of a table is a new release.
constexpr bool is_todays(const AbiRelease& r) {
  return r.minor == MO_ABI_MINOR && r.host == sizeof(mo_host) &&
         r.parts == std::array{sizeof(mo_graph_api), sizeof(mo_tensor_api),  sizeof(mo_file_api),
                               sizeof(mo_infer_api), sizeof(mo_rewrite_api), sizeof(mo_registry_api)};
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
  core::HostTables today = core::host_tables();
  size_t part = 0;
  today.each_part([&](auto& table, auto& pointer) { pointer = cut(table, r.parts[part++]); });
  mo_host* host = cut(today.host, r.host);
  host->abi_minor = r.minor;
  return host;
}

}  // namespace

std::span<const AbiRelease> abi_releases() { return releases; }

std::string name_of(const AbiRelease& r) {
  return text(MO_ABI_MAJOR, ".", r.minor, r.candidate ? text("-rc", MO_ABI_CANDIDATE) : std::string());
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

}  // namespace mo::app
