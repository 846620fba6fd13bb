// What @Name@ becomes. Numbers come from the specification of the framework, never from mo-host.
#include "tests/plugins/onnx/operator_fixture.hpp"

namespace mo::test {

using testing::ElementsAre;

class @Name@Front : public OnnxOperators {};

TEST_F(@Name@Front, ComputesItsOutput) {
  EXPECT_THAT(eval(13, "@Name@", {floats({3}, {-2, 0, 3})}), ElementsAre(2, 0, 12));
}

}  // namespace mo::test
