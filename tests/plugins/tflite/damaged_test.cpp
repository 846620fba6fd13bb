// What the file has wrong is said, with the operator or the tensor that has it.
#include "tflite_fixture.hpp"

namespace mo::test {
namespace {

using testing::AllOf;

class TfliteDamaged : public Tflite {};

TEST_F(TfliteDamaged, FilesThatAreNoModels) {
  EXPECT_THAT(failure_of_bytes("short"), HasSubstr("the file has 5 bytes; a TensorFlow Lite model has more"));
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
  EXPECT_THAT(load_failure(unary(210)), HasSubstr("operator code 210 is not known"));
  EXPECT_THAT(load_failure(unary(4711)), HasSubstr("operator code 4711 is not known; the model is newer"));
  EXPECT_THAT(load_failure(unary(lite::custom)), HasSubstr("a custom operator has no name"));
}

TEST_F(TfliteDamaged, OperatorsWithoutCounterpart) {
  EXPECT_THAT(failure_of(unary(136)), AllOf(HasSubstr("missing HASHTABLE, version 1: 1 node, 'y'"),
                                            HasSubstr("the IR has no tables to look keys up in")));
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

// y = relu(w), where w has scales for blocks of the last dimension.
LiteFile in_blocks(LiteTensor scales, int32_t block) {
  LiteFile file;
  LiteGraph& g = file.main();
  const int32_t s = g.tensor(std::move(scales));
  const int32_t w = g.tensor({.name = "w",
                              .type = LiteType::i8,
                              .dims = {2, 4},
                              .data = {1, 2, 3, 4, 5, 6, 7, 8},
                              .quantization = {.block = block, .block_scales = s}});
  const int32_t y = g.output({.name = "y", .dims = {2, 4}});
  g.operators.push_back({.code = lite::relu, .inputs = {w}, .outputs = {y}});
  return file;
}

TEST_F(TfliteDamaged, QuantizationInBlocks) {
  const LiteTensor scales{.name = "s", .dims = {2, 2}, .data = lite_bytes<float>({1, 2, 3, 4})};
  EXPECT_EQ(load_failure(in_blocks(scales, 2)), "");
  EXPECT_THAT(load_failure(in_blocks(scales, 3)),
              HasSubstr("tensor 1 'w': its last dimension of [2,4] is not a multiple of 3"));
  EXPECT_THAT(load_failure(in_blocks(scales, 4)), HasSubstr("its blocks have 4 scale, expected 2"));
  EXPECT_THAT(load_failure(in_blocks(scales, -2)), HasSubstr("its quantization has blocks of -2 elements"));
  EXPECT_THAT(load_failure(in_blocks({.name = "s", .dims = {2, 2}}, 2)),
              HasSubstr("the scales of its blocks are not constant"));
  LiteFile file = in_blocks(scales, 2);
  file.main().tensors[1].quantization.block_scales = 9;
  EXPECT_THAT(load_failure(file), HasSubstr("the scales of its blocks are tensor 9, but there are 3"));
}

TEST_F(TfliteDamaged, SparsityThatDoesNotFit) {
  LiteFile file = unary(lite::abs, {2, 4});
  file.main().operators[0].inputs[0] = 2;
  file.main().tensors.push_back({.name = "c", .dims = {2, 4}, .data = lite_bytes<float>({1, 2, 3, 4})});
  LiteTensor& t = file.main().tensors[2];
  const std::vector<LiteSparseDim> rows{
      {.size = 2}, {.sparse = true, .segments = {0, 1, 2}, .indices = {0, 1}}, {.size = 2}};
  t.sparse = rows;
  t.block_map = {1};
  EXPECT_EQ(load_failure(file), "");
  t.block_map = {2};
  EXPECT_THAT(load_failure(file), HasSubstr("tensor 2 'c': its block_map [2] is outside of its shape [2,4]"));
  t.block_map = {1};
  t.order = {0, 0, 2};
  EXPECT_THAT(load_failure(file), HasSubstr("its traversal_order [0,0,2] is not an order"));
  t.order = {0, 1};
  EXPECT_THAT(load_failure(file), HasSubstr("its sparsity walks 2 dimensions in 3 steps, expected 3"));
  t.order.clear();
  t.sparse[0].size = 3;
  EXPECT_THAT(load_failure(file), HasSubstr("its sparsity walks 3 positions of dimension 0 of shape [2,4]"));
  t.sparse = rows;
  t.data += lite_bytes<float>({5});
  EXPECT_THAT(load_failure(file), HasSubstr("its buffer has 20 bytes, but its sparsity takes 16"));
  t.data.resize(12);
  EXPECT_THAT(load_failure(file), HasSubstr("its buffer has only 12 bytes"));
}

TEST_F(TfliteDamaged, BuffersOutsideOfTheFlatBuffer) {
  LiteFile file = unary(lite::abs);
  file.main().operators[0].inputs[0] = file.main().tensor({.name = "c", .dims = {2}});
  file.behind = std::string(4096, 'x');
  file.outside = {{"c", {2048, 12}}};
  EXPECT_THAT(load_failure(file),
              HasSubstr("tensor 2 'c': its buffer has 12 bytes, but shape [2] of FLOAT32"));
  file.outside = {{"c", {uint64_t{1} << 40, 8}}};
  EXPECT_THAT(load_failure(file),
              HasSubstr("not all of its data is in the file: 8 bytes from 1099511627776"));
  file.outside = {{"c", {64, UINT64_MAX - 32}}};
  EXPECT_THAT(load_failure(file), HasSubstr("is it cut off?"));
}

TEST_F(TfliteDamaged, BuffersInOtherFiles) {
  LiteFile file = unary(lite::abs);
  file.main().operators[0].inputs[0] = file.main().tensor({.name = "c", .dims = {2}, .external = 5});
  EXPECT_THAT(load_failure(file),
              HasSubstr("tensor 2 'c': it has the external buffer 5, which the model does not have"));
  const auto with = [&](const LiteFile::External& e) {
    file.external = {e};
    return load_failure(file);
  };
  file.groups = {"weights.bin"};
  EXPECT_THAT(with({.id = 5, .group = 1, .length = 8}),
              HasSubstr("its external buffer is in group 1, but the model has 1"));
  EXPECT_THAT(with({.id = 5, .length = 8}), AllOf(HasSubstr("cannot open"), HasSubstr("weights.bin")));
  folder_.write("weights.bin", std::string(64, 'x'));
  EXPECT_EQ(with({.id = 5, .length = 8}), "");
  EXPECT_THAT(with({.id = 5, .length = 4}), HasSubstr("its buffer has 4 bytes, but shape [2] of FLOAT32"));
  for (const int64_t offset : {int64_t{60}, int64_t{1} << 40, int64_t{-1}})
    EXPECT_THAT(with({.id = 5, .offset = offset, .length = 8}), HasSubstr("but the file has only 64 bytes"))
        << offset;
  EXPECT_THAT(with({.id = 5, .length = 8, .packing = "zipped"}),
              HasSubstr("its external buffer is packed as 'zipped', expected 'unpacked'"));
  file.external.push_back(file.external[0]);
  EXPECT_THAT(load_failure(file), HasSubstr("two external buffers have the id 5"));
  file.external = {{.id = 5, .length = 8}};
  file.main().tensors[2].is_variable = true;
  EXPECT_THAT(load_failure(file), HasSubstr("it is a variable, but has an external buffer"));
  file.main().tensors[2].is_variable = false;
  file.main().tensors[2].data = lite_bytes<float>({1, 2});
  EXPECT_THAT(load_failure(file), HasSubstr("it has both buffer 1 and the external buffer 5"));
}

// Names in a file do not lead out of its folder.
TEST_F(TfliteDamaged, OtherFilesLieBesideTheModel) {
  LiteFile file = unary(lite::abs);
  file.main().operators[0].inputs[0] = file.main().tensor({.name = "c", .dims = {2}, .external = 5});
  file.external = {{.id = 5, .length = 8}};
  const TemporaryFolder elsewhere;
  elsewhere.write("weights.bin", "12345678");
  std::filesystem::create_symlink(elsewhere / "weights.bin", folder_ / "link");
  for (const std::string& name :
       {std::string("../weights.bin"), elsewhere / "weights.bin", std::string("link"), std::string()}) {
    file.groups = {name};
    EXPECT_THAT(load_failure(file), HasSubstr("is refused")) << name;
  }
}

TEST_F(TfliteDamaged, Intermediates) {
  LiteFile file = unary(lite::abs);
  file.main().operators[0].intermediates = {0, 12};
  EXPECT_THAT(load_failure(file),
              HasSubstr("operator 0: an intermediate of ABS is tensor 12, but there are 2"));
}

TEST_F(TfliteDamaged, SignaturesOfTensorsAndSubGraphsThatAreNotThere) {
  LiteFile file = unary(lite::abs);
  options_["signature"] = std::string("run");
  file.signatures = {{"run", 0, {{"x", 5}}, {{"y", 1}}}};
  EXPECT_THAT(load_failure(file), HasSubstr("signature 'run' names tensor 5, but there are 2"));
  file.signatures = {{"run", 3, {{"x", 0}}, {{"y", 1}}}};
  EXPECT_THAT(load_failure(file), HasSubstr("it refers to sub-graph 3, but the model has 1"));
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
