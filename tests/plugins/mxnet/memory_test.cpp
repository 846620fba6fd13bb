// Networks in memory, places of nodes, and extractors of variables.
#include "looking_extractors.hpp"
#include "mxnet_fixture.hpp"

namespace mo::test {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;

class MxnetMemory : public Mxnet {
 protected:
  std::filesystem::path sum(const std::string& shape = "(1,)") {
    folder_.write("net-symbol.json", symbol_of(variable("x", text(R"j({"__shape__": ")j", shape, R"j("})j")) +
                                                   ",\n" + variable("w") +
                                                   R"j(,
{"op": "elemwise_add",
 "name": "y", "inputs": [[0, 0, 0], [1, 0, 0]]})j",
                                               "[2, 0, 0]"));
    return folder_.write("net-0003.params", ArraysBuilder().dense({"arg:w", {2}, {3, 4}}).bytes());
  }
};

TEST_F(MxnetMemory, EitherFileFindsTheOther) {
  expect_the_same_in_memory(sum());
  expect_the_same_in_memory(folder_ / "net-symbol.json");
}

TEST_F(MxnetMemory, ASymbolThatIsMissingIsNoFile) {
  EXPECT_THAT(failure_without(sum(), "net-symbol.json"), HasSubstr("there is no 'net-symbol.json'"));
}

TEST_F(MxnetMemory, ErrorsSayInWhichLineTheNodeStands) {
  EXPECT_THAT(located_failure_of(sum("(3,)")), ContainsRegex("place +[^ ]*net-symbol.json:3"));
}

void look_at_variables(Registry& r) { add_looking(r, "mxnet", {"null", "elemwise_add"}); }

TEST_F(MxnetMemory, ExtractorsOfVariablesAreAsked) {
  plugin_ = [](core::Session& s) { load_test_plugin<look_at_variables>(s); };
  ConversionTest::prepare(sum());
  EXPECT_THAT(asked_for, ElementsAre("elemwise_add", "null"));
}

}  // namespace
}  // namespace mo::test
