// What was looked at in a mapped file does not stay resident.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/graph/tensor.hpp"
#include "tests/core/ir/temporary_folder.hpp"

namespace mo::core {
namespace {

constexpr uint64_t megabyte = uint64_t{1} << 20;

// Bytes of the mapping that are resident, as the kernel counts them.
uint64_t resident(const mo_file& file) {
  std::ifstream maps("/proc/self/smaps");
  const std::string begin = fmt::format("{:x}-", reinterpret_cast<uintptr_t>(file.data));
  for (std::string line; std::getline(maps, line);) {
    if (line.rfind(begin, 0) != 0) continue;
    while (std::getline(maps, line))
      if (line.rfind("Rss:", 0) == 0) return std::stoull(line.substr(4)) * 1024;
  }
  return 0;
}

TEST(ResidentPages, ThoseOfAWholeFileAreGivenBack) {
  constexpr uint64_t megabytes = 96;
  const test::TemporaryFolder folder;
  const std::string path = folder.write("weights", "");
  std::filesystem::resize_file(path, megabytes * megabyte);
  const FileRef file = map_file(path);
  std::vector<TensorRef> all;
  uint64_t sum = 0, most = 0;
  for (uint64_t at = 0; at < megabytes; ++at) {
    all.push_back(file_tensor(file, at * megabyte, megabyte, ElementType::u8, {int64_t{megabyte}}));
    const std::byte* data = all.back()->data();
    for (uint64_t i = 0; i < megabyte; i += 4096) sum += static_cast<uint64_t>(data[i]);
    most = std::max(most, resident(*file));
  }
  EXPECT_EQ(sum, 0U);
  EXPECT_GT(most, megabyte / 2) << "nothing was measured";
  EXPECT_LT(most, 48 * megabyte);
  EXPECT_EQ(all.front()->data()[0], std::byte{0}) << "they come again";
}

}  // namespace
}  // namespace mo::core
