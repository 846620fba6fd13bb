// A FIFO or a device in the place of a file is an error at once: nobody waits for what may never come.
#include <sys/stat.h>

#include "program.hpp"

namespace mo::test {
namespace {

TEST(RegularFiles, NothingElseIsRead) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const std::string model = folder / "a.toy", fifo = folder / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const std::vector<std::vector<std::string>> commands = {
      {"-m", "THERE", "--extensions", toy},
      {"-m", model, "--extensions", toy, "-o", folder / "out", "--transformations_config", "THERE"},
      {"-m", model, "--extensions", "THERE", "-o", folder / "out"},
      {"run", "-m", model, "--extensions", toy, "--input", "x=THERE"},
      {"run", "--extensions", toy, "--cases", "THERE"},
      {"convert", "--extensions", toy, "--manifest", "THERE"},
      {"plugin", "inspect", "THERE"},
      {"plugin", "audit", "THERE"},
  };
  for (const std::string& there : {fifo, std::string("/dev/zero")})
    for (std::vector<std::string> words : commands) {
      for (std::string& w : words)
        if (const size_t at = w.find("THERE"); at != std::string::npos) w.replace(at, 5, there);
      const Outcome o = run(words);
      EXPECT_TRUE(o.code >= 1 && o.code <= 4) << o.code << " of " << words[0] << " " << words.back() << "\n"
                                              << o.err;
      EXPECT_NE((o.err + o.out).find(there), std::string::npos) << o.err << o.out;
      EXPECT_FALSE(fs::exists(folder / "out"));
    }
}

// Results for a pipe need somebody who reads them.
TEST(RegularFiles, APipeThatNobodyReadsIsNotWaitedFor) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const std::vector<std::string> words{"dump",          "-m", folder / "a.toy", "--extensions", toy,
                                       "--output_file", fifo};
  const Outcome o = run(words);
  EXPECT_EQ(o.code, 4);
  EXPECT_NE(o.err.find("MO0713: cannot write '" + fifo + "': No such device or address"), std::string::npos)
      << o.err;
  const int reader = open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_EQ(run(words).code, 0);
  std::string said(1 << 16, ' ');
  said.resize(static_cast<size_t>(std::max<ssize_t>(0, read(reader, said.data(), said.size()))));
  close(reader);
  EXPECT_EQ(said.substr(0, 10), "mo-graph 1");
}

}  // namespace
}  // namespace mo::test
