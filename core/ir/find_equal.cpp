#include "core/ir/constants.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace mo::core {

namespace {

// Tensors up to this size are told apart by all of their bytes at once.
constexpr uint64_t small = 1024;
// Of larger ones some windows are looked at first.
constexpr uint64_t sample_bytes = 256, samples = 4;

struct Candidate {
  uint64_t key;
  uint32_t index;
};

class Finder {
 public:
  explicit Finder(std::span<const mo_tensor* const> tensors) : tensors_(tensors), first_(tensors.size()) {}

  std::vector<uint32_t> run() {
    std::vector<Candidate> all(tensors_.size());
    for (uint32_t i = 0; i < all.size(); ++i) {
      first_[i] = i;
      all[i].index = i;
    }
    // Each step reads more, of fewer tensors: only where all earlier keys were equal.
    refine(all, &Finder::header, [this](std::span<Candidate> same_header) {
      refine(same_header, &Finder::sample, [this](std::span<Candidate> same_sample) {
        // Two are compared as fast as they are hashed.
        if (same_sample.size() == 2) return compare(same_sample);
        refine(same_sample, &Finder::content, [this](std::span<Candidate> same) { compare(same); });
      });
    });
    return std::move(first_);
  }

 private:
  template <class Next>
  void refine(std::span<Candidate> group, uint64_t (Finder::*key)(const mo_tensor&), Next next) {
    for (Candidate& c : group) c.key = (this->*key)(*tensors_[c.index]);
    std::sort(group.begin(), group.end(), [](const Candidate& a, const Candidate& b) {
      return a.key != b.key ? a.key < b.key : a.index < b.index;
    });
    for (size_t i = 0; i < group.size();) {
      size_t end = i + 1;
      while (end < group.size() && group[end].key == group[i].key) ++end;
      if (end - i > 1) next(group.subspan(i, end - i));
      i = end;
    }
  }

  uint64_t header(const mo_tensor& t) {
    const uint64_t key = XXH3_64bits_withSeed(t.dims.data(), t.dims.size() * sizeof(int64_t),
                                              static_cast<uint64_t>(t.type) << 32 | t.dims.size());
    if (t.bytes > small || t.bytes == 0) return key ^ t.bytes;
    return XXH3_64bits_withSeed(reader_.read(t, 0, t.bytes), t.bytes, key);
  }

  uint64_t sample(const mo_tensor& t) {
    if (t.bytes <= small) return 0;
    uint64_t key = 0;
    for (uint64_t i = 0; i < samples; ++i)
      key = XXH3_64bits_withSeed(reader_.read(t, (t.bytes - sample_bytes) / (samples - 1) * i, sample_bytes),
                                 sample_bytes, key);
    return key;
  }

  uint64_t content(const mo_tensor& t) {
    uint64_t key = 0;
    for (uint64_t at = 0; at < t.bytes; at += TensorReader::window) {
      const auto count = static_cast<size_t>(std::min<uint64_t>(TensorReader::window, t.bytes - at));
      key = XXH3_64bits_withSeed(reader_.read(t, at, count), count, key);
    }
    return key;
  }

  // Candidates come in order of their index.
  void compare(std::span<Candidate> group) {
    std::vector<uint32_t> distinct;
    for (const Candidate& c : group) {
      const auto same = std::find_if(distinct.begin(), distinct.end(), [&](uint32_t other) {
        return equal(*tensors_[other], *tensors_[c.index]);
      });
      if (same == distinct.end())
        distinct.push_back(c.index);
      else
        first_[c.index] = *same;
    }
  }

  bool equal(const mo_tensor& a, const mo_tensor& b) {
    if (a.type != b.type || a.dims != b.dims || a.bytes != b.bytes) return false;
    if (&a == &b || (a.known != nullptr && a.known == b.known)) return true;
    for (uint64_t at = 0; at < a.bytes; at += TensorReader::window) {
      const auto count = static_cast<size_t>(std::min<uint64_t>(TensorReader::window, a.bytes - at));
      if (std::memcmp(reader_.read(a, at, count), other_reader_.read(b, at, count), count) != 0) return false;
    }
    return true;
  }

  std::span<const mo_tensor* const> tensors_;
  std::vector<uint32_t> first_;
  TensorReader reader_, other_reader_;
};

}  // namespace

std::vector<uint32_t> find_equal(std::span<const mo_tensor* const> tensors) { return Finder(tensors).run(); }

}  // namespace mo::core
