#include "loader/archive.hpp"

#include <array>
#include <cstring>

namespace mo::pytorch {

namespace {

constexpr uint32_t local_mark = 0x04034b50, entry_mark = 0x02014b50, end_mark = 0x06054b50,
                   big_end_mark = 0x06064b50, big_place_mark = 0x07064b50;
constexpr uint64_t end_size = 22, entry_size = 46, local_size = 30, big_end_size = 56, big_place_size = 20;

template <class T>
T number(Bytes from, uint64_t at) {
  T v;
  std::memcpy(&v, from.data() + at, sizeof v);
  return v;
}

// The end of the directory is found from the end of the file: a comment of up to 64 KB may follow it.
uint64_t find_end(Bytes file, std::string_view name) {
  require(file.size() >= end_size, name, " is no archive: it has only ", file.size(), " bytes");
  const uint64_t last = file.size() - end_size;
  for (uint64_t back = 0; back <= std::min<uint64_t>(last, 0xffff); ++back)
    if (number<uint32_t>(file, last - back) == end_mark) return last - back;
  fail(name, " is cut off, or no archive: it has no directory at its end",
       hint("copy the file again, or export the model again"));
}

// Sizes and places that do not fit into 32 bits stand in an extra field, in this order.
void take_big(Bytes extra, const std::array<uint64_t*, 3>& fields) {
  for (uint64_t at = 0; at + 4 <= extra.size();) {
    const auto kind = number<uint16_t>(extra, at);
    const uint64_t size = number<uint16_t>(extra, at + 2), end = at + 4 + size;
    if (end > extra.size()) return;
    if (kind == 1) {
      uint64_t from = at + 4;
      for (uint64_t* f : fields) {
        if (*f != UINT32_MAX) continue;
        if (from + 8 > end) return;
        *f = number<uint64_t>(extra, from);
        from += 8;
      }
    }
    at = end;
  }
}

}  // namespace

Archive::Archive(Context c, const File& file, Range place, std::string name)
    : c_(c), file_(file), place_(place), name_(std::move(name)) {
  const Bytes all = file.bytes().substr(place.offset, place.size);
  const uint64_t end = find_end(all, name_);
  uint64_t count = number<uint16_t>(all, end + 10), size = number<uint32_t>(all, end + 12),
           offset = number<uint32_t>(all, end + 16);
  if (end >= big_place_size && number<uint32_t>(all, end - big_place_size) == big_place_mark) {
    const auto at = number<uint64_t>(all, end - big_place_size + 8);
    require(at <= all.size() && all.size() - at >= big_end_size && number<uint32_t>(all, at) == big_end_mark,
            name_, " is damaged: the end of its directory is not where it says");
    count = number<uint64_t>(all, at + 32);
    size = number<uint64_t>(all, at + 40);
    offset = number<uint64_t>(all, at + 48);
  }
  read_directory(part(offset, size, "its directory"), count);
}

Bytes Archive::part(uint64_t offset, uint64_t size, std::string_view what) const {
  require(offset <= place_.size && size <= place_.size - offset, name_, " is damaged: ", what, " of ", size,
          " bytes at ", offset, " is not in its ", place_.size, " bytes");
  return file_.bytes().substr(place_.offset + offset, size);
}

void Archive::read_directory(Bytes directory, uint64_t count) {
  uint64_t at = 0;
  for (uint64_t i = 0; i < count; ++i) {
    require(at + entry_size <= directory.size() && number<uint32_t>(directory, at) == entry_mark, name_,
            " is damaged: entry ", i, " of its directory is not there");
    const uint64_t name = number<uint16_t>(directory, at + 28), extra = number<uint16_t>(directory, at + 30),
                   comment = number<uint16_t>(directory, at + 32);
    require(name + extra + comment <= directory.size() - at - entry_size, name_, " is damaged: entry ", i,
            " of its directory is cut off");
    Entry e;
    uint64_t packed = number<uint32_t>(directory, at + 20);
    e.size = number<uint32_t>(directory, at + 24);
    e.header = number<uint32_t>(directory, at + 42);
    take_big(directory.substr(at + entry_size + name, extra), {&e.size, &packed, &e.header});
    e.is_stored = number<uint16_t>(directory, at + 10) == 0 && packed == e.size;
    const Bytes named = directory.substr(at + entry_size, name);
    require(named.find('\0') == Bytes::npos, name_, " is damaged: the name of entry ", i,
            " of its directory holds a zero");
    entries_.emplace(named, e);
    at += entry_size + name + extra + comment;
  }
}

// The local header has other extra fields than the directory. It is read without looking through the mapping,
// where each look would make many pages resident.
Archive::Range Archive::range(std::string_view entry) const {
  const auto found = entries_.find(entry);
  require(found != entries_.end(), name_, " has no entry '", entry, "'");
  const Entry& e = found->second;
  require(e.is_stored, "entry '", entry, "' of ", name_,
          " is compressed; torch.export stores entries as they are",
          hint("unpack the archive and pack it again with `zip -0 -r`"));
  (void)part(e.header, local_size, "a local header");
  const uint64_t header = place_.offset + e.header;
  std::array<char, local_size> local{};
  file_.tensor(c_, header, local_size, ElementType::u8, {static_cast<int64_t>(local_size)})
      .read(c_, 0, local_size, local.data());
  const Bytes view(local.data(), local.size());
  require(number<uint32_t>(view, 0) == local_mark, name_, " is damaged: entry '", entry,
          "' is not where its directory says");
  const uint64_t begin = e.header + local_size + number<uint16_t>(view, 26) + number<uint16_t>(view, 28);
  (void)part(begin, e.size, text("entry '", entry, "'"));
  return {place_.offset + begin, e.size};
}

Bytes Archive::bytes(std::string_view entry) const {
  const Range r = range(entry);
  return file_.bytes().substr(r.offset, r.size);
}

}  // namespace mo::pytorch
