#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <optional>

#include "apps/ir_files/output_pair.hpp"
#include "temporary_folder.hpp"

namespace {
int interrupted_step = 0;  // counts down; the one that reaches 0 is interrupted behind it
int its_signal = SIGTERM;
int failing_step = 0;  // the same for one that fails
bool without_unnamed = false;

template <class F>
int step(F f) {
  if (failing_step > 0 && --failing_step == 0) {
    errno = ENOENT;
    return -1;
  }
  const auto result = static_cast<int>(f());
  if (interrupted_step > 0 && --interrupted_step == 0) raise(its_signal);
  return result;
}
}  // namespace

// In place of those of the C library, for all of this program.
extern "C" int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  return step([&] { return syscall(SYS_renameat, from_folder, from, to_folder, to); });
}

extern "C" int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  return step([&] { return syscall(SYS_linkat, from_folder, from, to_folder, to, flags); });
}

extern "C" int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (without_unnamed && (flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

namespace mo::app {
namespace {

using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <class F>
std::string output_error(F f) {
  try {
    f();
  } catch (const core::Failure& failure) {
    EXPECT_EQ(failure.exit(), core::Exit::output);
    return failure.render();
  }
  return "no failure";
}

// Both with files that have no name at first and where the system has none.
class OutputPairs : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { without_unnamed = GetParam(); }
  void TearDown() override { without_unnamed = false; }
};
INSTANTIATE_TEST_SUITE_P(Unnamed, OutputPairs, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Named, OutputPairs, testing::Values(true));

void write_pair(const std::string& folder, const std::string& content, bool sync = false) {
  OutputPair pair(folder, "m");
  pair.xml().write("xml " + content);
  pair.bin().write("bin " + content);
  pair.commit(sync);
}

TEST_P(OutputPairs, AppearsWhole) {
  const TemporaryFolder folder;
  {
    OutputPair pair(folder.path(), "m");
    pair.xml().write("xml");
    pair.bin().write("bin");
    EXPECT_THAT(folder.names(), testing::Each(HasSubstr(".tmp-")));
    if (!GetParam()) {
      EXPECT_THAT(folder.names(), IsEmpty()) << "needs a file system that has O_TMPFILE";
    }
    pair.commit(false);
    EXPECT_EQ(pair.xml().path(), folder / "m.xml");
  }
  EXPECT_THAT(folder.names(), ElementsAre("m.bin", "m.xml"));
  EXPECT_EQ(folder.read("m.xml"), "xml");
  EXPECT_EQ(folder.read("m.bin"), "bin");
}

TEST_P(OutputPairs, LeavesNothingWhenItIsGivenUp) {
  const TemporaryFolder folder;
  {
    OutputPair pair(folder / "a/b", "m");
    pair.xml().write("xml");
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST_P(OutputPairs, MakesFolders) {
  const TemporaryFolder folder;
  write_pair(folder / "a/b/", "1", true);
  EXPECT_THAT(folder.names(), ElementsAre("a"));
  EXPECT_EQ(folder.read("a/b/m.xml"), "xml 1");
}

TEST_P(OutputPairs, TheFolderOfOneThatGaveUp) {
  const TemporaryFolder folder;
  std::optional<OutputPair> gives_up(std::in_place, folder / "a/b", "other");
  OutputPair stays(folder / "a/b", "m");
  stays.xml().write("xml");
  stays.bin().write("bin");
  gives_up.reset();
  stays.commit(true);
  EXPECT_EQ(folder.read("a/b/m.xml"), "xml");
  EXPECT_EQ(folder.read("a/b/m.bin"), "bin");
}

TEST_P(OutputPairs, ReplacesAnOlderPair) {
  const TemporaryFolder folder;
  for (const char* content : {"1", "2"})
    for (const bool sync : {false, true}) {
      write_pair(folder.path(), content, sync);
      EXPECT_EQ(folder.read("m.bin"), std::string("bin ") + content);
      EXPECT_THAT(folder.names(), ElementsAre("m.bin", "m.xml"));
    }
}

TEST_P(OutputPairs, ReplacesOneFileWithoutTheOther) {
  const TemporaryFolder folder;
  folder.write("m.xml", "old");
  write_pair(folder.path(), "1");
  EXPECT_EQ(folder.read("m.xml"), "xml 1");
  EXPECT_THAT(folder.names(), ElementsAre("m.bin", "m.xml"));
}

TEST_P(OutputPairs, ALinkIsReplacedAndNotFollowed) {
  const TemporaryFolder folder;
  folder.write("precious", "old");
  std::filesystem::create_symlink("precious", folder / "m.bin");
  write_pair(folder.path(), "1");
  EXPECT_EQ(folder.read("precious"), "old");
  EXPECT_EQ(folder.read("m.bin"), "bin 1");
}

// Two are set aside if they are there, the first of the new ones is moved, the second cannot be.
TEST_P(OutputPairs, TheOlderPairSurvivesAFailureBetweenTheRenames) {
  for (const bool older : {true, false}) {
    const TemporaryFolder folder;
    if (older) write_pair(folder.path(), "old");
    {
      OutputPair pair(folder.path(), "m");
      pair.xml().write("xml new");
      pair.bin().write("bin new");
      failing_step = older ? 4 : 2;
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

TEST_P(OutputPairs, AFolderInTheWayIsNotReplaced) {
  for (const char* name : {"m.xml", "m.bin"}) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / name);
    EXPECT_THAT(output_error([&] { write_pair(folder.path(), "1"); }), HasSubstr("it is a folder"));
    EXPECT_THAT(folder.names(), ElementsAre(name));
  }
}

TEST_P(OutputPairs, NamesPathAndReason) {
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

TEST_P(OutputPairs, TwoWritersOfOneNameDoNotMeet) {
  const TemporaryFolder folder;
  OutputPair first(folder.path(), "m"), second(folder.path(), "m");
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
TEST_P(OutputPairs, AnInterruptionWaitsUntilThePairIsWhole) {
  for (int number = 1; number <= 4; ++number) {
    const TemporaryFolder folder;
    write_pair(folder.path(), "old");
    const pid_t child = fork();
    if (child == 0) {
      std::signal(SIGTERM, SIG_DFL);
      interrupted_step = number;
      write_pair(folder.path(), "new");
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << "it ends all the same";
    EXPECT_THAT(folder.names(), ElementsAre("m.bin", "m.xml")) << "step " << number;
    EXPECT_EQ(folder.read("m.xml"), "xml new");
    EXPECT_EQ(folder.read("m.bin"), "bin new");
  }
}

TEST_P(OutputPairs, AFullDiskIsOneError) {
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

// However a process ends, nothing of what it had begun is left.
TEST_P(OutputPairs, AKilledProcessLeavesNothing) {
  const TemporaryFolder folder;
  write_pair(folder.path(), "old");
  for (int number = 0; number <= 4; ++number) {
    const pid_t child = fork();
    if (child == 0) {
      its_signal = SIGKILL;
      OutputPair pair(folder.path(), "m");
      pair.xml().write("xml new");
      pair.bin().write("bin new");
      if (number == 0) raise(SIGKILL);
      interrupted_step = number;
      pair.commit(false);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << number;
  }
  // Where files have names from the beginning, those of a day ago.
  for (const std::string& name : folder.names())
    if (name.find(".tmp-") != std::string::npos) {
      EXPECT_TRUE(GetParam()) << name;
      std::filesystem::last_write_time(
          folder / name, std::filesystem::file_time_type::clock::now() - std::chrono::hours(25));
    }
  write_pair(folder.path(), "newest");
  EXPECT_THAT(folder.names(), ElementsAre("m.bin", "m.xml"));
  EXPECT_EQ(folder.read("m.xml"), "xml newest");
}

// What was opened is written to, wherever the link leads meanwhile.
TEST_P(OutputPairs, AFolderThatIsAMovingLink) {
  const TemporaryFolder folder;
  for (const char* name : {"a", "b"}) std::filesystem::create_directory(folder / name);
  std::filesystem::create_directory_symlink("a", folder / "out");
  OutputPair pair(folder / "out", "m");
  pair.xml().write("xml");
  pair.bin().write("bin");
  std::filesystem::remove(folder / "out");
  std::filesystem::create_directory_symlink("b", folder / "out");
  pair.commit(true);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "b"));
  EXPECT_EQ(folder.read("a/m.xml") + folder.read("a/m.bin"), "xmlbin");
}

TEST(OutputFile, IsAnotherNameOfAFile) {
  const TemporaryFolder folder;
  folder.write("one", "content");
  folder.write("two", "old");
  const core::Descriptor one(open((folder / "one").c_str(), O_RDONLY | O_CLOEXEC));
  {
    OutputFile file(folder / "two");
    ASSERT_TRUE(file.link_to(one));
    file.finish(true);
    file.move_to_path();
  }
  EXPECT_TRUE(std::filesystem::equivalent(folder / "one", folder / "two"));
  EXPECT_THAT(folder.names(), ElementsAre("one", "two"));
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
}  // namespace mo::app
