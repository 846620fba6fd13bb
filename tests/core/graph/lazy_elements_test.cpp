#include "core/graph/lazy_elements.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <thread>

#include "core/ir/constants.hpp"
#include "core/support/failure.hpp"

namespace mo::core {
namespace {

using Read = std::function<void(uint64_t, size_t, std::byte*)>;

class Source final : public ElementSource {
 public:
  explicit Source(Read read) : read_(std::move(read)) {}
  void read(uint64_t offset, size_t count, std::byte* to) override { read_(offset, count, to); }

 private:
  Read read_;
};

TensorRef lazy(ElementType type, std::vector<int64_t> dims, Read read, std::vector<TensorRef> bases = {}) {
  return lazy_tensor(type, std::move(dims), 0, std::make_unique<Source>(std::move(read)), std::move(bases));
}

// Element i is i; counts the bytes that are asked for.
TensorRef counting(int64_t n, std::atomic<uint64_t>* asked = nullptr) {
  return lazy(ElementType::u32, {n}, [asked](uint64_t offset, size_t count, std::byte* to) {
    ASSERT_EQ(offset % 4 + count % 4 + reinterpret_cast<uintptr_t>(to) % 4, 0U);
    if (asked != nullptr) *asked += count;
    for (size_t i = 0; i < count / 4; ++i) {
      const auto v = static_cast<uint32_t>(offset / 4 + i);
      std::memcpy(to + 4 * i, &v, 4);
    }
  });
}

uint32_t element(const mo_tensor& t, uint64_t i) {
  uint32_t v = 0;
  read_bytes(t, 4 * i, 4, reinterpret_cast<std::byte*>(&v));
  return v;
}

TEST(LazyElements, AreNotComputedBeforeSomebodyReads) {
  std::atomic<uint64_t> asked{0};
  const TensorRef t = counting(100'000, &asked);
  EXPECT_EQ(t->bytes, 400'000U);
  EXPECT_EQ(asked, 0U);
  EXPECT_EQ(element(*t, 70'000), 70'000U);
  EXPECT_EQ(asked, 4U);
  EXPECT_EQ(t->known, nullptr);
}

TEST(LazyElements, ComeInAnyPieceAndToAnyPlace) {
  const TensorRef t = counting(5000);
  std::vector<std::byte> whole(t->bytes), pieces(t->bytes + 1);
  read_bytes(*t, 0, t->bytes, whole.data());
  for (uint64_t at = 0; at < t->bytes; at += 4097)  // parts of elements, and never aligned
    read_bytes(*t, at, std::min<uint64_t>(4097, t->bytes - at), pieces.data() + 1 + at);
  EXPECT_EQ(std::memcmp(whole.data(), pieces.data() + 1, whole.size()), 0);
}

TEST(LazyElements, AreComputedOnceForWhoWantsThemInMemory) {
  std::atomic<uint64_t> asked{0};
  const TensorRef t = counting(100'000, &asked);
  std::vector<std::thread> threads;
  std::vector<const std::byte*> seen(8);
  for (auto& s : seen) threads.emplace_back([&] { s = t->data(); });
  for (std::thread& thread : threads) thread.join();
  for (const std::byte* s : seen) EXPECT_EQ(s, t->data());
  EXPECT_EQ(asked, t->bytes);
  EXPECT_EQ(element(*t, 99'999), 99'999U);
  EXPECT_EQ(asked, t->bytes);
}

TEST(LazyElements, AViewIsLazyToo) {
  const TensorRef t = counting(1000);
  const TensorRef inner =
      view_tensor(view_tensor(t, 400, ElementType::u32, {30, 20}), 80, ElementType::u32, {20});
  EXPECT_EQ(inner->known, nullptr);
  EXPECT_EQ(element(*inner, 3), 123U);
  EXPECT_EQ(inner->data(), t->data() + 480);
}

// A chain that is longer than any stack, and whose end is read over and over, costs what computing each link
// a few times costs.
TEST(LazyElements, LongChainsAreNeitherDeepNorQuadratic) {
  constexpr int links = 10'000;
  constexpr int64_t n = 16;
  auto asked = std::make_shared<uint64_t>(0);
  TensorRef t = counting(n);
  for (int i = 0; i < links; ++i) {
    const TensorRef base = t;
    t = lazy(ElementType::u32, {n},
             [base, asked](uint64_t offset, size_t count, std::byte* to) {
               *asked += count;
               read_bytes(*base, offset, count, to);
               for (size_t k = 0; k < count; k += 4) {
                 uint32_t v = 0;
                 std::memcpy(&v, to + k, 4);
                 ++v;
                 std::memcpy(to + k, &v, 4);
               }
             },
             {base});
    EXPECT_LT(depth_of(*t), 40U);
  }
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(element(*t, 5), 5U + links);
  EXPECT_LT(*asked, uint64_t{links} * n * 4 * 12);
}

TEST(LazyElements, WhatReadsItselfIsAnError) {
  mo_tensor* self = nullptr;
  const TensorRef t = lazy(ElementType::u32, {16}, [&self](uint64_t offset, size_t count, std::byte* to) {
    read_bytes(*self, offset, count, to);
  });
  self = t.get();
  EXPECT_THROW((void)element(*t, 0), Error);
  EXPECT_THROW((void)t->data(), Error);
}

TEST(LazyElements, WithoutMemoryTheyAreStillRead) {
  const TensorRef t =
      lazy(ElementType::u8, {int64_t{1} << 55}, [](uint64_t offset, size_t count, std::byte* to) {
        for (size_t i = 0; i < count; ++i) to[i] = static_cast<std::byte>(offset + i);
      });
  EXPECT_THROW((void)t->data(), std::bad_alloc);
  std::byte b{};
  read_bytes(*t, (uint64_t{1} << 54) + 77, 1, &b);
  EXPECT_EQ(b, std::byte{77});
}

TEST(LazyElements, AFailureReachesWhoReadsAndMayPass) {
  bool fails = true;
  const TensorRef t = lazy(ElementType::u8, {5000}, [&](uint64_t, size_t count, std::byte* to) {
    if (fails) throw Error("the tape is torn", MO_IO_ERROR);
    std::memset(to, 7, count);
  });
  EXPECT_THROW((void)t->data(), Error);
  TensorReader reader;
  EXPECT_THROW((void)reader.read(*t, 0, 10), Failure);
  fails = false;
  EXPECT_EQ(t->data()[4999], std::byte{7});
}

TEST(LazyElements, AreToldApartAndSharedByWhatTheyAre) {
  const TensorRef a = counting(50'000), b = counting(50'000);
  const TensorRef c = lazy(ElementType::u32, {50'000}, [](uint64_t offset, size_t count, std::byte* to) {
    for (size_t i = 0; i < count / 4; ++i) {
      const auto v = static_cast<uint32_t>(offset / 4 + i == 33'333 ? 0 : offset / 4 + i);
      std::memcpy(to + 4 * i, &v, 4);
    }
  });
  EXPECT_TRUE(equal_contents(*a, *b));
  EXPECT_FALSE(equal_contents(*a, *c));
  const std::vector<const mo_tensor*> all{a.get(), c.get(), b.get()};
  EXPECT_EQ(find_equal(all), (std::vector<uint32_t>{0, 1, 0}));
  EXPECT_EQ(a->known, nullptr);
}

TEST(LazyElements, TheSourceGoesOnceTheElementsAreInMemory) {
  auto kept = std::make_shared<int>(1);
  const TensorRef t = lazy(ElementType::u8, {5000},
                           [kept](uint64_t, size_t count, std::byte* to) { std::memset(to, *kept, count); });
  EXPECT_GT(kept.use_count(), 1);
  (void)t->data();
  EXPECT_EQ(kept.use_count(), 1);
}

// Nobody pays for elements that are computed when they are read; who wants them in memory does.
TEST(LazyElements, AreChargedWhenTheyStayInMemory) {
  const auto account = std::make_shared<MemoryAccount>();
  account->set_limit(1000);
  const auto zeros = [&](int64_t n) {
    auto source =
        std::make_unique<Source>([](uint64_t, size_t count, std::byte* to) { std::memset(to, 0, count); });
    return lazy_tensor(ElementType::u8, {n}, 0, std::move(source), {}, account);
  };
  TensorRef first = zeros(600);
  const TensorRef second = zeros(600);
  EXPECT_NE(first->data(), nullptr);
  EXPECT_THROW((void)second->data(), Failure);
  std::byte b{};
  for (int i = 0; i < 20'000; ++i) read_bytes(*second, 7, 1, &b);
  EXPECT_EQ(second->known, nullptr) << "it stays slow";
  first = {};
  EXPECT_NE(second->data(), nullptr);
  EXPECT_THROW(zeros(4004), Failure) << "that is not even computed piece by piece";
  account->add_model(1);
  EXPECT_EQ(zeros(4004)->bytes, 4004U);
}

}  // namespace
}  // namespace mo::core
