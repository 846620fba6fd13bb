#include <fcntl.h>
#include <sys/stat.h>

#include "core/support/descriptor.hpp"
#include "program.hpp"

namespace mo::test {
namespace {

Outcome dump(const std::string& model, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"dump", model, "--extensions", toy};
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

TEST(Dump, ShowsTheGraphAfterAPhase) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  struct Row {
    const char *after, *part;
  };
  const Row rows[] = {
      {"load", "= Add \"sum\" (%0, %1) -> _"},
      {"extract", "= Add@toy1 \"sum\" (%0, %1) -> _"},
      {"front", "= Add@toy1 \"sum\" (%0, %1) -> _"},
      {"infer", "= Add@toy1 \"sum\" (%0, %1) -> f32[1,3]"},
      {"final", "= Add@toy1 \"sum\" (%0, %1) -> f32[1,3]"},
  };
  for (const Row& r : rows) {
    const Outcome o = dump(folder / "a.toy", {"--after", r.after});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.out.rfind("mo-graph 1\n", 0), 0U);
    EXPECT_NE(o.out.find(r.part), std::string::npos) << r.after << "\n" << o.out;
  }
  EXPECT_EQ(dump(folder / "a.toy").out, dump(folder / "a.toy", {"--after", "final"}).out);
  EXPECT_EQ(run({"dump", "--input_model", folder / "a.toy", "--extensions", toy}).out,
            dump(folder / "a.toy").out);
}

TEST(Dump, UnsupportedOperationsCanBeLookedAt) {
  const Folder folder;
  write_text(folder / "a.toy", "toy 1\ninput x f32 1\nnode Unknown u x -> a\noutput a\n");
  EXPECT_NE(dump(folder / "a.toy", {"--after", "front"}).out.find("= Unknown \"u\""), std::string::npos);
  const Outcome o = dump(folder / "a.toy");
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.err.find("error MO0401"), std::string::npos);
}

TEST(Dump, CutsLikeAConversion) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  EXPECT_EQ(dump(folder / "a.toy", {"--output", "sum"}).out.find("Copy"), std::string::npos);
}

// A device that became a file takes the machine with it.
TEST(Dump, WritesToWhatIsNotAFile) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const core::Descriptor from(open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  ASSERT_TRUE(from);
  const Outcome o = dump(folder / "a.toy", {"--output_file", pipe});
  EXPECT_EQ(o.code, 0) << o.err;
  std::string text(1 << 16, '\0');
  const ssize_t n = read(from.get(), text.data(), text.size());
  ASSERT_GE(n, 0);
  EXPECT_EQ(text.substr(0, static_cast<size_t>(n)), dump(folder / "a.toy").out);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(Dump, ALinkStaysALink) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  write_text(folder / "old.txt", "old");
  std::filesystem::create_symlink("old.txt", folder / "link.txt");
  EXPECT_EQ(dump(folder / "a.toy", {"--output_file", folder / "link.txt"}).code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(read_text(folder / "old.txt"), dump(folder / "a.toy").out);
}

// Names come from the model, and a terminal obeys what it is shown.
TEST(Dump, NamesAreShownWithoutControlCharacters) {
  const Folder folder;
  write_text(folder / "a.toy", "toy 1\ninput x f32 1\nnode Unknown \x1b[31mu\x07 x -> a\noutput a\n");
  const Outcome o = dump(folder / "a.toy");
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.err.find("\\x1b[31mu\\x07"), std::string::npos) << o.err;
  EXPECT_EQ(o.err.find('\x1b'), std::string::npos);
  EXPECT_EQ(dump(folder / "a.toy", {"--after", "load"}).out.find('\x1b'), std::string::npos);
}

TEST(Dump, WritesAFile) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const Outcome o = dump(folder / "a.toy", {"--output_file", folder / "graph.txt"});
  EXPECT_EQ(o.out + o.err, "");
  EXPECT_EQ(read_text(folder / "graph.txt"), dump(folder / "a.toy").out);
  const Outcome bad = dump(folder / "a.toy", {"--output_file", folder / "none/graph.txt"});
  EXPECT_EQ(bad.code, 4);
  EXPECT_EQ(without_path(bad.err, folder),
            "error MO0713: cannot write 'DIR/none/graph.txt': No such file or directory\n");
}

}  // namespace
}  // namespace mo::test
