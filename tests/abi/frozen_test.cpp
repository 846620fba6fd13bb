// Plugins that were built for a released ABI, and are kept as they were built, in today's host.
#include <mo/plugin.h>

#include <array>

#include "tests/cli/program.hpp"

namespace mo::test {
namespace {

const fs::path frozen_folder = MO_SOURCE_DIR "/tests/data/frozen";

constexpr std::array names{"gcc_c", "clang_c", "gcc_cpp", "clang_cpp"};

bool is_of_this_candidate(const fs::path& set) {
  return set.filename() == "1.0-rc" + std::to_string(MO_ABI_CANDIDATE);
}

std::vector<fs::path> sets(bool of_this_candidate) {
  std::vector<fs::path> list;
  for (const auto& e : fs::directory_iterator(frozen_folder))
    if (e.is_directory() && is_of_this_candidate(e.path()) == of_this_candidate) list.push_back(e.path());
  std::sort(list.begin(), list.end());
  return list;
}
std::vector<fs::path> releases() { return sets(true); }

class Frozen : public testing::Test {
 protected:
  void SetUp() override {
#ifndef __x86_64__
    GTEST_SKIP() << "the frozen plugins are binaries for x86-64; this is another architecture";
#endif
  }
};

TEST_F(Frozen, EachSetHasItsFourPlugins) {
  for (const bool current : {true, false}) {
    ASSERT_FALSE(sets(current).empty());
    for (const fs::path& set : sets(current))
      for (const char* name : names)
        EXPECT_TRUE(fs::exists(set / (std::string(name) + ".mo.so"))) << set << " lacks " << name;
  }
}

// Before 1.0 is final it may be counted anew; who has such a plugin is told what it is and what to do.
TEST_F(Frozen, ThoseOfAnEarlierCandidateAreRefusedWithTheRemedy) {
  for (const fs::path& set : sets(false))
    for (const char* name : names) {
      SCOPED_TRACE(set / name);
      const Folder work;
      fs::copy_file(set / (std::string(name) + ".mo.so"), work / "old.mo.so");
      const Outcome o = run({"list", "plugins", "--extensions", work.path().string()});
      EXPECT_EQ(o.code, 3);
      const std::string candidate = set.filename().string().substr(6);
      EXPECT_NE(o.err.find("MOX-021"), std::string::npos) << o.err;
      EXPECT_NE(
          o.err.find("abi_candidate is " + candidate + "; expected " + std::to_string(MO_ABI_CANDIDATE)),
          std::string::npos)
          << o.err;
      EXPECT_NE(o.err.find("compile"), std::string::npos) << o.err;
    }
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
    for (const char* name : names)
      EXPECT_NE(xml.find(std::string("version=\"org.example.frozen.") + name), std::string::npos) << name;
    // Computed for the IR by each of them: the squares of their scales, 1 and 0.5.
    EXPECT_NE(xml.find("squared=\"1\""), std::string::npos);
    EXPECT_NE(xml.find("squared=\"0.25\""), std::string::npos);
  }
}

}  // namespace
}  // namespace mo::test
