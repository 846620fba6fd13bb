// Plugins that were built for a released ABI, and are kept as they were built, in today's host.
#include "tests/cli/program.hpp"

namespace mo::test {
namespace {

const fs::path frozen_folder = MO_SOURCE_DIR "/tests/data/frozen";

std::vector<fs::path> releases() {
  std::vector<fs::path> list;
  for (const auto& e : fs::directory_iterator(frozen_folder))
    if (e.is_directory()) list.push_back(e.path());
  std::sort(list.begin(), list.end());
  return list;
}

class Frozen : public testing::Test {
 protected:
  void SetUp() override {
#ifndef __x86_64__
    GTEST_SKIP() << "the frozen plugins are binaries for x86-64; this is another architecture";
#endif
  }
};

TEST_F(Frozen, EachReleaseHasItsFourPlugins) {
  ASSERT_FALSE(releases().empty());
  for (const fs::path& release : releases())
    for (const char* name : {"gcc_c", "clang_c", "gcc_cpp", "clang_cpp"})
      EXPECT_TRUE(fs::exists(release / (std::string(name) + ".mo.so"))) << release << " lacks " << name;
}

TEST_F(Frozen, AllOfThemLoadIntoOneHostAndSayAndComputeWhatTheyDid) {
  for (const fs::path& release : releases()) {
    SCOPED_TRACE(release);
    const Outcome o = run({"dump", "--input_model", (release / "model.toy").string(), "--extensions",
                           toy + "," + release.string(), "--allow_writable_folders"});
    EXPECT_EQ(o.code, 0);
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(o.out, read_text(release / "expected.txt"));
  }
}

TEST_F(Frozen, TheirLayersAreWritten) {
  for (const fs::path& release : releases()) {
    SCOPED_TRACE(release);
    const Folder work;
    const Outcome o =
        run({"--input_model", (release / "model.toy").string(), "--extensions", toy + "," + release.string(),
             "--allow_writable_folders", "--output_dir", work.path().string()});
    ASSERT_EQ(o.code, 0) << o.err;
    const std::string xml = read_text(work / "model.xml");
    for (const char* name : {"gcc_c", "clang_c", "gcc_cpp", "clang_cpp"})
      EXPECT_NE(xml.find(std::string("version=\"org.example.frozen.") + name), std::string::npos) << name;
    // Computed for the IR by each of them: the square of their scales, 1.
    EXPECT_NE(xml.find("squared=\"1\""), std::string::npos);
  }
}

}  // namespace
}  // namespace mo::test
