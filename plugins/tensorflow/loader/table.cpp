#include "loader/table.hpp"

#include "loader/crc32c.hpp"

#include <mo/wire.hpp>

#include <snappy.h>

#include <algorithm>

namespace mo::tensorflow {

namespace {

constexpr size_t footer_size = 48, trailer_size = 5;  // of a block: how it is packed, and a checksum
constexpr uint64_t magic = 0xdb4775248b80fb57U;

template <class T>
T load(const char* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

}  // namespace

bool Table::is_table(Bytes file) {
  return file.size() >= footer_size && load<uint64_t>(file.data() + file.size() - sizeof magic) == magic;
}

Table::Table(Bytes file, std::string_view name) : file_(file), name_(name) {
  require(is_table(file), "'", name, "' is damaged: it does not end as a table of a checkpoint does");
  const Bytes footer = file.substr(file.size() - footer_size);
  try {
    wire::Reader r(footer);
    (void)r.read_varint();  // the index of meta blocks, which are not needed
    (void)r.read_varint();
    std::vector<Entry> blocks;
    read_entries(read_block(parse_handle(footer.substr(r.offset()))), blocks);
    // A block that many entries of the index name would be read as often: memory without end.
    uint64_t end = 0;
    for (const Entry& b : blocks) {
      const Handle h = parse_handle(b.value);
      require(h.offset >= end, "the file is damaged: its blocks overlap, or are not in order");
      end = h.offset + h.size + trailer_size;
      read_entries(read_block(h), entries_);
    }
  } catch (const Error& e) {
    throw Error(text('\'', name, "': ", e.what()), e.status());
  }
}

Table::Handle Table::parse_handle(Bytes bytes) const {
  wire::Reader r(bytes);
  Handle h;
  h.offset = r.read_varint();
  h.size = r.read_varint();
  const uint64_t room = file_.size() - footer_size;
  require(h.size <= room && room - h.size >= trailer_size && h.offset <= room - h.size - trailer_size,
          "the file is damaged: a block of ", h.size, " bytes at ", h.offset, " is outside of it");
  return h;
}

Bytes Table::read_block(const Handle& h) {
  const Bytes block = file_.substr(h.offset, h.size);
  const char* const trailer = block.data() + block.size();
  const Bytes covered(block.data(), block.size() + 1);
  require(load<uint32_t>(trailer + 1) == masked_crc(crc32c(covered)),
          "the file is damaged: the checksum of the ", "block at ", h.offset, " is wrong");
  enum : unsigned char { plain = 0, by_snappy = 1 };
  const auto packed = static_cast<unsigned char>(*trailer);
  if (packed == plain) return block;
  require(packed == by_snappy, "the block at ", h.offset, " is packed in way ", static_cast<unsigned>(packed),
          ", which is not known");
  constexpr size_t most = 64;  // snappy repeats at most so many bytes by each one
  size_t size = 0;
  require(snappy::GetUncompressedLength(block.data(), block.size(), &size) && size / most <= block.size(),
          "the file is damaged: the block at ", h.offset, " is not packed by snappy");
  std::string& out = unpacked_.emplace_back(size, '\0');
  require(snappy::RawUncompress(block.data(), block.size(), out.data()), "the file is damaged: the block at ",
          h.offset, " cannot be unpacked");
  return out;
}

void Table::read_entries(Bytes block, std::vector<Entry>& entries) {
  const auto damaged = [](bool fine) { require(fine, "the file is damaged: a block ends inside an entry"); };
  damaged(block.size() >= sizeof(uint32_t));
  const uint64_t restarts = load<uint32_t>(block.data() + block.size() - sizeof(uint32_t));
  damaged(restarts <= block.size() / sizeof(uint32_t) - 1);
  const Bytes body = block.substr(0, block.size() - (restarts + 1) * sizeof(uint32_t));
  std::string key;
  for (size_t at = 0; at < body.size();) {
    wire::Reader r(body.substr(at));
    const uint64_t shared = r.read_varint(), own = r.read_varint(), value = r.read_varint();
    at += r.offset();
    damaged(shared <= key.size() && own <= body.size() - at && value <= body.size() - at - own);
    key.resize(shared);
    key += body.substr(at, own);
    at += own;
    require(entries.empty() || entries.back().key < key, "the file is damaged: its keys are not in order");
    // A few bytes of an entry may repeat a long key.
    key_bytes_ += sizeof(Entry) + key.size();
    constexpr uint64_t any_file = 1 << 20, for_each_byte = 64;
    require(key_bytes_ / for_each_byte <= any_file / for_each_byte + file_.size(),
            "the file is damaged: its keys ", "take more than ", key_bytes_ >> 20, " MiB");
    entries.push_back({key, body.substr(at, value)});
    at += value;
  }
}

const Table::Entry* Table::find(std::string_view key) const {
  const auto i = std::lower_bound(entries_.begin(), entries_.end(), key,
                                  [](const Entry& e, std::string_view k) { return e.key < k; });
  return i == entries_.end() || i->key != key ? nullptr : &*i;
}

}  // namespace mo::tensorflow
