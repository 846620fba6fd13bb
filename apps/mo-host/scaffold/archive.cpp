#include "apps/mo-host/scaffold/archive.hpp"

#include <boost/crc.hpp>
#include <cstdint>
#include <initializer_list>

namespace mo::app {

namespace {

constexpr uint32_t version = 10, first_of_1980 = 0x21;

// Little-endian.
void put(std::string& to, std::initializer_list<uint32_t> numbers, size_t width) {
  for (const uint32_t n : numbers)
    for (size_t i = 0; i < width; ++i) to += static_cast<char>(n >> (8 * i) & 0xFF);
}

// What the head of an entry and its line in the list have in common.
void describe(std::string& to, const std::string& name, const std::string& content) {
  boost::crc_32_type crc;
  crc.process_bytes(content.data(), content.size());
  const auto size = static_cast<uint32_t>(content.size());
  put(to, {version, 0, 0, 0, first_of_1980}, 2);  // no flags, not compressed, midnight
  put(to, {crc.checksum(), size, size}, 4);
  put(to, {static_cast<uint32_t>(name.size()), 0}, 2);
}

}  // namespace

std::string archive_of(const ArchiveEntries& entries) {
  std::string out, list;
  for (const auto& [name, content] : entries) {
    put(list, {0x02014B50}, 4);
    put(list, {version}, 2);
    describe(list, name, content);
    put(list, {0, 0, 0, 0, 0}, 2);
    put(list, {static_cast<uint32_t>(out.size())}, 4);
    list += name;
    put(out, {0x04034B50}, 4);
    describe(out, name, content);
    out += name + content;
  }
  const auto begin = static_cast<uint32_t>(out.size()), count = static_cast<uint32_t>(entries.size());
  out += list;
  put(out, {0x06054B50}, 4);
  put(out, {0, 0, count, count}, 2);
  put(out, {static_cast<uint32_t>(list.size()), begin}, 4);
  put(out, {0}, 2);
  return out;
}

}  // namespace mo::app
