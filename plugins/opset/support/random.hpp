// Generators of random numbers that frameworks agree on: Philox 4x32 with 10 rounds, and MT19937.
#pragma once

#include <array>
#include <cstdint>

namespace mo::opset {

// Four numbers for each count, a function of the key and of the upper half of the counter alone.
class Philox {
 public:
  Philox(uint64_t key, uint64_t counter) : key_(key), counter_(counter) {}
  uint32_t operator()() {
    if (next_ == 4) refill();
    return ready_[next_++];
  }

 private:
  void refill() {
    std::array<uint32_t, 4> x{static_cast<uint32_t>(n_), static_cast<uint32_t>(n_ >> 32),
                              static_cast<uint32_t>(counter_), static_cast<uint32_t>(counter_ >> 32)};
    auto low = static_cast<uint32_t>(key_), high = static_cast<uint32_t>(key_ >> 32);
    for (int round = 0; round < 10; ++round) {
      const uint64_t a = uint64_t{0xD2511F53} * x[0], b = uint64_t{0xCD9E8D57} * x[2];
      x = {static_cast<uint32_t>(b >> 32) ^ x[1] ^ low, static_cast<uint32_t>(b),
           static_cast<uint32_t>(a >> 32) ^ x[3] ^ high, static_cast<uint32_t>(a)};
      low += 0x9E3779B9U;
      high += 0xBB67AE85U;
    }
    ready_ = x;
    next_ = 0;
    if (++n_ == 0) ++counter_;
  }
  uint64_t key_, counter_, n_ = 0;
  std::array<uint32_t, 4> ready_{};
  size_t next_ = 4;
};

class MersenneTwister {
 public:
  explicit MersenneTwister(uint64_t seed) {
    state_[0] = static_cast<uint32_t>(seed);
    for (uint32_t i = 1; i < size; ++i) state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
  }
  uint32_t operator()() {
    if (next_ == size) twist();
    uint32_t y = state_[next_++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680U;
    y ^= (y << 15) & 0xefc60000U;
    return y ^ (y >> 18);
  }

 private:
  static constexpr uint32_t size = 624, middle = 397;
  void twist() {
    for (uint32_t i = 0; i < size; ++i) {
      const uint32_t y = (state_[i] & 0x80000000U) | (state_[(i + 1) % size] & 0x7fffffffU);
      state_[i] = state_[(i + middle) % size] ^ (y >> 1) ^ ((y & 1U) != 0 ? 0x9908b0dfU : 0U);
    }
    next_ = 0;
  }
  std::array<uint32_t, size> state_{};
  uint32_t next_ = size;
};

// The 52 lower bits of two numbers behind the point: 0 to 1, without 1.
inline double philox_double(uint32_t high, uint32_t low) {
  return static_cast<double>((uint64_t{high & 0xfffffU} << 32) | low) * 0x1p-52;
}

}  // namespace mo::opset
