#include "support/rotary.hpp"

namespace mo::onnx::ms {

// [1 or batch, 1, length, pairs]
static OutPort table(const Build& b, const OutPort& all, const Rotary& r) {
  if (!r.positions) return b.unsqueeze(all, b.list({1}));
  const OutPort entries = gather(b, all, r.positions, 0);
  const OutPort pairs = b.dim(all, 1);
  const OutPort length = b.part(b.shape_of(r.positions), -1, INT64_MAX);
  return b.reshape(entries, b.concat({b.list({-1, 1}), length, pairs}));
}

static OutPort turned(const Build& b, const OutPort& x, const Rotary& r) {
  const OutPort c = table(b, r.cosines, r), s = table(b, r.sines, r);
  const auto turn = [&](const OutPort& first, const OutPort& second) {
    return Ports{b.subtract(b.multiply(first, c), b.multiply(second, s)),
                 b.add(b.multiply(second, c), b.multiply(first, s))};
  };
  if (!r.interleaved) {
    const Ports halves = split(b, x, -1, 2);
    return b.concat(turn(halves[0], halves[1]), -1);
  }
  const Ports parts = split(b, b.reshape(x, b.concat({b.list({0, 0, 0, -1, 2})}), true), 4, 2);
  const Ports both = turn(b.squeeze(parts[0], {4}), b.squeeze(parts[1], {4}));
  const OutPort last = b.list({4});
  return b.reshape(b.concat({b.unsqueeze(both[0], last), b.unsqueeze(both[1], last)}, 4),
                   b.list({0, 0, 0, -1}), true);
}

OutPort rotated(const Build& b, const OutPort& x, const Rotary& r) {
  if (r.whole) return turned(b, x, r);
  const OutPort size = b.multiply(b.dim(r.cosines, -1), b.list({2}));
  const Ports parts = split(b, x, -1, b.concat({size, b.list({-1})}), 2);
  return b.concat({turned(b, parts[0], r), parts[1]}, -1);
}

}  // namespace mo::onnx::ms
