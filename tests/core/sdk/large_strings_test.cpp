// Strings of more than 2 GiB are refused before any of them is looked at: their offsets are numbers of 32
// bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/mman.h>

#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

TEST(LargeStrings, DoNotFitIntoOneTensor) {
  // Addresses without memory behind them: a look at one byte would end the test.
  constexpr size_t bytes = size_t{1} << 30;
  void* nothing = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(nothing, MAP_FAILED);
  const std::string_view one(static_cast<const char*>(nothing), bytes);
  std::string why;
  Lab lab;
  lab.plugin("com.acme", [&](Registry& r) {
    r.transformation<OnGraph>("acme.packs", [&](Graph g) {
      try {
        (void)Tensor::strings(g.context(), {one, one}, {2});
      } catch (const Error& e) {
        why = e.what();
      }
    });
  });
  const auto g = lab.graph("%x = Parameter -> f32[1]\nResult (%x)");
  lab.run(*g, "acme.packs");
  EXPECT_THAT(why, testing::HasSubstr("more than 2 GiB"));
  EXPECT_EQ(munmap(nothing, bytes), 0);
}

}  // namespace
}  // namespace mo::test
