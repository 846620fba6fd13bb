// Elements of a tensor as the numbers that mo/tensor.hpp hands out.
#include <gtest/gtest.h>

#include <mo/sdk.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "core/host/host_tables.hpp"
#include "core/registry/abi.hpp"

namespace mo::core {
namespace {

class TensorElements : public testing::Test {
 protected:
  template <class T>
  std::vector<int64_t> integers(const std::vector<T>& values) {
    auto [t, data] = Tensor::create<T>(Context(call_.get()), {static_cast<int64_t>(values.size())});
    std::copy(values.begin(), values.end(), data);
    return t.to_ints();
  }

  Session session_{host_table()};
  Call call_{session_};
};

TEST_F(TensorElements, FloatsBecomeIntegersThatExist) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
  const std::vector<int64_t> expected{0, most, least, most, least, -1, 1};
  const auto of = [&](auto one) {
    using T = decltype(one);
    constexpr T infinite = std::numeric_limits<T>::infinity();
    return integers<T>(
        {std::numeric_limits<T>::quiet_NaN(), infinite, -infinite, T(1e19), T(-1e19), T(-1.9), T(1.9)});
  };
  EXPECT_EQ(of(double{}), expected);
  EXPECT_EQ(of(float{}), expected);
}

// The host counts what it makes; a list of all of it beside that would have been made first.
TEST_F(TensorElements, WhatIsAboveALimitIsRefusedBeforeThereIsAListForIt) {
  session_.memory()->set_limit(uint64_t{1} << 41);
  const auto ones = [](Context, uint64_t, uint64_t n, char* to) { std::memset(to, 1, n); };
  const Tensor t = lazy_tensor(Context(call_.get()), ElementType::u8, {int64_t{1} << 40}, {}, ones);
  session_.memory()->set_limit(1000);
  EXPECT_THROW(t.to_ints(), mo::Error);
  EXPECT_THROW(t.to_floats(), mo::Error);
}

TEST(SdkErrors, GoOnBehindAZeroByteOfANameInAFile) {
  using namespace std::string_literals;
  EXPECT_STREQ(mo::Error("there is no entry '\0a\0' here"s).what(), "there is no entry '\\0a\\0' here");
  EXPECT_STREQ(mo::Error("\0"s).what(), "\\0");
}

}  // namespace
}  // namespace mo::core
