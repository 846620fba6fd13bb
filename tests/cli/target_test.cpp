// --target: the oldest release of the runtime that has to read the files.
#include "program.hpp"

namespace mo::test {
namespace {

// f32[2,2] through one operation.
std::string ir_of(const std::string& type, const std::string& opset) {
  const std::string port = R"( precision="FP32"><dim>2</dim><dim>2</dim></port>)";
  return R"(<?xml version="1.0"?>
<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,2" element_type="f32"/>
<output><port id="0")" +
         port + R"(</output></layer>
<layer id="1" name="y" type=")" +
         type + R"(" version=")" + opset + R"("><input><port id="0")" + port +
         R"(</input><output><port id="1")" + port + R"(</output></layer>
<layer id="2" name="r" type="Result" version="opset1"><input><port id="0")" +
         port + R"(</input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>)";
}

class Target : public testing::Test {
 protected:
  Target() {
    write_text(folder_ / "inverse.xml", ir_of("Inverse", "opset14"));
    write_text(folder_ / "inverse.bin", "");
    write_text(folder_ / "sign.xml", ir_of("SoftSign", "opset9"));
    write_text(folder_ / "sign.bin", "");
  }
  Outcome converted(const std::string& model, const std::string& target,
                    const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"-m",       folder_ / model, "-o",  folder_ / "out",
                                   "--silent", "--target",      target};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  std::string written(const std::string& name) { return read_text(folder_ / ("out/" + name)); }
  Folder folder_;
};

TEST_F(Target, WhatIsNewerIsRefusedWithTheFirstReleaseThatHasIt) {
  const Outcome o = converted("inverse.xml", "2023.3");
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.err.find("MO0714"), std::string::npos) << o.err;
  EXPECT_NE(
      o.err.find(
          "opset14::Inverse is newer than release 2023.3; the first release that has it is 2024.0: 'y'"),
      std::string::npos)
      << o.err;
  EXPECT_EQ(converted("inverse.xml", "2024.0").code, 0);
}

TEST_F(Target, CheckGoesAsFarAsAConversion) {
  const Outcome o = run({"check", folder_ / "inverse.xml", "--target", "2023.3"});
  EXPECT_EQ(o.code, 5);
  EXPECT_NE((o.out + o.err).find("opset14::Inverse is newer than release 2023.3"), std::string::npos)
      << o.out << o.err;
  EXPECT_EQ(run({"check", folder_ / "inverse.xml", "--target", "2024.0"}).code, 0);
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"inverse.bin", "inverse.xml", "sign.bin", "sign.xml"}))
      << "nothing is written";
}

TEST_F(Target, WhatOlderOperationsCanDoIsWrittenByThem) {
  EXPECT_EQ(converted("sign.xml", "2022.1").err, "");
  EXPECT_EQ(written("sign.xml").find("SoftSign"), std::string::npos);
  EXPECT_NE(written("sign.xml").find("type=\"Abs\""), std::string::npos);
  EXPECT_EQ(converted("sign.xml", "2022.2").err, "");
  EXPECT_NE(written("sign.xml").find("SoftSign"), std::string::npos);
}

TEST_F(Target, ImpliesTheVersionOfTheIr) {
  EXPECT_EQ(converted("sign.xml", "2021.4").err, "");
  EXPECT_NE(written("sign.xml").find("version=\"10\""), std::string::npos);
  const Outcome o = converted("sign.xml", "2021.4", {"--ir_version", "11"});
  EXPECT_EQ(o.code, 2);
  EXPECT_NE(o.err.find("--ir_version 11 does not go together with --target 2021.4"), std::string::npos)
      << o.err;
}

TEST_F(Target, ANameThatIsNone) {
  const Outcome o = converted("sign.xml", "2022.9");
  EXPECT_EQ(o.code, 2);
  EXPECT_NE(
      o.err.find("error MO0104: --target is '2022.9'; expected one of 2021.4, 2022.1, 2022.2, 2022.3, "),
      std::string::npos)
      << o.err;
}

TEST_F(Target, AnOperationOfASetMayBeYounger) {
  write_text(folder_ / "inverse17.xml", ir_of("ErfInv", "opset17"));
  write_text(folder_ / "inverse17.bin", "");
  write_text(folder_ / "shift.xml", ir_of("Identity", "opset16"));
  write_text(folder_ / "shift.bin", "");
  EXPECT_EQ(converted("inverse17.xml", "2026.2").err, "");
  EXPECT_NE(converted("inverse17.xml", "2026.1").err.find("the first release that has it is 2026.2"),
            std::string::npos);
  EXPECT_EQ(converted("shift.xml", "2025.0").err, "");
  EXPECT_NE(written("shift.xml").find("Identity"), std::string::npos);
  const auto ops = [](const char* target) { return run({"list", "ops", "--target", target}).out; };
  EXPECT_EQ(ops("2023.2").find(" ScaledDotProductAttention "), std::string::npos);
  EXPECT_NE(ops("2023.3").find(" ScaledDotProductAttention "), std::string::npos);
  EXPECT_NE(ops("2023.2").find(" BitwiseAnd "), std::string::npos);
}

TEST_F(Target, ALaterOneThanAnyThatIsKnown) {
  EXPECT_EQ(converted("sign.xml", "2026.4").err, "");
  const Outcome o = run({"-m", folder_ / "sign.xml", "-o", folder_ / "out", "--target", "2027.1"});
  EXPECT_EQ(o.code, 0);
  EXPECT_NE(o.err.find("--target is '2027.1', which this program does not know: the files are for 2026.4"),
            std::string::npos)
      << o.err;
}

TEST_F(Target, CheckTellsBefore) {
  const auto check = [&](const char* model, const char* target) {
    return run({"check", folder_ / model, "--target", target});
  };
  const Outcome good = check("inverse.xml", "2024.0"), bad = check("inverse.xml", "2023.3");
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_NE(good.out.find("release 2024.0 reads what becomes of it"), std::string::npos) << good.out;
  EXPECT_EQ(bad.code, 5);
  EXPECT_NE(bad.err.find("the first release that has it is 2024.0"), std::string::npos) << bad.err;
  EXPECT_EQ(check("sign.xml", "2021.4").code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(Target, ListsTheOperationsOfARelease) {
  const auto ops = [](const char* target) { return run({"list", "ops", "--target", target}).out; };
  EXPECT_EQ(ops("2023.3").find(" Inverse "), std::string::npos);
  EXPECT_NE(ops("2024.0").find(" Inverse "), std::string::npos);
  const Outcome o = run({"list", "options", "--target", "2024.0"});
  EXPECT_EQ(o.code, 2);
  EXPECT_NE(o.err.find("--target is for `list ops`"), std::string::npos) << o.err;
}

}  // namespace
}  // namespace mo::test
