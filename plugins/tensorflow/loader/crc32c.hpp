// CRC-32C, as the tables of checkpoints are protected with.
#pragma once

#include <cstdint>
#include <string_view>

namespace mo::tensorflow {

uint32_t crc32c(std::string_view bytes);
// As it is stored: a checksum of bytes that hold checksums would be weak.
constexpr uint32_t masked_crc(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8U; }

}  // namespace mo::tensorflow
