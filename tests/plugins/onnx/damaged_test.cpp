// Models that fuzzing found to be refused for the wrong reason, or not at all.
#include "operator_fixture.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;
using OnnxDamaged = OnnxOperators;

TEST_F(OnnxDamaged, MoreOutputsThanAnOperatorHas) {
  for (const char* type : {"HardSigmoid", "Identity", "ArgMax"}) {
    ModelBuilder m(13);
    m.input("x", OnnxType::float32, {2, 2});
    m.node({.type = type, .inputs = {"x"}, .outputs = {"y", "more"}, .name = "op"});
    m.output("y");
    m.output("more");
    const std::string text = failure_of(m);
    EXPECT_THAT(text, HasSubstr("output 1 is read, but the operator has only 1")) << type;
    EXPECT_THAT(text, HasSubstr("'op'")) << type;
  }
}

}  // namespace
}  // namespace mo::test
