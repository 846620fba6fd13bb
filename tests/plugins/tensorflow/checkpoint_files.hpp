// Writes checkpoints as TensorFlow would: tables of LevelDB, bundles and those of version 1: for tests.
//
//   BundleWriter b;
//   b.add("w", tf_floats({2}, {1, 2}));
//   b.write(folder, "model");      // model.index and model.data-00000-of-00001
#pragma once

#include <array>
#include <map>

#include "graph_def.hpp"

namespace mo::test {

// CRC-32C, bit by bit.
inline uint32_t slow_crc32c(std::string_view bytes) {
  uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = (crc >> 1) ^ (0x82f63b78U & (0U - (crc & 1U)));
  }
  return ~crc;
}

inline std::string little_endian(uint64_t v, int bytes) {
  std::string s;
  for (int i = 0; i < bytes; ++i) s += static_cast<char>((v >> (8 * i)) & 0xffU);
  return s;
}

// Snappy's format: literals, and runs of one byte as copies of what is just behind.
inline std::string snappy_packed(std::string_view plain) {
  std::string out = Wire().varint(plain.size()).bytes;
  for (size_t at = 0; at < plain.size();) {
    size_t run = 0;
    while (at > 0 && run < 64 && at + run < plain.size() && plain[at + run] == plain[at - 1]) ++run;
    if (run >= 4) {
      out += static_cast<char>(((run - 1) << 2) | 2U);
      out += little_endian(1, 2);
      at += run;
    } else {
      out += '\0';  // a literal of one byte
      out += plain[at++];
    }
  }
  return out;
}

struct TableWriter {
  std::map<std::string, std::string> entries;
  size_t entries_in_block = 2;
  size_t handles_of_block = 1;  // more than one: not what TensorFlow writes
  bool snappy = false;

  static std::string block(const std::vector<std::pair<std::string, std::string>>& list) {
    std::string out, before;
    for (const auto& [key, value] : list) {
      size_t shared = 0;
      while (shared < std::min(before.size(), key.size()) && before[shared] == key[shared]) ++shared;
      out += Wire().varint(shared).varint(key.size() - shared).varint(value.size()).bytes;
      out += key.substr(shared) + value;
      before = key;
    }
    return out + little_endian(0, 4) + little_endian(1, 4);  // one restart, at the begin
  }

  std::string bytes() const {
    std::string out;
    const auto put = [&out](const std::string& plain, bool packed) {
      const std::string b = packed ? snappy_packed(plain) : plain;
      const std::string handle = Wire().varint(out.size()).varint(b.size()).bytes;
      const std::string covered = b + static_cast<char>(packed ? 1 : 0);
      const uint32_t crc = slow_crc32c(covered);
      out += covered + little_endian(((crc >> 15) | (crc << 17)) + 0xa282ead8U, 4);
      return handle;
    };
    std::vector<std::pair<std::string, std::string>> index, part;
    for (auto i = entries.begin(); i != entries.end();) {
      part.emplace_back(*i++);
      if (part.size() < entries_in_block && i != entries.end()) continue;
      const std::string handle = put(block(part), snappy);
      for (size_t k = 0; k < handles_of_block; ++k)
        index.emplace_back(part.back().first + std::string(k, '~'), handle);
      part.clear();
    }
    const std::string meta = put(block({}), false);
    std::string footer = meta + put(block(index), false);
    footer.resize(40);
    return out + footer + little_endian(0xdb4775248b80fb57U, 8);
  }
};

struct TfExtent {
  int64_t start, length;  // length -1: the whole dimension
};

inline Wire tf_slice(const std::vector<TfExtent>& extents) {
  Wire w;
  for (const TfExtent& e : extents) {
    Wire x;
    if (e.start != 0) x.integer(1, e.start);
    if (e.length != -1) x.integer(2, e.length);
    w.message(1, x);
  }
  return w;
}

// The key of a part: numbers from -64 to 63 take one byte each.
inline std::string key_of_part(std::string_view name, const std::vector<TfExtent>& extents) {
  std::string key("\0", 1);
  key += name;
  key += std::string("\0\x01\x01", 3) + static_cast<char>(extents.size());
  for (const TfExtent& e : extents) {
    key += static_cast<char>(static_cast<uint8_t>(e.start) ^ 0x80U);
    key += static_cast<char>(static_cast<uint8_t>(e.length) ^ 0x80U);
  }
  return key;
}

struct BundleWriter {
  TableWriter index;
  std::vector<std::string> shards = {""};

  static std::string entry(TfType type, const std::vector<int64_t>& dims, size_t shard, size_t offset,
                           size_t size, const Wire& more = {}) {
    Wire w;
    w.integer(1, static_cast<int64_t>(type)).text(2, tf_shape_bytes(dims));
    w.integer(3, static_cast<int64_t>(shard)).integer(4, static_cast<int64_t>(offset));
    w.integer(5, static_cast<int64_t>(size));
    return w.bytes + more.bytes;
  }
  BundleWriter& add(const std::string& key, const TfTensor& t, size_t shard = 0) {
    index.entries[key] = entry(t.type, t.dims, shard, shards[shard].size(), t.content.size());
    shards[shard] += t.content;
    return *this;
  }
  // A variable of `dims` that is stored in parts.
  BundleWriter& add_parts(const std::string& key, TfType type, const std::vector<int64_t>& dims,
                          const std::vector<std::pair<std::vector<TfExtent>, TfTensor>>& parts) {
    Wire slices;
    for (const auto& [extents, t] : parts) {
      slices.message(7, tf_slice(extents));
      add(key_of_part(key, extents), t, shards.size() - 1);
    }
    index.entries[key] = entry(type, dims, 0, 0, 0, slices);
    return *this;
  }
  // A scalar of type string.
  BundleWriter& add_text(const std::string& key, const std::string& value) {
    const std::string sizes = Wire().varint(value.size()).bytes + little_endian(0, 4);
    return add(key, {TfType::string, {}, sizes + value});
  }
  std::string index_bytes() const {
    TableWriter t = index;
    t.entries[""] = Wire().integer(1, static_cast<int64_t>(shards.size())).bytes;
    return t.bytes();
  }
  static std::string name_of_shard(const std::string& prefix, size_t i, size_t count) {
    const auto digits = [](size_t n) {
      return std::string(5 - std::to_string(n).size(), '0') + std::to_string(n);
    };
    return prefix + ".data-" + digits(i) + "-of-" + digits(count);
  }
  template <class Folder>
  void write(const Folder& folder, const std::string& prefix) const {
    folder.write(prefix + ".index", index_bytes());
    for (size_t i = 0; i < shards.size(); ++i)
      folder.write(name_of_shard(prefix, i, shards.size()), shards[i]);
  }
};

}  // namespace mo::test
