// A model may lie in more files than a process may have open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>

#include "core/graph/file_descriptor.hpp"
#include "core/ir/constants.hpp"
#include "temporary_folder.hpp"

namespace mo::core {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t file_bytes = 4096;

TensorRef tensor_in(const std::string& path) {
  return file_tensor(map_file(path), 0, file_bytes, ElementType::u8, {int64_t{file_bytes}});
}

TEST(MappedFiles, ThousandsNeedFewDescriptors) {
  const test::TemporaryFolder folder;
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{64, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  std::vector<TensorRef> tensors;
  for (int i = 0; i < 2000; ++i)
    tensors.push_back(
        tensor_in(folder.write(text("f", i), std::string(file_bytes, static_cast<char>(i % 251)))));
  for (int i = 0; i < 2000; ++i) {
    std::byte read[file_bytes];
    TensorReader::read(*tensors[static_cast<size_t>(i)], 0, file_bytes, read);
    ASSERT_EQ(read[0], static_cast<std::byte>(i % 251));
    ASSERT_EQ(read[file_bytes - 1], static_cast<std::byte>(i % 251));
  }
  tensors.clear();
  setrlimit(RLIMIT_NOFILE, &before);
}

TEST(MappedFiles, AnotherFileOfThatNameIsAnError) {
  const test::TemporaryFolder folder;
  std::vector<TensorRef> tensors;  // so that no descriptor is left for the last one
  for (int i = 0; i < 40; ++i)
    tensors.push_back(tensor_in(folder.write(text("f", i), std::string(file_bytes, 'a'))));
  ASSERT_EQ(tensors.back()->file->fd, -1);
  folder.write("other", std::string(file_bytes, 'b'));
  std::filesystem::rename(folder / "other", folder / "f39");
  std::byte read[file_bytes];
  try {
    TensorReader::read(*tensors.back(), 0, file_bytes, read);
    ADD_FAILURE();
  } catch (const std::exception& e) {
    EXPECT_THAT(e.what(), HasSubstr("replaced by another file"));
  }
}

}  // namespace
}  // namespace mo::core
