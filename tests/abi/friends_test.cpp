// Plugins of other compilers and with other libraries, all in one host. What they compute follows by hand
// from their sources in friends/.
#include "tests/cli/program.hpp"

namespace mo::test {
namespace {

const std::string friends = build_folder + std::string("/tests/friends");

Outcome shown(const std::string& nodes, const Folder& work) {
  write_text(work / "model.toy", "toy 1\ninput x f32 3\nconst w 1 -2 5\nconst v 0 0 0 0 0\n" + nodes);
  return run({"dump", "--input_model", work / "model.toy", "--extensions", toy + "," + friends});
}

TEST(Friends, OfAllCompilersLoadIntoOneHostAndCompute) {
  const Folder work;
  const Outcome o = shown(
      "node Guest_libcxx a w -> a d=org.example.friends\nnode Guest_gcc b w -> b d=org.example.friends\n"
      "node Guest_clang c w -> c d=org.example.friends\n"
      "node Copy pa a -> pa\nnode Copy pb b -> pb\nnode Copy pc c -> pc\n"
      "node Add d x,pa -> d\nnode Add e x,pb -> e\nnode Add f x,pc -> f\noutput d\noutput e\noutput f\n",
      work);
  ASSERT_EQ(o.code, 0) << o.err;
  // 1 + 10; -5, the length of "below"; the legs of a Dog, as only libc++ has them, and of a Bird.
  EXPECT_NE(o.out.find("{11,-5,4}"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("{11,-5,2}"), std::string::npos) << o.out;
  for (const char* op : {"Guest_libcxx", "Guest_gcc", "Guest_clang"})
    EXPECT_EQ(o.out.find(std::string("= ") + op), std::string::npos) << op << " was not computed\n" << o.out;
}

TEST(Friends, WhatTheyThrowIsAnErrorThatNamesThem) {
  for (const std::string name : {"libcxx", "gcc", "clang"}) {
    const Folder work;
    const Outcome o = shown("node Rude_" + name + " a x -> a d=org.example.friends\noutput a\n", work);
    EXPECT_EQ(o.code, 1) << o.out << o.err;
    EXPECT_NE(o.err.find("thrown by " + name), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("org.example.friends." + name), std::string::npos) << o.err;
  }
}

TEST(Friends, OneWithItsOwnCopyOfOurLibrariesCallsItsOwnAndSoDoWe) {
  const Folder work;
  write_text(work / "model.toy",
             "toy 1\ninput x f32 5\nconst v 0 0 0 0 0\nnode Clash a v -> a d=org.example.friends\nnode Add b "
             "x,a -> b\n"
             "output b\n");
  // The IR is written with the library whose names it has.
  const Outcome o = run({"--input_model", work / "model.toy", "--extensions", toy + "," + friends,
                         "--output_dir", work.path().string()});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(read_text(work / "model.xml").find("type=\"Add\""), std::string::npos);
  const Outcome again = run({"dump", "--input_model", work / "model.xml", "--extensions", toy});
  ASSERT_EQ(again.code, 0) << again.err;
  // Seven calls, and four answers that are its own.
  EXPECT_NE(again.out.find("{7,1,1,1,1}"), std::string::npos) << again.out;
}

}  // namespace
}  // namespace mo::test
