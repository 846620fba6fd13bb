#include "core/support/write_behind.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>

#include "tests/core/ir/temporary_folder.hpp"

namespace mo::core {
namespace {

using test::TemporaryFolder;

constexpr size_t window = WriteBehind::window;

char byte_at(size_t i) { return static_cast<char>(i * 7 + i / window * 13); }

// Hands over `bytes` bytes, of which only the last window may be short.
void write_all(WriteBehind& to, size_t bytes) {
  for (size_t begin = 0; begin < bytes; begin += window) {
    const size_t n = std::min(window, bytes - begin);
    for (size_t i = 0; i < n; ++i) to.next()[i] = static_cast<std::byte>(byte_at(begin + i));
    to.hand_over(n);
  }
}

class Sizes : public testing::TestWithParam<size_t> {};

TEST_P(Sizes, AllOfItIsInTheFileInItsOrder) {
  const size_t bytes = GetParam();
  const TemporaryFolder folder;
  {
    OutputFile file(folder / "w");
    file.reserve(bytes);
    WriteBehind behind(file, bytes);
    write_all(behind, bytes);
    behind.finish();
    EXPECT_EQ(behind.written(), bytes);
    file.finish(false);
    file.move_to_path();
  }
  const std::string content = folder.read("w");
  ASSERT_EQ(content.size(), bytes);
  size_t wrong = 0;
  for (size_t i = 0; i < bytes; ++i) wrong += content[i] != byte_at(i) ? 1U : 0U;
  EXPECT_EQ(wrong, 0U);
}

// The first three are written by whoever hands them over.
INSTANTIATE_TEST_SUITE_P(WriteBehind, Sizes,
                         testing::Values(0, 1, 3 * window, 64 * window, 64 * window + 1, 301 * window - 5));

// While it lives files end at `bytes`.
class ShortFiles {
 public:
  explicit ShortFiles(size_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~ShortFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, handler_);
  }
  ShortFiles(const ShortFiles&) = delete;
  ShortFiles& operator=(const ShortFiles&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(WriteBehind, WhatFailsIsToldToWhoeverHandsOver) {
  const TemporaryFolder folder;
  constexpr size_t bytes = 200 * window;
  OutputFile file(folder / "w");
  const ShortFiles limit(20 * window);
  WriteBehind behind(file, bytes);
  try {
    write_all(behind, bytes);
    behind.finish();
    FAIL() << "nothing failed";
  } catch (const Failure& f) {
    EXPECT_EQ(f.exit(), Exit::output);
    EXPECT_THAT(f.render(), testing::HasSubstr("File too large"));
  }
  EXPECT_LE(behind.written(), 40 * window);
}

TEST(WriteBehind, WhatFailsLastIsToldAtTheEnd) {
  const TemporaryFolder folder;
  constexpr size_t bytes = 64 * window;
  OutputFile file(folder / "w");
  const ShortFiles limit(bytes - window);
  WriteBehind behind(file, bytes);
  EXPECT_THROW(
      {
        write_all(behind, bytes);
        behind.finish();
      },
      Failure);
}

TEST(WriteBehind, MayBeGivenUp) {
  const TemporaryFolder folder;
  OutputFile file(folder / "w");
  {
    WriteBehind behind(file, 1000 * window);
    write_all(behind, 100 * window);
  }
  file.finish(false);
}

}  // namespace
}  // namespace mo::core
