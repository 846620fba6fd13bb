#include "core/ir/constants.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <random>

#include "apps/files/output_file.hpp"
#include "core/graph/lazy_elements.hpp"

namespace mo::core {
namespace {

using test::TemporaryFolder;
using testing::ElementsAre;

TensorRef bytes(std::string_view content) {
  return make_tensor_from_bytes(ElementType::u8, {static_cast<int64_t>(content.size())}, content);
}

std::vector<const mo_tensor*> pointers(const std::vector<TensorRef>& tensors) {
  std::vector<const mo_tensor*> list;
  for (const TensorRef& t : tensors) list.push_back(t.get());
  return list;
}

std::string random_bytes(size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::string s(count, '\0');
  for (char& c : s) c = static_cast<char>(random());
  return s;
}

void write_constants(app::OutputFile& file, const ConstantPlan& plan, const WriteProgress& progress = {}) {
  file.reserve(plan.bytes);
  write_constants([&](uint64_t at, std::string_view some) { file.write_at(at, some); }, plan, progress);
}

std::string written(const ConstantPlan& plan) {
  const TemporaryFolder folder;
  {
    app::OutputFile file(folder / "w");
    write_constants(file, plan);
    file.finish(false);
    file.move_to_path();
  }
  return folder.read("w");
}

TEST(Constants, AreAlignedAndInOrderOfFirstUse) {
  const std::vector<TensorRef> t = {bytes("abc"), bytes(std::string(65, 'x')), bytes("abc"), bytes("z")};
  const ConstantPlan plan = plan_constants(pointers(t));
  EXPECT_THAT(plan.offsets, ElementsAre(0, 64, 0, 192));
  EXPECT_EQ(plan.bytes, 193U);
  EXPECT_EQ(plan.shared, 1U);
  EXPECT_EQ(written(plan),
            "abc" + std::string(61, '\0') + std::string(65, 'x') + std::string(63, '\0') + "z");
}

TEST(Constants, TypeAndShapeTellApart) {
  const std::string four = "abcd";
  const std::vector<TensorRef> t = {make_tensor_from_bytes(ElementType::u8, {4}, four),
                                    make_tensor_from_bytes(ElementType::i8, {4}, four),
                                    make_tensor_from_bytes(ElementType::u8, {2, 2}, four),
                                    make_tensor_from_bytes(ElementType::f32, {}, four),
                                    make_tensor_from_bytes(ElementType::f32, {1}, four),
                                    make_tensor_from_bytes(ElementType::u8, {2, 2}, four)};
  EXPECT_THAT(find_equal(pointers(t)), ElementsAre(0, 1, 2, 3, 4, 2));
}

TEST(Constants, WithoutBytesTakeNoRoom) {
  const std::vector<TensorRef> t = {make_tensor(ElementType::f32, {0, 3}), bytes("a"),
                                    make_tensor(ElementType::f32, {0}), make_tensor(ElementType::f32, {0})};
  const ConstantPlan plan = plan_constants(pointers(t));
  EXPECT_THAT(plan.offsets, ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(plan.bytes, 1U);
  EXPECT_EQ(plan.shared, 1U);
  EXPECT_EQ(written(plan), "a");
  EXPECT_EQ(written(plan_constants({})), "");
}

TEST(Constants, StringsOfDifferentLength) {
  const auto strings = [](std::string_view raw) {
    return make_tensor_from_bytes(ElementType::string, {1}, raw);
  };
  const std::vector<TensorRef> t = {strings("aaaa"), strings("aaaaa"), strings("aaaa")};
  EXPECT_THAT(find_equal(pointers(t)), ElementsAre(0, 1, 0));
}

// Equal where a sample is taken, different elsewhere, and really equal.
TEST(Constants, OneByteMakesADifference) {
  for (const size_t size : {1U, 100U, 1024U, 1025U, 100000U, 600000U}) {
    const std::string content = random_bytes(size, 3);
    std::vector<TensorRef> t = {bytes(content)};
    for (const size_t at : {size_t{0}, size / 5, size / 2, size - 1}) {
      std::string other = content;
      other[at] = static_cast<char>(other[at] + 1);
      t.push_back(bytes(other));
      t.push_back(bytes(content));
    }
    const std::vector<uint32_t> first = find_equal(pointers(t));
    for (uint32_t i = 0; i < t.size(); ++i) {
      uint32_t expected = 0;
      while (!equal_contents(*t[expected], *t[i])) ++expected;
      EXPECT_EQ(first[i], expected) << size << " " << i;
    }
  }
}

TEST(Constants, PairsAreComparedToo) {
  std::string content = random_bytes(500000, 4);
  const TensorRef a = bytes(content), b = bytes(content);
  content[250001] ^= 1;
  const TensorRef c = bytes(content);
  EXPECT_THAT(find_equal(pointers({a, b})), ElementsAre(0, 0));
  EXPECT_THAT(find_equal(pointers({a, c})), ElementsAre(0, 1));
}

TEST(Constants, ComeFromFilesAsFromMemory) {
  const TemporaryFolder folder;
  const std::string content = random_bytes(3000000, 5);
  const FileRef file = map_file(folder.write("model", content));
  std::vector<TensorRef> t;
  std::string expected;
  const auto add = [&](uint64_t offset, uint64_t count) {
    expected.resize((expected.size() + 63) / 64 * 64);
    expected += content.substr(offset, count);
    t.push_back(file_tensor(file, offset, count, ElementType::u8, {static_cast<int64_t>(count)}));
  };
  add(17, 1000000);
  add(5, 3);
  add(1000017, 999983);
  add(2000000, 257);
  t.push_back(view_tensor(t[0], 64, ElementType::u8, {700001}));
  expected.resize((expected.size() + 63) / 64 * 64);
  expected += content.substr(17 + 64, 700001);
  const size_t distinct = t.size();
  t.push_back(bytes(content.substr(17, 1000000)));  // the same from memory
  const ConstantPlan plan = plan_constants(pointers(t));
  EXPECT_EQ(plan.blobs.size(), distinct);
  EXPECT_EQ(plan.offsets.back(), 0U);
  EXPECT_EQ(written(plan), expected);
}

TEST(Constants, AFileThatGotShorterIsAnError) {
  const TemporaryFolder folder;
  const std::string path = folder.write("model", std::string(10000, 'x'));
  const FileRef file = map_file(path);
  const TensorRef t = file_tensor(file, 0, 10000, ElementType::u8, {10000});
  std::filesystem::resize_file(path, 5000);
  try {
    written(plan_constants(pointers({t})));
    FAIL();
  } catch (const Failure& f) {
    EXPECT_EQ(f.exit(), Exit::model);
    EXPECT_EQ(f.message(), "cannot read '" + path + "': it became shorter during the conversion");
  }
}

TEST(Constants, WritingFilesTakesNoMemory) {
  const TemporaryFolder folder;
  const std::string path = folder / "model";
  constexpr int64_t part = 16 << 20;
  {
    std::ofstream out(path, std::ios::binary);
    for (unsigned i = 0; i < 8; ++i) out << random_bytes(part, i % 4);  // two of each
  }
  const FileRef file = map_file(path);
  std::vector<TensorRef> t;
  for (uint64_t i = 0; i < 8; ++i) t.push_back(file_tensor(file, i * part, part, ElementType::u8, {part}));
  const auto resident = [] {
    std::ifstream status("/proc/self/statm");
    long size = 0, pages = 0;
    status >> size >> pages;
    return pages * sysconf(_SC_PAGESIZE);
  };
  const long before = resident();
  const ConstantPlan plan = plan_constants(pointers(t));
  EXPECT_EQ(plan.shared, 4U);
  app::OutputFile out(folder / "w");
  write_constants(out, plan);
  EXPECT_LT(resident() - before, 4 << 20);
}

// Element i is i * 7 + seed; where they end before they should, they cannot be read.
class ConstantsPattern : public ElementSource {
 public:
  ConstantsPattern(unsigned seed, uint64_t end) : seed_(seed), end_(end) {}
  void read(uint64_t offset, size_t count, std::byte* to) override {
    if (offset + count > end_) throw Error("the pattern ends");
    for (size_t i = 0; i < count; ++i) to[i] = static_cast<std::byte>((offset + i) * 7 + seed_);
  }

 private:
  unsigned seed_;
  uint64_t end_;
};

// Two threads write as much as this: small blobs and large ones, in memory and not.
class LargeConstants : public testing::Test {
 protected:
  static constexpr uint64_t lazy_bytes = (3 << 20) + 1;
  LargeConstants() {
    for (unsigned i = 0; i < 6; ++i) {
      add(bytes(random_bytes((3 << 20) - 7, i)));
      for (unsigned k = 0; k < 40; ++k) add(bytes(random_bytes(100 + k, 1000 * i + k)));
      add_lazy(i, lazy_bytes, lazy_bytes);
    }
  }
  void add(TensorRef t) { tensors_.push_back(std::move(t)); }
  void add_lazy(unsigned seed, uint64_t size, uint64_t end) {
    add(lazy_tensor(ElementType::u8, {static_cast<int64_t>(size)}, 0,
                    std::make_unique<ConstantsPattern>(seed, end), {}));
  }
  std::vector<TensorRef> tensors_;
};

TEST_F(LargeConstants, AreAllWritten) {
  const ConstantPlan plan = plan_constants(pointers(tensors_));
  ASSERT_EQ(plan.shared, 0U);
  const std::string content = written(plan);
  ASSERT_EQ(content.size(), plan.bytes);
  std::string expected(plan.bytes, '\0');
  for (size_t i = 0; i < tensors_.size(); ++i)
    read_bytes(*tensors_[i], 0, tensors_[i]->bytes,
               reinterpret_cast<std::byte*>(expected.data() + plan.offsets[i]));
  EXPECT_TRUE(content == expected);
}

TEST_F(LargeConstants, WhatCannotBeReadIsTold) {
  add_lazy(7, lazy_bytes + 1, lazy_bytes / 2);  // of a size of its own: it is not compared with others
  const ConstantPlan plan = plan_constants(pointers(tensors_));
  const TemporaryFolder folder;
  app::OutputFile file(folder / "w");
  try {
    write_constants(file, plan);
    FAIL() << "all was written";
  } catch (const Failure& f) {
    EXPECT_EQ(f.code(), "MO0720");
    EXPECT_THAT(f.render(), testing::HasSubstr("the pattern ends"));
  }
}

// While it lives files end at `bytes`.
class ShortFiles {
 public:
  explicit ShortFiles(uint64_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
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

TEST_F(LargeConstants, WhatCannotBeWrittenIsTold) {
  const ConstantPlan plan = plan_constants(pointers(tensors_));
  for (const uint64_t end : {plan.bytes / 8, plan.bytes - 1}) {
    const TemporaryFolder folder;
    app::OutputFile file(folder / "w");
    const ShortFiles limit(end);
    try {
      write_constants(file, plan);
      FAIL() << "nothing failed";
    } catch (const Failure& f) {
      EXPECT_EQ(f.exit(), Exit::output);
      EXPECT_THAT(f.render(), testing::HasSubstr("File too large"));
    }
  }
}

TEST_F(LargeConstants, WritingCanBeStopped) {
  const ConstantPlan plan = plan_constants(pointers(tensors_));
  const TemporaryFolder folder;
  app::OutputFile file(folder / "w");
  uint64_t told = 0;
  try {
    write_constants(file, plan, [&](uint64_t done, uint64_t) { return (told = done) < plan.bytes / 4; });
    FAIL() << "it went on";
  } catch (const Failure& f) {
    EXPECT_EQ(f.code(), "MO0721");
  }
  EXPECT_LT(told, plan.bytes);
}

TEST(Constants, WritingTellsHowFarItIsAndCanBeStopped) {
  const size_t window = TensorReader::window;
  const std::vector<TensorRef> t = {bytes(random_bytes(3 * window + 5, 1))};
  const ConstantPlan plan = plan_constants(pointers(t));
  const TemporaryFolder folder;
  std::vector<uint64_t> told;
  {
    app::OutputFile file(folder / "w");
    write_constants(file, plan, [&](uint64_t done, uint64_t total) {
      EXPECT_EQ(total, plan.bytes);
      told.push_back(done);
      return true;
    });
  }
  EXPECT_THAT(told, ElementsAre(window, 2 * window, 3 * window, plan.bytes));
  app::OutputFile stopped(folder / "s");
  try {
    write_constants(stopped, plan, [&](uint64_t done, uint64_t) { return done < 2 * window; });
    FAIL() << "it went on";
  } catch (const Failure& f) {
    EXPECT_EQ(f.code(), "MO0721");
  }
}

}  // namespace
}  // namespace mo::core
