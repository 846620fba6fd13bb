// Sums are remembered where nothing speaks against it, and right wherever something does.
#include "apps/known_plugins/known_sums.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/known_plugins/sha256.hpp"
#include "temporary_folder.hpp"

namespace mo::app {
namespace {

using Kind = KnownSums::Kind;
using std::chrono::milliseconds;
using test::TemporaryFolder;

// In place, and with the time that it had.
void write_unseen(const std::string& path, const std::string& text) {
  struct stat s {};
  ASSERT_EQ(stat(path.c_str(), &s), 0);
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  const timespec times[] = {s.st_atim, s.st_mtim};
  ASSERT_EQ(futimens(fd, times), 0);
  close(fd);
}

TEST(KnownSums, AreThoseOfTheContents) {
  const TemporaryFolder folder;
  const std::string file = folder.write("f", "abc");
  for (const std::string& table : {std::string(), folder / "sums"}) {
    const KnownSums sums(table, milliseconds(0));
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(sums.of(file, Kind::sha256), sha256_of_file(file));
      EXPECT_EQ(sums.of(file, Kind::xxh3),
                "06b05ab6733a618578af5f94892f3950");  // XXH3-128 of "abc", as xxhsum says
      EXPECT_EQ(sums.of(folder / "none", Kind::sha256), "");
    }
  }
}

TEST(KnownSums, AreRememberedUntilTheFileChanges) {
  const TemporaryFolder folder;
  const std::string file = folder.write("f", "abc");
  const KnownSums sums(folder / "sums", milliseconds(0));
  const std::string sha = sums.of(file, Kind::sha256), fast = sums.of(file, Kind::xxh3);
  write_unseen(file, "xyz");
  EXPECT_EQ(sums.of(file, Kind::xxh3), fast) << "nothing tells, so it is remembered";
  EXPECT_NE(sums.of(file, Kind::sha256), sha) << "the inode tells";
  folder.write("f", "xyzzy");
  EXPECT_NE(sums.of(file, Kind::xxh3), fast);
  EXPECT_EQ(sums.of(file, Kind::sha256), sha256_of_file(file));
  // Another name changes the inode, and not what it contains.
  const std::string now = sums.of(file, Kind::xxh3);
  ASSERT_EQ(link(file.c_str(), (folder / "other").c_str()), 0);
  EXPECT_EQ(sums.of(folder / "other", Kind::xxh3), now);
}

TEST(KnownSums, WhatWasJustWrittenIsNotRemembered) {
  const TemporaryFolder folder;
  const std::string file = folder.write("f", "abc");
  const KnownSums sums(folder / "sums");
  const std::string before = sums.of(file, Kind::xxh3);
  EXPECT_FALSE(std::filesystem::exists(folder / "sums"));
  write_unseen(file, "xyz");
  EXPECT_NE(sums.of(file, Kind::xxh3), before);
}

TEST(KnownSums, ADamagedTableMeansReading) {
  const TemporaryFolder folder;
  const std::string file = folder.write("f", "abc"), table = folder / "sums";
  const KnownSums sums(table, milliseconds(0));
  const std::string right = sha256_of_file(file);
  EXPECT_EQ(sums.of(file, Kind::sha256), right);
  const std::string whole = folder.read("sums");
  const size_t at = whole.find(right);
  ASSERT_NE(at, std::string::npos);
  for (size_t place = at - 72; place < at + 72; place += 8) {  // each number of the slot
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ 1);
    folder.write("sums", damaged);
    EXPECT_EQ(sums.of(file, Kind::sha256), right) << place - at;
  }
  folder.write("sums", whole.substr(0, at + 10));
  EXPECT_EQ(sums.of(file, Kind::sha256), right);
  std::filesystem::remove(table);
  std::filesystem::create_directory(table);
  EXPECT_EQ(sums.of(file, Kind::sha256), right);
}

// Nobody else says what a file contains.
TEST(KnownSums, ATableThatOthersMayWriteToIsNotRead) {
  const TemporaryFolder folder;
  const std::string file = folder.write("f", "abc"), table = folder / "sums";
  const KnownSums sums(table, milliseconds(0));
  const std::string before = sums.of(file, Kind::xxh3);
  write_unseen(file, "xyz");
  EXPECT_EQ(sums.of(file, Kind::xxh3), before);
  ASSERT_EQ(chmod(table.c_str(), 0622), 0);
  EXPECT_NE(sums.of(file, Kind::xxh3), before);
  ASSERT_EQ(chmod(table.c_str(), 0600), 0);
  std::filesystem::rename(table, folder / "elsewhere");
  std::filesystem::create_symlink(folder / "elsewhere", table);
  EXPECT_NE(sums.of(file, Kind::xxh3), before);
}

TEST(KnownSums, SeveralAtOnce) {
  const TemporaryFolder folder;
  constexpr int files = 40;
  for (int i = 0; i < files; ++i)
    folder.write("f" + std::to_string(i), std::string(static_cast<size_t>(i), 'x'));
  const KnownSums sums(folder / "sums", milliseconds(0));
  std::vector<pid_t> children;
  for (int c = 0; c < 4; ++c) {
    const pid_t child = fork();
    if (child == 0) {
      bool right = true;
      for (int round = 0; round < 10; ++round)
        for (int i = 0; i < files; ++i) {
          const std::string file = folder / ("f" + std::to_string(i));
          right = right && sums.of(file, Kind::sha256) == sha256_of_file(file);
        }
      _exit(right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

}  // namespace
}  // namespace mo::app
