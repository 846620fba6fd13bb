// A table of slots in one file. A slot is found by device and inode, and holds one sum: where two files meet in one the
// last stays, and the other is read again. So the file has a largest size, and nobody has to clean it. Slots are
// written without a lock; one that was written by two at once, or is damaged, does not have the check that it says.
#include "apps/known_plugins/known_sums.hpp"

#include <sys/stat.h>
#include <sys/utsname.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "apps/files/regular_file.hpp"
#include "apps/known_plugins/plugin_cache.hpp"
#include "apps/known_plugins/sha256.hpp"
#include "apps/known_plugins/xxh3.hpp"

namespace mo::app {

namespace {

constexpr uint64_t slots = 1U << 14U, format = 1;

struct Slot {
  // A folder of caches may be shared by machines, whose numbers of devices and inodes are the same.
  uint64_t machine = 0, device = 0, inode = 0, size = 0, kind = 0;
  int64_t written = 0, written_ns = 0, changed = 0, changed_ns = 0;
  char sum[64] = {};  // without a NUL when it is as long
  uint64_t check = 0;
};
static_assert(sizeof(Slot) == 144);

uint64_t hash(const void* bytes, size_t count) { return XXH3_64bits_withSeed(bytes, count, format); }

uint64_t this_machine() {
  utsname name{};
  return uname(&name) == 0 ? hash(name.nodename, std::strlen(name.nodename)) : 0;
}

Slot slot_for(const struct stat& s, KnownSums::Kind kind) {
  Slot slot;
  slot.machine = this_machine();
  slot.device = s.st_dev;
  slot.inode = s.st_ino;
  slot.size = static_cast<uint64_t>(s.st_size);
  slot.kind = static_cast<uint64_t>(kind);
  slot.written = s.st_mtim.tv_sec;
  slot.written_ns = s.st_mtim.tv_nsec;
  if (kind == KnownSums::Kind::sha256) {
    slot.changed = s.st_ctim.tv_sec;
    slot.changed_ns = s.st_ctim.tv_nsec;
  }
  return slot;
}

off_t place_of(const Slot& slot) {
  const uint64_t who[] = {slot.machine, slot.device, slot.inode, slot.kind};
  return static_cast<off_t>(hash(who, sizeof who) % slots * sizeof(Slot));
}

uint64_t check_of(const Slot& slot) { return hash(&slot, offsetof(Slot, check)); }

// Ours alone, so that nobody else says what a file contains.
core::Descriptor opened(const std::string& file, int flags) {
  core::Descriptor table(open(file.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  struct stat s {};
  if (table && (fstat(table.get(), &s) != 0 || !S_ISREG(s.st_mode) || s.st_uid != geteuid() ||
                (s.st_mode & (S_IWGRP | S_IWOTH)) != 0))
    table.close();
  return table;
}

bool is_same(const struct stat& a, const struct stat& b) {
  const Slot one = slot_for(a, KnownSums::Kind::sha256), other = slot_for(b, KnownSums::Kind::sha256);
  return std::memcmp(&one, &other, sizeof one) == 0;
}

std::string xxh3_of(const core::Descriptor& file) {
  Xxh3 sum;
  const auto take = [&](std::string_view piece) { return sum.add(piece.data(), piece.size()), true; };
  return each_piece(file.get(), take) ? sum.hex() : std::string();
}

}  // namespace

std::string KnownSums::of(const std::string& path, Kind kind) const {
  const RegularFile file(path);
  struct stat before {
  }, after{};
  if (!file.descriptor || fstat(file.descriptor.get(), &before) != 0) return {};
  if (std::string sum = known(before, kind); !sum.empty()) return sum;
  std::string sum = kind == Kind::sha256 ? sha256_of(file.descriptor) : xxh3_of(file.descriptor);
  if (!sum.empty() && fstat(file.descriptor.get(), &after) == 0 && is_same(before, after))
    remember(after, kind, sum);
  return sum;
}

std::string KnownSums::known(const struct stat& s, Kind kind) const {
  if (file_.empty()) return {};
  const core::Descriptor table = opened(file_, O_RDONLY);
  Slot wanted = slot_for(s, kind), there;
  if (!table || pread(table.get(), &there, sizeof there, place_of(wanted)) != sizeof there ||
      there.check != check_of(there))
    return {};
  std::memcpy(wanted.sum, there.sum, sizeof wanted.sum);
  wanted.check = there.check;
  return std::memcmp(&wanted, &there, sizeof there) == 0
             ? std::string(there.sum, strnlen(there.sum, sizeof there.sum))
             : std::string();
}

void KnownSums::remember(const struct stat& s, Kind kind, const std::string& sum) const {
  using std::chrono::nanoseconds, std::chrono::seconds;
  if (file_.empty()) return;
  Slot slot = slot_for(s, kind);
  const auto last = std::max(seconds(s.st_mtim.tv_sec) + nanoseconds(s.st_mtim.tv_nsec),
                             seconds(slot.changed) + nanoseconds(slot.changed_ns));
  if (std::chrono::system_clock::now().time_since_epoch() - last < settled_) return;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(file_).parent_path(), error);
  const core::Descriptor table = opened(file_, O_WRONLY | O_CREAT);
  if (!table || sum.size() > sizeof slot.sum) return;
  std::memcpy(slot.sum, sum.data(), sum.size());
  slot.check = check_of(slot);
  // Who cannot write reads again.
  if (pwrite(table.get(), &slot, sizeof slot, place_of(slot)) < 0) return;
}

std::string known_sums_file() {
  const std::string folder = plugin_cache_folder();
  return folder.empty() ? folder : (std::filesystem::path(folder).parent_path() / "sums").string();
}

}  // namespace mo::app
