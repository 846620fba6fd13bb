// Types in patterns that no operation has: what is warned of, and what is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <int which>
struct Known {
  static constexpr std::string_view type = which == 0 ? "Multiply" : "ReduceMean", opset = "opset1";
  static void schema(OpSchema& s) { s.inputs(2).outputs(1); }
};

class UnknownTypesTest : public ::testing::Test {
 protected:
  UnknownTypesTest() {
    lab_.plugin(
        "org.host",
        [](Registry& r) {
          r.operation<Known<0>>();
          r.operation<Known<1>>();
          r.extractor<ignore>({"toy", "", "Pack"});
          r.transformation<OnOp>("h.unpacks", std::vector<std::string>{"::Multi"}, nullptr);
        },
        true);
    lab_.session.log_sink = [this](const core::LogLine& line) { said_.push_back(line.text); };
  }
  static void ignore(SourceNode&) {}
  void look_for(const std::vector<std::string>& types, bool built_in = false) {
    lab_.plugin(
        "com.acme", [&](Registry& r) { r.transformation<OnTree>("a.looks", wrap_type(types), nullptr); },
        built_in);
    const auto g = lab_.graph("%x = Parameter\n%y = Internal (%x)\nResult \"r\" (%y)");
    core::run_phase(lab_.session, *g, core::make_schedule(lab_.session, {}), MO_PHASE_MIDDLE);
  }
  Lab lab_;
  std::vector<std::string> said_;
};

TEST_F(UnknownTypesTest, WhatComesNearIsSaid) {
  look_for({"Mul", "Mean"});
  EXPECT_THAT(said_,
              ElementsAre("'a.looks' looks for 'Mean', which is not a registered operation: did you mean "
                          "'ReduceMean'?",
                          "'a.looks' looks for 'Mul', which is not a registered operation: did you mean "
                          "'Multiply'?"));
}

TEST_F(UnknownTypesTest, ASlipOfThePen) {
  look_for({"Mutliply", "reducemean"});
  EXPECT_THAT(said_,
              ElementsAre(HasSubstr("did you mean 'Multiply'?"), HasSubstr("did you mean 'ReduceMean'?")));
}

TEST_F(UnknownTypesTest, WhatTheModelsOperationsHaveBecome) {
  lab_.session.extracted_as["Placeholder"] = {"Parameter"};
  look_for({"opset1::Placeholder"});
  EXPECT_THAT(said_,
              ElementsAre("'a.looks' looks for 'Placeholder', which is not a registered operation: what "
                          "the model calls so is 'Parameter' by now"));
}

TEST_F(UnknownTypesTest, TypesThatAreThereAreNoMistake) {
  look_for({"Multiply", "opset1::ReduceMean", "Internal", "::Mul", "Pack", "Multi", "Farfetched"});
  EXPECT_THAT(said_, IsEmpty());
}

TEST_F(UnknownTypesTest, WhatIsBuiltInIsNotLookedAt) {
  look_for({"Mul"}, true);
  EXPECT_THAT(said_, IsEmpty());
}

}  // namespace
}  // namespace mo::test
