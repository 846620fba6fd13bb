// How @Name@ is read. Numbers come from the specification of the framework, never from mo-host.
#include "tests/plugins/onnx/operator_fixture.hpp"

namespace mo::test {

using testing::ElementsAre;

class @Name@Extractor : public OnnxOperators {};

TEST_F(@Name@Extractor, ComputesItsOutput) {
  EXPECT_THAT(eval(13, "@Name@", {floats({3}, {-2, 0, 3})}), ElementsAre(0, 0, 3));
}

}  // namespace mo::test
