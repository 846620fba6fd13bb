// Weights that are scaled, turned, converted and joined when they are read, against the same computed element
// by element here, whatever pieces are read in what order.
#include <gtest/gtest.h>

#include <mo/sdk.hpp>

#include <cmath>
#include <limits>
#include <random>

#include "core/host/host_tables.hpp"
#include "core/registry/abi.hpp"

namespace mo::core {
namespace {

class LazyViews : public testing::Test {
 protected:
  Context context() { return Context(call_.get()); }

  template <class T = float>
  Tensor numbers(const std::vector<int64_t>& dims) {
    auto [t, data] = Tensor::create<T>(context(), dims);
    for (size_t i = 0; i < t.size(); ++i) data[i] = static_cast<T>((i * 2654435761U) % 251);
    return std::move(t);
  }

  // All bytes, in pieces of all sizes and in no order, and then again in one.
  std::vector<char> bytes_of(const Tensor& t) {
    std::vector<char> all(t.bytes());
    std::vector<std::pair<uint64_t, uint64_t>> pieces;
    const uint64_t sizes[] = {4, 40, 3000, 65536, 20000};
    for (uint64_t at = 0, i = 0; at < t.bytes(); ++i) {
      const uint64_t n = std::min(sizes[i % std::size(sizes)], t.bytes() - at);
      pieces.emplace_back(at, n);
      at += n;
    }
    std::shuffle(pieces.begin(), pieces.end(), std::mt19937(7));
    for (const auto& [at, n] : pieces) t.read(context(), at, n, all.data() + at);
    std::vector<char> again(t.bytes());
    t.read(context(), 0, t.bytes(), again.data());
    EXPECT_EQ(all, again);
    EXPECT_TRUE(t.is_lazy());
    return all;
  }

  Session session_{host_table()};
  Call call_{session_};
};

TEST_F(LazyViews, EachPermutationOfDimensions) {
  const std::vector<int64_t> dims{7, 13, 1, 11, 5};
  const Tensor t = numbers(dims);
  std::vector<int64_t> order{0, 1, 2, 3, 4};
  do {
    const Tensor turned = lazy_transposed(context(), t, order);
    std::vector<int64_t> strides(5, 1);
    for (size_t i = 5; i-- > 1;) strides[i - 1] = strides[i] * dims[i];
    std::vector<float> expected(t.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      auto rest = static_cast<int64_t>(i);
      int64_t at = 0;
      for (size_t d = 5; d-- > 0; rest /= dims[static_cast<size_t>(order[d])])
        at += rest % dims[static_cast<size_t>(order[d])] * strides[static_cast<size_t>(order[d])];
      expected[i] = static_cast<const float*>(t.data())[at];
    }
    std::vector<float> got(t.size());
    turned.read(context(), 0, turned.bytes(), got.data());
    ASSERT_EQ(got, expected) << testing::PrintToString(order);
    if (turned.is_lazy()) {
      const auto bytes = bytes_of(turned);
      ASSERT_EQ(std::memcmp(bytes.data(), expected.data(), bytes.size()), 0) << testing::PrintToString(order);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

// More than is kept of a source at once.
TEST_F(LazyViews, ALargeMatrixTurned) {
  constexpr int64_t rows = 3001, columns = 2003;
  const Tensor t = numbers(std::vector<int64_t>{rows, columns});
  const Tensor turned = lazy_transposed(context(), t, {1, 0});
  const auto* from = static_cast<const float*>(t.data());
  size_t wrong = 0;
  read_pieces<float>(context(), turned, [&](size_t first, const float* v, size_t n) {
    for (size_t k = 0; k < n; ++k) {
      const size_t i = first + k;
      wrong += v[k] == from[i % rows * columns + i / rows] ? 0 : 1;
    }
  });
  EXPECT_EQ(wrong, 0U);
}

TEST_F(LazyViews, WrongOrdersAreErrors) {
  const Tensor t = numbers({50, 60});
  EXPECT_THROW((void)lazy_transposed(context(), t, {0, 0}), Error);
  EXPECT_THROW((void)lazy_transposed(context(), t, {0}), Error);
  EXPECT_THROW((void)lazy_transposed(context(), t, {0, 2}), Error);
  EXPECT_THROW((void)lazy_transposed(context(), t, {0, -1}), Error);
}

TEST_F(LazyViews, PartsJoinedAlongEachDimension) {
  for (size_t axis = 0; axis < 3; ++axis) {
    std::vector<Tensor> parts;
    std::vector<int64_t> dims{20, 30, 40}, extents{9, 0, 1, 77};
    for (const int64_t e : extents) {
      dims[axis] = e;
      parts.push_back(numbers(dims));
    }
    const Tensor joined = lazy_joined(context(), parts, axis);
    dims[axis] = 87;
    ASSERT_EQ(joined.dims(), dims);
    const auto bytes = bytes_of(joined);
    size_t outer = 1, inner = 1;
    for (size_t i = 0; i < 3; ++i) (i < axis ? outer : inner) *= i == axis ? 1 : static_cast<size_t>(dims[i]);
    std::vector<float> expected;
    for (size_t o = 0; o < outer; ++o)
      for (const Tensor& p : parts) {
        const size_t run = static_cast<size_t>(p.dim(axis)) * inner;
        const auto* from = static_cast<const float*>(p.data()) + o * run;
        expected.insert(expected.end(), from, from + run);
      }
    ASSERT_EQ(bytes.size(), expected.size() * sizeof(float));
    EXPECT_EQ(std::memcmp(bytes.data(), expected.data(), bytes.size()), 0) << axis;
  }
}

TEST_F(LazyViews, ChannelsAreScaledInDouble) {
  const Tensor t = numbers({6, 33, 35});
  for (const ChannelsOf view : {ChannelsOf{33, 35}, ChannelsOf{35, 1}, ChannelsOf{6, 33 * 35}}) {
    std::vector<double> factors;
    for (uint64_t i = 0; i < view.channels; ++i) factors.push_back(1.0 / (3.0 + static_cast<double>(i)));
    const auto bytes = bytes_of(lazy_scaled(context(), t, view, factors));
    for (size_t i = 0; i < t.size(); ++i) {
      float v = 0;
      std::memcpy(&v, bytes.data() + 4 * i, 4);
      const double f = factors[i / view.inner % view.channels];
      ASSERT_EQ(v, static_cast<float>(static_cast<double>(static_cast<const float*>(t.data())[i]) * f)) << i;
    }
  }
  EXPECT_THROW((void)lazy_scaled(context(), t, {33, 35}, {1, 2}), Error);
  EXPECT_THROW((void)lazy_scaled(context(), numbers<int32_t>({50, 50}), {}, {2}), Error);
}

// Every half there is and the two numbers around each middle, by the function for one number.
TEST_F(LazyViews, FloatsBecomeHalvesAsOneByOne) {
  std::vector<float> list;
  for (uint32_t h = 0; h < 0x10000; ++h) {
    const float v = half_to_float(static_cast<uint16_t>(h));
    const float next = half_to_float(static_cast<uint16_t>(h + 1));
    const float middle = (v + next) / 2;
    for (const float x : {v, middle, std::nextafter(middle, v), std::nextafter(middle, next)})
      list.push_back(x);
  }
  for (const uint32_t b :
       {0x7f800001U, 0xffc12345U, 0x7f7fffffU, 0x00000001U, 0x80000001U, 0x33000000U, 0x33000001U})
    list.push_back(detail::float_from_bits(b));
  const Tensor t = Tensor::vector(context(), list);
  const auto bytes = bytes_of(lazy_converted(context(), t, ElementType::f16));
  for (size_t i = 0; i < list.size(); ++i) {
    uint16_t h = 0;
    std::memcpy(&h, bytes.data() + 2 * i, 2);
    ASSERT_EQ(h, float_to_half(list[i])) << list[i];
  }
}

TEST_F(LazyViews, SmallOnesAreComputedAtOnce) {
  EXPECT_FALSE(lazy_scaled(context(), numbers({10, 10}), {}, {2}).is_lazy());
  EXPECT_TRUE(lazy_scaled(context(), numbers({100, 100}), {}, {2}).is_lazy());
}

TEST_F(LazyViews, AnErrorInsideIsTheErrorOfWhoReads) {
  const Tensor t = lazy_map<float>(context(), numbers({5000}), [](uint64_t first, float*, size_t n) {
    require(first + n <= 100, "element ", first, " is bewitched");
  });
  float v = 0;
  t.read(context(), 0, 4, &v);
  try {
    t.read(context(), 400, 4, &v);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("element 100 is bewitched"), std::string::npos) << e.what();
  }
  EXPECT_THROW((void)t.data(), Error);
}

TEST_F(LazyViews, IntegersOfFloatsSaturate) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const Tensor t = Tensor::vector<float>(context(), {nan, inf, -inf, 1e30F, -2.7F});
  EXPECT_EQ(t.to_ints(), (std::vector<int64_t>{0, INT64_MAX, INT64_MIN, INT64_MAX, -2}));
}

}  // namespace
}  // namespace mo::core
