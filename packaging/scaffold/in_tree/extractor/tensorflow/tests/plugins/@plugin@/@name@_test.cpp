// How @Name@ is read. Numbers come from the specification of the framework, never from mo-host.
#include "tests/plugins/tensorflow/operator_rows.hpp"

namespace mo::test {

class @Name@Extractor : public TensorflowOperators {};

TEST_P(@Name@Extractor, ComputesTheSameFromConstants) { expect_outputs(Given::constants); }
TEST_P(@Name@Extractor, ComputesTheSameWithoutDimensions) { expect_outputs(Given::ranks); }
TEST_P(@Name@Extractor, ComputesTheSameWithoutRanks) { expect_outputs(Given::nothing); }

const OperatorRow @name@_rows[] = {
    {"@Name@", {tf_floats({3}, {-2, 0, 3})}, {t_float}, {{ElementType::f32, {3}, {0, 0, 3}}}},
};
INSTANTIATE_TEST_SUITE_P(Rows, @Name@Extractor, testing::ValuesIn(@name@_rows));

}  // namespace mo::test
