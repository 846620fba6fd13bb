// `verify --runtime` of a library. What stands in for OpenVINO is runtime/openvino_c.cpp; real ones are asked by
// tests/conformance/runtimes/libraries.

#include <gmock/gmock.h>

#include "program.hpp"

#if defined(MO_HAVE_PLUGIN_ir) && defined(MO_HAVE_PLUGIN_opset)

namespace mo::test {

namespace {

using testing::HasSubstr;
using testing::Not;

class RuntimeLibrary : public testing::Test {
 protected:
  RuntimeLibrary() {
    write_text(folder_ / "a.toy", "toy 1\ninput x f32 1,3\nnode Double d x -> y\noutput y\n");
  }
  Outcome verify(const std::string& library, const std::string& does = {}, bool wrong = false) const {
    ProgramOptions options;
    options.environment = {"FAKE_RUNTIME=" + does};
    if (wrong) options.environment.emplace_back("MO_TOY_WRONG=1");
    return run(
        {"verify", folder_ / "a.toy", "--extensions", toy + "," + zoo("numbers"), "--runtime", library},
        options);
  }
  const Folder folder_;
  const std::string of_fakes_ = std::string(build_folder) + "/tests/runtime",
                    fake_ = of_fakes_ + "/libopenvino_c.so";
};

TEST_F(RuntimeLibrary, ComputesTheSame) {
  const Outcome o = verify(fake_);
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("the result is computed by OpenVINO 2099.1.0-1\n"));
  EXPECT_THAT(o.out, HasSubstr("equal"));
  EXPECT_THAT(verify(fake_, "of a branch").out, HasSubstr("OpenVINO custom_branch\n"));
}

TEST_F(RuntimeLibrary, IsFoundInFolders) {
  EXPECT_EQ(verify(of_fakes_).code, 0);
  const char* const places[] = {"runtime/lib/intel64/libopenvino_c.so.2460", "libs/libopenvino_c.so.2460",
                                "openvino/libs/libopenvino_c.so.2641",
                                "lib/x86_64-linux-gnu/libopenvino_c.so.2024.6.0",
                                "lib/python3.11/site-packages/openvino/libs/libopenvino_c.so.2641"};
  for (size_t i = 0; i < std::size(places); ++i) {
    const fs::path at = fs::path(folder_ / std::to_string(i)) / places[i];
    fs::create_directories(at.parent_path());
    fs::copy_file(fake_, at);
    EXPECT_EQ(verify(folder_ / std::to_string(i)).code, 0) << at;
  }
  const Outcome o = verify(folder_.path().string());
  EXPECT_EQ(o.code, 2);
  EXPECT_THAT(without_path(o.err, folder_), HasSubstr("there is no libopenvino_c.so in the folder 'DIR'"));
  EXPECT_THAT(o.err, HasSubstr("2024.3"));
}

TEST_F(RuntimeLibrary, IsAskedOnlyWhenInferenceFindsNoFault) {
  const Outcome o = verify(folder_ / "nothing.so", "", true);
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.err, HasSubstr("MO0508"));
  EXPECT_THAT(o.out, Not(HasSubstr("computed by")));
}

TEST_F(RuntimeLibrary, DoesNotWork) {
  write_text(folder_ / "text.so.1", "no library\n");
  struct Row {
    std::string library, does;
    int code;
    std::vector<std::string> parts;
  };
  const Row rows[] = {
      {folder_ / "text.so.1",
       "",
       2,
       {"MO0104", "is no OpenVINO that can be used", "text.so.1", "libopenvino_c.so"}},
      {folder_ / "nothing.so", "", 2, {"MO0104", "there is no file", "nothing.so"}},
      {"libnothing_of_the_kind.so", "", 2, {"MO0104", "cannot open shared object file", "setupvars.sh"}},
      {toy, "", 2, {"MO0104", "it has no function ov_", "2022.3 or newer"}},
      {fake_,
       "refuse",
       1,
       {"MO0511", "OpenVINO 2099.1.0-1 does not take the model", "reading: no such operation"}},
      {fake_,
       "crash",
       1,
       {"MO0511", "ended without an answer; it was ended by SIGSEGV", "I fall", "libopenvino_c"}},
      {fake_, "exit", 1, {"MO0511", "ended without an answer; it ended its process with exit status 3"}},
      {fake_, "fail", 1, {"MO0511", "does not compute the model", "infer: no room"}},
      {fake_, "wrong", 1, {"MO0511", "does not compute what the source computes", "--target"}},
      {fake_, "short", 1, {"MO0511", "has 12 bytes; f32 [1,2] are 8"}},
      {fake_, "scalar", 1, {"MO0511", "has 12 bytes; f32 [] are 4"}},
      {fake_, "two inputs", 1, {"MO0511", "it has 2 inputs, the IR has 1"}},
      {fake_, "small inputs", 1, {"MO0511", "input 0 takes 8 bytes", "has 12"}},
  };
  for (const Row& row : rows) {
    const Outcome o = verify(row.library, row.does);
    EXPECT_EQ(o.code, row.code) << row.library << " " << row.does << "\n" << o.err;
    for (const std::string& part : row.parts) EXPECT_THAT(o.err, HasSubstr(part));
  }
}

}  // namespace

}  // namespace mo::test

#endif
