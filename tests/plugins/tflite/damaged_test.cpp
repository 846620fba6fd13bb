// What the file has wrong is said, with the operator or the tensor that has it.
#include "tflite_fixture.hpp"

namespace mo::test {
namespace {

class TfliteDamaged : public Tflite {};

TEST_F(TfliteDamaged, FilesThatAreNoModels) {
  EXPECT_THAT(failure_of_bytes("short"),
              HasSubstr("the file has 5 bytes, which is no TensorFlow Lite model"));
  std::string bytes = unary(lite::abs).bytes();
  bytes[5] = 'X';
  EXPECT_THAT(failure_of_bytes(bytes), HasSubstr("it does not have 'TFL3' at byte 4"));
}

TEST_F(TfliteDamaged, FilesThatAreCutOff) {
  const std::string bytes = unary(lite::abs).bytes();
  for (size_t size = 16; size + 16 < bytes.size(); size += 8)
    EXPECT_NE(failure_of_bytes(bytes.substr(0, size)), "") << size;
  EXPECT_THAT(failure_of_bytes(bytes.substr(0, bytes.size() / 2)), HasSubstr("the file is damaged"));
}

TEST_F(TfliteDamaged, OtherVersions) {
  LiteFile file = unary(lite::abs);
  file.version = 4;
  EXPECT_THAT(load_failure(file), HasSubstr("the model is of schema version 4, expected 3"));
}

TEST_F(TfliteDamaged, UnknownOperators) {
  EXPECT_THAT(load_failure(unary(4711)), HasSubstr("operator code 4711 is not known; the model is newer"));
  EXPECT_THAT(load_failure(unary(lite::custom)), HasSubstr("a custom operator has no name"));
}

TEST_F(TfliteDamaged, OperatorsWithoutCounterpart) {
  EXPECT_THAT(failure_of(unary(136)), HasSubstr("the IR has no tables to look keys up in"));
}

TEST_F(TfliteDamaged, IndicesOfTensors) {
  LiteFile file = unary(lite::abs);
  file.main().operators[0].inputs = {7};
  EXPECT_THAT(load_failure(file), HasSubstr("operator 0: an input of ABS is tensor 7, but there are 2"));
  file.main().operators[0].inputs = {-5};
  EXPECT_THAT(load_failure(file), HasSubstr("an input of ABS is tensor -5"));
  file.main().operators[0].inputs = {0};
  file.main().outputs = {9};
  EXPECT_THAT(load_failure(file), HasSubstr("an output of the sub-graph is tensor 9"));
}

TEST_F(TfliteDamaged, TensorsWithoutValues) {
  LiteFile file = unary(lite::abs);
  file.main().inputs.clear();
  EXPECT_THAT(load_failure(file),
              HasSubstr("operator 0 (ABS): it reads tensor 0 'x', which has no value yet"));
  file.main().inputs = {0};
  file.main().operators[0].outputs.clear();
  EXPECT_THAT(load_failure(file), HasSubstr("output tensor 1 'y'"));
}

TEST_F(TfliteDamaged, TensorsThatAreWrittenTwice) {
  LiteFile file = unary(lite::abs);
  file.main().operators.push_back(file.main().operators[0]);
  EXPECT_THAT(load_failure(file), HasSubstr("operator 1 (ABS): tensor 1 'y' is written twice"));
}

TEST_F(TfliteDamaged, Buffers) {
  LiteFile file = unary(lite::abs);
  file.main().operators[0].inputs[0] = file.main().tensor({.name = "c", .dims = {2}, .buffer = 40});
  EXPECT_THAT(load_failure(file), HasSubstr("tensor 2 'c': it has buffer 40, but the model has 1 buffers"));
  file.main().tensors[2] = {.name = "c", .dims = {3}, .data = lite_bytes<float>({1, 2})};
  EXPECT_THAT(load_failure(file), HasSubstr("its buffer has 8 bytes, but shape [3] of FLOAT32 takes 12"));
  file.main().tensors[2].dims = {65536, 65536, 65536, 65536};
  EXPECT_THAT(load_failure(file), HasSubstr("has too many elements"));
  file.main().tensors[2].dims = {-2};
  EXPECT_THAT(load_failure(file), HasSubstr("its shape is [-2]"));
}

TEST_F(TfliteDamaged, Quantization) {
  LiteFile file = unary(lite::abs);
  LiteTensor& t = file.main().tensors[0];
  t.type = LiteType::i8;
  t.quantization = {{-1}, {0}};
  EXPECT_THAT(load_failure(file), HasSubstr("tensor 0 'x': a scale is -1, expected a positive number"));
  t.quantization = {{1, 2, 3}, {0}};
  EXPECT_THAT(load_failure(file), HasSubstr("it has 3 scales, but dimension 0 of its shape [2]"));
  t.quantization = {{1, 2}, {0, 0, 0}};
  EXPECT_THAT(load_failure(file), HasSubstr("it has 2 scales but 3 zero points"));
}

TEST_F(TfliteDamaged, TypesThatAreNotKnown) {
  LiteFile file = unary(lite::abs);
  file.main().tensors[1].type = static_cast<LiteType>(77);
  EXPECT_THAT(load_failure(file), HasSubstr("its type has number 77"));
}

TEST_F(TfliteDamaged, OptionsOfAnotherOperator) {
  LiteFile file = unary(lite::conv_2d);
  file.main().operators[0].options_type = 5;
  file.main().operators[0].options = {{0, int8_t{0}}};
  EXPECT_THAT(load_failure(file), HasSubstr("the options of CONV_2D are of kind 5, expected 1"));
}

TEST_F(TfliteDamaged, OptionsWithUnknownValues) {
  LiteFile file = unary(lite::add);
  file.main().operators[0].inputs = {0, 0};
  file.main().operators[0].options_type = 11;
  file.main().operators[0].options = {{0, int8_t{99}}};
  EXPECT_THAT(failure_of(file),
              HasSubstr("'fused_activation_function' has the value 99, which is not known"));
}

}  // namespace
}  // namespace mo::test
