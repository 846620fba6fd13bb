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

uint64_t sketch_of(Context c, const Tensor& t) {
  constexpr uint64_t piece = 32, pieces = 8;
  uint64_t sum = static_cast<uint64_t>(t.type());
  mix(sum, t.rank());
  for (size_t i = 0; i < t.rank(); ++i) mix(sum, static_cast<uint64_t>(t.dim(i)));
  char bytes[piece * pieces];
  const uint64_t step = (t.bytes() - std::min(t.bytes(), piece)) / (pieces - 1);
  if (t.bytes() <= sizeof bytes) {
    t.read(c, 0, t.bytes(), bytes);
    mix_bytes(sum, bytes, t.bytes());
    return sum;
  }
  for (uint64_t i = 0; i < pieces; ++i) t.read(c, i * step, piece, bytes + i * piece);
  for (uint64_t i = 0; i < pieces; ++i) mix_bytes(sum, bytes + i * piece, piece);
  return sum;
}

bool equal_constants(Context c, const Tensor& a, const Tensor& b) {
  if (a.type() != b.type() || a.type() == ElementType::string || a.dims() != b.dims()) return false;
  if (a.bytes() != b.bytes()) return false;
  if (a.place() == b.place()) return true;
  const size_t most = static_cast<size_t>(std::min<uint64_t>(piece_bytes, a.bytes()));
  const auto one = std::make_unique<char[]>(most), other = std::make_unique<char[]>(most);
  for (uint64_t at = 0; at < a.bytes(); at += most) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(most, a.bytes() - at));
    a.read(c, at, n, one.get());
    b.read(c, at, n, other.get());
    if (std::memcmp(one.get(), other.get(), n) != 0) return false;
  }
  return true;
}

}  // namespace mo::builtin_passes
