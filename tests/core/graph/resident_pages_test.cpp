// What was looked at in a mapped file does not stay resident.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/graph/tensor.hpp"
#include "core/host/host_tables.hpp"
#include "temporary_folder.hpp"

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

constexpr uint64_t megabytes = 96;

// So large, all of it a hole.
FileRef large_file(const test::TemporaryFolder& folder) {
  const std::string path = folder.write("weights", "");
  std::filesystem::resize_file(path, megabytes * megabyte);
  return map_file(path);
}

TEST(ResidentPages, ThoseOfAWholeFileAreGivenBack) {
  const test::TemporaryFolder folder;
  const FileRef file = large_file(folder);
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

// A file that was written in one piece lies in large pages of the kernel's cache, where it has such.
TEST(ResidentPages, ALookMakesLittleResident) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write("weights", "");
  const std::string bytes(megabytes * megabyte, 'a');
  const int fd = open(path.c_str(), O_WRONLY);
  ASSERT_EQ(write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  close(fd);
  const FileRef file = map_file(path);
  for (uint64_t at = 0; at < megabytes; at += 2) EXPECT_EQ(file->data[at * megabyte], std::byte{'a'});
  EXPECT_GT(resident(*file), megabytes / 2 * 4096 - 1) << "nothing was measured";
  EXPECT_LT(resident(*file), megabytes / 4 * megabyte);
}

// A plugin takes the data as it is, reads a bit of it, and goes on to the next.
TEST(ResidentPages, WhatPluginsLookAtIsGivenBack) {
  const test::TemporaryFolder folder;
  const FileRef file = large_file(folder);
  std::vector<TensorRef> all;
  for (uint64_t at = 0; at < megabytes; ++at)
    all.push_back(file_tensor(file, at * megabyte, megabyte, ElementType::u8, {int64_t{megabyte}}));
  uint64_t most = 0;
  for (const TensorRef& t : all) {
    const void* data = nullptr;
    ASSERT_EQ(host_table().tensor->data(nullptr, t.get(), &data), MO_OK);
    for (uint64_t i = 0; i < megabyte; i += 4096) EXPECT_EQ(static_cast<const char*>(data)[i], 0);
    most = std::max(most, resident(*file));
  }
  EXPECT_GT(most, megabyte / 2) << "nothing was measured";
  EXPECT_LT(most, 48 * megabyte);
}

}  // namespace
}  // namespace mo::core
