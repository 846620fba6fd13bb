#include "loader/crc32c.hpp"

#include <array>

namespace mo::tensorflow {

namespace {
constexpr std::array<uint32_t, 256> make_remainders() {
  constexpr uint32_t polynomial = 0x82f63b78U;  // Castagnoli's, bits in reverse
  std::array<uint32_t, 256> r{};
  for (uint32_t i = 0; i < r.size(); ++i) {
    r[i] = i;
    for (int k = 0; k < 8; ++k) r[i] = (r[i] >> 1) ^ ((r[i] & 1U) != 0 ? polynomial : 0);
  }
  return r;
}
constexpr std::array<uint32_t, 256> remainders = make_remainders();
}  // namespace

uint32_t crc32c(std::string_view bytes) {
  uint32_t crc = ~0U;
  for (const char c : bytes) crc = (crc >> 8) ^ remainders[(crc ^ static_cast<unsigned char>(c)) & 0xffU];
  return ~crc;
}

}  // namespace mo::tensorflow
