#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/support/output_file.hpp"
#include "temporary_folder.hpp"

namespace {
int interrupted_rename = 0;  // counts down; the one that reaches 0 is interrupted behind it
}

// In place of that of the C library, for all of this program.
extern "C" int rename(const char* from, const char* to) noexcept {
  const auto result = static_cast<int>(syscall(SYS_rename, from, to));
  if (interrupted_rename > 0 && --interrupted_rename == 0) raise(SIGTERM);
  return result;
}

namespace mo::core {
namespace {

using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <class F>
std::string output_error(F f) {
  try {
    f();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.exit(), Exit::output);
    return failure.render();
  }
  return "no failure";
}

void write_pair(const std::string& folder, const std::string& content, bool sync = false) {
  OutputPair pair(folder, "m");
  pair.xml().write("xml " + content);
  pair.bin().write("bin " + content);
  pair.commit(sync);
}

TEST(OutputPair, AppearsWhole) {
  const TemporaryFolder folder;
  {
    OutputPair pair(folder.path(), "m");
    pair.xml().write("xml");
    pair.bin().write("bin");
    EXPECT_THAT(folder.names(), testing::Each(HasSubstr(".tmp-")));
    pair.commit(false);
    EXPECT_EQ(pair.xml().path(), folder / "m.xml");
  }
  EXPECT_THAT(folder.names(), ElementsAre("m.bin", "m.xml"));
  EXPECT_EQ(folder.read("m.xml"), "xml");
  EXPECT_EQ(folder.read("m.bin"), "bin");
}

TEST(OutputPair, LeavesNothingWhenItIsGivenUp) {
  const TemporaryFolder folder;
  {
    OutputPair pair(folder / "a/b", "m");
    pair.xml().write("xml");
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(OutputPair, MakesFolders) {
  const TemporaryFolder folder;
  write_pair(folder / "a/b/", "1", true);
  EXPECT_THAT(folder.names(), ElementsAre("a"));
  EXPECT_EQ(folder.read("a/b/m.xml"), "xml 1");
}

TEST(OutputPair, ReplacesAnOlderPair) {
  const TemporaryFolder folder;
  for (const char* content : {"1", "2"})
    for (const bool sync : {false, true}) {
      write_pair(folder.path(), content, sync);
      EXPECT_EQ(folder.read("m.bin"), std::string("bin ") + content);
      EXPECT_THAT(folder.names(), ElementsAre("m.bin", "m.xml"));
    }
}

TEST(OutputPair, ReplacesOneFileWithoutTheOther) {
  const TemporaryFolder folder;
  folder.write("m.xml", "old");
  write_pair(folder.path(), "1");
  EXPECT_EQ(folder.read("m.xml"), "xml 1");
  EXPECT_THAT(folder.names(), ElementsAre("m.bin", "m.xml"));
}

TEST(OutputPair, ALinkIsReplacedAndNotFollowed) {
  const TemporaryFolder folder;
  folder.write("precious", "old");
  std::filesystem::create_symlink("precious", folder / "m.bin");
  write_pair(folder.path(), "1");
  EXPECT_EQ(folder.read("precious"), "old");
  EXPECT_EQ(folder.read("m.bin"), "bin 1");
}

// The first rename succeeds, the second cannot.
TEST(OutputPair, TheOlderPairSurvivesAFailureBetweenTheRenames) {
  for (const bool older : {true, false}) {
    const TemporaryFolder folder;
    if (older) write_pair(folder.path(), "old");
    {
      OutputPair pair(folder.path(), "m");
      pair.xml().write("xml new");
      pair.bin().write("bin new");
      std::filesystem::remove(pair.xml().temporary_path());
      EXPECT_THAT(output_error([&] { pair.commit(true); }),
                  HasSubstr("cannot write '" + (folder / "m.xml") + "': No such file or directory"));
    }
    if (older) {
      EXPECT_EQ(folder.read("m.xml"), "xml old");
      EXPECT_EQ(folder.read("m.bin"), "bin old");
      EXPECT_THAT(folder.names(), ElementsAre("m.bin", "m.xml"));
    } else {
      EXPECT_THAT(folder.names(), IsEmpty());
    }
  }
}

TEST(OutputPair, AFolderInTheWayIsNotReplaced) {
  for (const char* name : {"m.xml", "m.bin"}) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / name);
    EXPECT_THAT(output_error([&] { write_pair(folder.path(), "1"); }), HasSubstr("it is a folder"));
    EXPECT_THAT(folder.names(), ElementsAre(name));
  }
}

TEST(OutputPair, NamesPathAndReason) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "");
  EXPECT_THAT(output_error([&] { write_pair(file, "1"); }),
              HasSubstr("MO0711: cannot use the folder '" + file + "': it is not a folder"));
  EXPECT_THAT(output_error([&] { write_pair(file + "/sub", "1"); }),
              HasSubstr("cannot make the folder '" + file + "/sub': Not a directory"));
  EXPECT_THAT(output_error([&] { OutputPair(folder.path(), std::string(300, 'x')); }),
              HasSubstr("x.xml': File name too long"));
  EXPECT_THAT(output_error([&] { OutputPair("/proc", "m"); }), HasSubstr("cannot write '/proc/m.xml'"));
  EXPECT_THAT(folder.names(), ElementsAre("file"));
}

TEST(OutputPair, TwoWritersOfOneNameDoNotMeet) {
  const TemporaryFolder folder;
  OutputPair first(folder.path(), "m"), second(folder.path(), "m");
  EXPECT_NE(first.xml().temporary_path(), second.xml().temporary_path());
  first.xml().write("1");
  second.xml().write("2");
  second.commit(false);
  first.commit(false);
  EXPECT_EQ(folder.read("m.xml"), "1");
}

// In a process of its own: what setrlimit() does cannot be undone.
template <class F>
std::string in_child(F f) {
  int pipe_ends[2];
  EXPECT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::string answer = f();
    const auto written = write(pipe_ends[1], answer.data(), answer.size());
    _exit(written < 0 ? 1 : 0);
  }
  close(pipe_ends[1]);
  std::string answer;
  char buffer[4096];
  for (ssize_t n; (n = read(pipe_ends[0], buffer, sizeof buffer)) > 0;)
    answer.append(buffer, static_cast<size_t>(n));
  close(pipe_ends[0]);
  waitpid(child, nullptr, 0);
  return answer;
}

// Two are set aside, two are moved.
TEST(OutputPair, AnInterruptionWaitsUntilThePairIsWhole) {
  for (int number = 1; number <= 4; ++number) {
    const TemporaryFolder folder;
    write_pair(folder.path(), "old");
    const pid_t child = fork();
    if (child == 0) {
      std::signal(SIGTERM, SIG_DFL);
      interrupted_rename = number;
      write_pair(folder.path(), "new");
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << "it ends all the same";
    EXPECT_THAT(folder.names(), ElementsAre("m.bin", "m.xml")) << "rename " << number;
    EXPECT_EQ(folder.read("m.xml"), "xml new");
    EXPECT_EQ(folder.read("m.bin"), "bin new");
  }
}

TEST(OutputPair, AFullDiskIsOneError) {
  const TemporaryFolder folder;
  write_pair(folder.path(), "old");
  for (const bool reserve : {true, false}) {
    const std::string error = in_child([&] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{100000, 100000};
      setrlimit(RLIMIT_FSIZE, &limit);
      return output_error([&] {
        OutputPair pair(folder.path(), "m");
        pair.xml().write("xml");
        if (reserve)
          pair.bin().reserve(200000);
        else
          pair.bin().write(std::string(200000, 'x'));
        pair.commit(false);
      });
    });
    EXPECT_THAT(error, HasSubstr("cannot write '" + (folder / "m.bin") + "': File too large"));
    EXPECT_THAT(folder.names(), ElementsAre("m.bin", "m.xml"));
    EXPECT_EQ(folder.read("m.xml"), "xml old");
  }
}

TEST(OutputFile, ReservedSpaceReadsAsZeros) {
  const TemporaryFolder folder;
  {
    OutputFile file(folder / "f");
    file.reserve(100);
    file.write_at(98, "ab");
    EXPECT_EQ(file.size(), 100U);
    file.finish(false);
    file.move_to_path();
  }
  EXPECT_EQ(folder.read("f"), std::string(98, '\0') + "ab");
}

TEST(OutputFile, FileStem) {
  EXPECT_EQ(file_stem("net"), "net");
  EXPECT_EQ(file_stem("a/b\\c\n"), "a_b_c_");
  EXPECT_EQ(file_stem("../x"), ".._x");
  for (const char* empty : {"", ".", ".."}) EXPECT_EQ(file_stem(empty), "model");
}

}  // namespace
}  // namespace mo::core
