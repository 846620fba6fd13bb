// The operation @Name@ of the plugin @name@.
#include "tests/plugins/builtin_passes/passes_lab.hpp"

namespace mo::test {
namespace {

TEST(@Name@, ComputesItsOutput) {
  PassesLab lab;
  const auto g = lab.graph(
      "%x = Parameter -> f32[2]\n"
      "%y = @Name@@@mo-host.@name@ (%x)\n"
      "Result (%y)\n");
  EXPECT_EQ(lab.computed(*g, "Parameter_1->[1 -3]"), (std::vector<double>{2, -6}));
}

}  // namespace
}  // namespace mo::test
