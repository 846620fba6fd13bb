// Models in memory, and places of operators.
#include "tflite_fixture.hpp"

namespace mo::test {
namespace {

using testing::ContainsRegex;

class TfliteMemory : public Tflite {};

TEST_F(TfliteMemory, OneFile) {
  expect_the_same_in_memory(folder_.write("model.tflite", unary(lite::abs).bytes()));
}

TEST_F(TfliteMemory, ErrorsSayWhereTheOperatorStands) {
  LiteFile file = unary(lite::add);
  file.main().operators[0].inputs.push_back(file.main().input({.name = "z", .dims = {3}}));
  EXPECT_THAT(located_failure_of(folder_.write("model.tflite", file.bytes())),
              ContainsRegex("place +[^ ]*model.tflite, byte [0-9]+"));
}

}  // namespace
}  // namespace mo::test
