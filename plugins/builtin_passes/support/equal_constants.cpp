#include "support/equal_constants.hpp"

#include <algorithm>
#include <cstring>

namespace mo::builtin_passes {

namespace {

void mix(uint64_t& sum, uint64_t v) {
  sum = (sum ^ v) * 0x9E3779B97F4A7C15U;
  sum ^= sum >> 29;
}

void mix_bytes(uint64_t& sum, const char* data, uint64_t count) {
  while (count > 0) {
    uint64_t v = 0;
    const uint64_t n = std::min<uint64_t>(count, sizeof v);
    std::memcpy(&v, data, n);
    mix(sum, v);
    data += n;
    count -= n;
  }
}

}  // namespace

uint64_t sketch_of(const Tensor& t) {
  constexpr uint64_t piece = 32, pieces = 8;
  uint64_t sum = static_cast<uint64_t>(t.type());
  mix(sum, t.rank());
  for (size_t i = 0; i < t.rank(); ++i) mix(sum, static_cast<uint64_t>(t.dim(i)));
  const auto* data = static_cast<const char*>(t.data());
  if (t.bytes() <= piece * pieces) {
    mix_bytes(sum, data, t.bytes());
    return sum;
  }
  const uint64_t step = (t.bytes() - piece) / (pieces - 1);
  for (uint64_t i = 0; i < pieces; ++i) mix_bytes(sum, data + i * step, piece);
  return sum;
}

bool equal_constants(const Tensor& a, const Tensor& b) {
  if (a.type() != b.type() || a.type() == ElementType::string || a.dims() != b.dims()) return false;
  return a.bytes() == b.bytes() && (a.data() == b.data() || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

}  // namespace mo::builtin_passes
