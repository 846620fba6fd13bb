// Files of TensorFlow Lite: what is in them, and where.
#include <sys/stat.h>

#include <numeric>

#include "tflite_fixture.hpp"

namespace mo::test {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

class TfliteLoader : public Tflite {};

// y = neg(constant)
LiteFile negated(LiteTensor constant) {
  LiteFile file;
  LiteGraph& g = file.main();
  const std::vector<int32_t> dims = constant.dims;
  const LiteType type = constant.type;
  const bool real = !constant.quantization.scale.empty();
  const int32_t x = g.tensor(std::move(constant));
  const int32_t y = g.output({.name = "y", .type = real ? LiteType::f32 : type, .dims = dims});
  g.operators.push_back({.code = lite::neg, .inputs = {x}, .outputs = {y}});
  return file;
}

TEST_F(TfliteLoader, FilesAreKnownByTheirContent) {
  convert_.framework.clear();
  const core::GraphPtr g = prepare(folder_.write("weights.bin", unary(lite::abs).bytes()));
  EXPECT_EQ(count(*g, "Abs"), 1U);
}

TEST_F(TfliteLoader, TensorsKeepTheirNames) {
  const core::GraphPtr g = prepare(unary(lite::abs));
  EXPECT_EQ(type(*g, "y"), "Abs@opset1");
  EXPECT_EQ(source(*g, "y"), "x");
  EXPECT_EQ(g->name(g->results()[0]), "y/sink_port_0");
}

TEST_F(TfliteLoader, NamesThatAreMissingOrThereTwiceAreMadeUp) {
  LiteFile file;
  LiteGraph& g = file.main();
  const int32_t x = g.input({.name = "", .dims = {2}}), y = g.output({.name = "a", .dims = {2}}),
                z = g.output({.name = "a", .dims = {2}});
  g.operators.push_back({.code = lite::abs, .inputs = {x}, .outputs = {y}});
  g.operators.push_back({.code = lite::neg, .inputs = {x}, .outputs = {z}});
  const core::GraphPtr made = prepare(file);
  EXPECT_EQ(source(*made, "a"), "input_0");
  EXPECT_EQ(count(*made, "Negative"), 1U);
}

TEST_F(TfliteLoader, DimensionsOfTheSignatureAreOpen) {
  LiteFile file = unary(lite::abs, {1, 3});
  file.main().tensors[0].signature = {-1, 3};
  const core::GraphPtr g = prepare(file);
  EXPECT_EQ(shape(*g), (Shape{any_dim, 3}));
}

TEST_F(TfliteLoader, QuantizedConstantsStandForNumbers) {
  EXPECT_THAT(computed(negated({.name = "c",
                                .type = LiteType::i8,
                                .dims = {2},
                                .data = {'\x01', '\x7f'},
                                .quantization = {{0.5F}, {-1}}})),
              ElementsAre(-1, -64));
}

TEST_F(TfliteLoader, ScalesGoAlongTheirAxis) {
  for (const int32_t axis : {0, 1}) {
    const core::GraphPtr g = load(negated({.name = "c",
                                           .type = LiteType::i8,
                                           .dims = {2, 2},
                                           .data = {1, 2, 3, 4},
                                           .quantization = {{1, 10}, {0, 0}, axis}}));
    const auto& scale = g->out({node(*g, "c/scale"), 0}).tensor;
    EXPECT_EQ(scale.shape, axis == 0 ? (Shape{2, 1}) : (Shape{1, 2}));
    EXPECT_THAT(values_of(scale.value), ElementsAre(1, 10));
  }
}

TEST_F(TfliteLoader, WeightsOfFewBitsStayPacked) {
  LiteFile file;
  LiteGraph& g = file.main();
  const int32_t x = g.input({.name = "x", .dims = {2, 2}}), y = g.output({.name = "y", .dims = {2, 2}});
  const int32_t w = g.tensor({.name = "w",
                              .type = LiteType::i4,
                              .dims = {2, 2},
                              .data = {'\x21', '\x43'},
                              .quantization = {{0.5F}, {0}}});
  g.operators.push_back({.code = 9, .inputs = {x, w, -1}, .outputs = {y}, .options_type = 8});
  const core::GraphPtr made = prepare(file);
  EXPECT_EQ(made->out({node(*made, "w"), 0}).tensor.type, ElementType::i4);
}

TEST_F(TfliteLoader, FourAndTwoBitsAreCountedFromTheLowest) {
  EXPECT_THAT(computed(negated({.name = "c",
                                .type = LiteType::i4,
                                .dims = {3},
                                .data = {'\x21', '\x0f'},
                                .quantization = {{1}, {0}}})),
              ElementsAre(-1, -2, 1));
  EXPECT_THAT(computed(negated({.name = "c",
                                .type = LiteType::i2,
                                .dims = {5},
                                .data = {'\xe4', '\x01'},
                                .quantization = {{1}, {0}}})),
              ElementsAre(0, -1, 2, 1, -1));
}

TEST_F(TfliteLoader, FourBitsWithoutASignKeepTheirZeroPoint) {
  EXPECT_THAT(computed(negated({.name = "c",
                                .type = LiteType::u4,
                                .dims = {3},
                                .data = {'\xf1', '\x08'},
                                .quantization = {{0.5F}, {8}}})),
              ElementsAre(3.5, -3.5, 0));
}

TEST_F(TfliteLoader, InputsAndOutputsKeepTheirIntegers) {
  LiteFile file = unary(lite::relu);
  for (LiteTensor& t : file.main().tensors) {
    t.type = LiteType::u8;
    t.quantization = {{0.5F}, {128}};
  }
  const core::GraphPtr g = prepare(file);
  EXPECT_EQ(g->out({g->parameters()[0], 0}).tensor.type, ElementType::u8);
  EXPECT_EQ(g->out(output(*g)).tensor.type, ElementType::u8);
  const auto quantize = g->nodes_of("FakeQuantize");
  ASSERT_EQ(quantize.size(), 1U);
  EXPECT_EQ(attribute<int64_t>(*g, quantize[0], "levels"), 256);
}

// So --input and --output find one node by the name of a tensor.
TEST_F(TfliteLoader, NamesOfQuantizedTensorsAreThoseOfTheirLastNodes) {
  LiteFile file;
  LiteGraph& g = file.main();
  const LiteQuantization q{{0.5F}, {128}};
  const auto tensor = [&](const char* name) {
    return LiteTensor{.name = name, .type = LiteType::u8, .dims = {2}, .quantization = q};
  };
  const int32_t x = g.input(tensor("x")), m = g.tensor(tensor("m")), y = g.output(tensor("y"));
  g.operators = {{.code = lite::relu, .inputs = {x}, .outputs = {m}},
                 {.code = lite::relu, .inputs = {m}, .outputs = {y}}};
  const core::GraphPtr made = load(file);
  EXPECT_EQ(type(*made, "m"), "FakeQuantize@opset1");
  EXPECT_EQ(source(*made, "m"), "m/RELU");
  EXPECT_EQ(type(*made, "y"), "Convert@opset1");
  convert_.outputs = {"m"};
  EXPECT_EQ(source(*prepare(file), "m/sink_port_0"), "m");
}

TEST_F(TfliteLoader, WhatOnlyMovesElementsIsNotQuantizedAgain) {
  LiteFile file = unary(lite::reshape);
  file.main().operators[0].inputs.push_back(file.main().ints({2}));
  for (size_t i = 0; i < 2; ++i) {
    file.main().tensors[i].type = LiteType::i8;
    file.main().tensors[i].quantization = {{0.5F}, {0}};
  }
  EXPECT_EQ(count(*load(file), "FakeQuantize"), 0U);
  file.main().tensors[1].quantization.scale = {0.25F};
  EXPECT_EQ(count(*load(file), "FakeQuantize"), 1U);
}

TEST_F(TfliteLoader, SparseConstantsBecomeDense) {
  // [[1, 0, 2], [0, 0, 3]] by rows, of which the positions are listed.
  LiteTensor t{.name = "c", .dims = {2, 3}, .data = lite_bytes<float>({1, 2, 3})};
  t.sparse = {{.size = 2}, {.sparse = true, .segments = {0, 2, 3}, .indices = {0, 2, 2}}};
  EXPECT_THAT(computed(negated(t)), ElementsAre(-1, 0, -2, 0, 0, -3));
  t.sparse[1].indices = {0, 2, 7};
  EXPECT_THAT(load_failure(negated(t)), HasSubstr("position 7 in shape [2,3]"));
  t.sparse[1].indices = {0, 2};
  EXPECT_THAT(load_failure(negated(t)), HasSubstr("array_indices are too short"));
  t.sparse[1].segments = {0};
  EXPECT_THAT(load_failure(negated(t)), HasSubstr("array_segments are too short"));
}

TEST_F(TfliteLoader, StringsAreReadFromTheirBuffer) {
  LiteFile file;
  LiteGraph& g = file.main();
  const std::string held = lite_bytes<int32_t>({2, 16, 18, 21}) + "abcde";
  g.outputs.push_back(g.tensor({.name = "words", .type = LiteType::string, .dims = {2}, .data = held}));
  const core::GraphPtr made = load(file);
  EXPECT_EQ(made->out(output(*made)).tensor.type, ElementType::string);
  g.tensors[0].dims = {3};
  EXPECT_THAT(load_failure(file), HasSubstr("it holds 2 strings, but shape [3] takes 3"));
}

TEST_F(TfliteLoader, BuffersMayLieBehindTheFlatBuffer) {
  LiteFile file = negated({.name = "c", .dims = {2}});
  file.outside = {{"c", {4096, 8}}};
  std::string bytes = file.bytes();
  bytes.resize(4096);
  bytes += lite_bytes<float>({3, 4});
  const core::GraphPtr g = prepare(folder_.write("model.tflite", bytes));
  EXPECT_THAT(values(*g), ElementsAre(-3, -4));
  EXPECT_THAT(failure_of_bytes(bytes.substr(0, 4100)),
              HasSubstr("not all of its data is in the file: 8 bytes from 4096, but the file has only 4100"));
}

// Ids are not places in the list: writers set the highest bit in them.
TEST_F(TfliteLoader, BuffersMayLieInOtherFiles) {
  LiteFile file;
  LiteGraph& g = file.main();
  const int32_t a = g.tensor({.name = "a", .dims = {2}, .external = 0x80000001}),
                b = g.tensor({.name = "b", .dims = {2}, .external = 7});
  g.operators.push_back(
      {.code = lite::add, .inputs = {a, b}, .outputs = {g.output({.name = "y", .dims = {2}})}});
  file.groups = {"weights.bin", "more/weights"};
  file.external = {{.id = 7, .group = 1, .offset = 4, .length = 64, .packing = ""},
                   {.id = 0x80000001, .group = 0, .offset = 64, .length = 8}};
  folder_.write("weights.bin", std::string(64, 'x') + lite_bytes<float>({1, 2}));
  folder_.write("more/weights", std::string(4, 'x') + lite_bytes<float>({10, 20}) + std::string(56, 'x'));
  EXPECT_THAT(values(*prepare(file)), ElementsAre(11, 22));
}

// A file that flatc made of the published schema (3d): x + w, w = 0.5 … 5.5 in another file, from byte 64 on.
TEST_F(TfliteLoader, AFileOfThePublishedSchemaReadsAnotherOne) {
  const core::GraphPtr g = prepare(std::filesystem::path(MO_SOURCE_DIR "/tests/data/external_buffer.tflite"));
  const auto constants = g->nodes_of("Const");
  ASSERT_EQ(constants.size(), 1U);
  EXPECT_EQ(g->name(constants[0]), "w");
  EXPECT_THAT(values_of(g->out({constants[0], 0}).tensor.value), ElementsAre(0.5, 1.5, 2.5, 3.5, 4.5, 5.5));
}

TEST_F(TfliteLoader, OnlyFilesAreModels) {
  const std::string fifo = folder_ / "model.tflite";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string& there : {fifo, std::string("/dev/zero")})
    EXPECT_THAT(failure_of(std::filesystem::path(there)),
                HasSubstr(text("'", there, "' is neither a file nor a folder")));
}

TEST_F(TfliteLoader, BuffersMayLieBehindTwoGibibytes) {
  constexpr uint64_t far = uint64_t{5} << 30;
  LiteFile file = negated({.name = "c", .dims = {2}});
  file.outside = {{"c", {far, 8}}};
  const std::string path = folder_.write("model.tflite", file.bytes());
  std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
  out.seekp(static_cast<std::streamoff>(far));
  out << lite_bytes<float>({5, 6});
  out.close();
  EXPECT_THAT(values(*prepare(path)), ElementsAre(-5, -6));
}

TEST_F(TfliteLoader, SignaturesChooseASubGraphAndNames) {
  LiteFile file = unary(lite::abs);
  LiteGraph other;
  const int32_t a = other.input({.name = "a", .dims = {2}}), y = other.output({.name = "b", .dims = {2}});
  other.operators.push_back({.code = lite::neg, .inputs = {a}, .outputs = {y}});
  file.graphs.push_back(other);
  file.signatures = {{"first", 0, {{"x0", 0}}, {{"y0", 1}}}, {"second", 1, {{"input", 0}}, {{"result", 1}}}};
  EXPECT_EQ(count(*prepare(file), "Abs"), 1U);
  options_["signature"] = std::string("second");
  const core::GraphPtr g = prepare(file);
  EXPECT_EQ(count(*g, "Negative"), 1U);
  EXPECT_EQ(source(*g, "b"), "a");
  options_["signature"] = std::string("third");
  EXPECT_THAT(failure_of(file), HasSubstr("the model has no signature 'third'; it has first, second"));
}

TEST_F(TfliteLoader, OptionsThatAreLeftOutHaveTheirDefaults) {
  LiteFile file;
  LiteGraph& g = file.main();
  const int32_t x = g.input({.name = "x", .dims = {1, 4, 4, 1}}),
                y = g.output({.name = "y", .dims = {1, 4, 4, 2}});
  const int32_t w = g.floats({2, 1, 1, 1}, {1, 2}), bias = g.floats({2}, {0, 0});
  g.operators.push_back({.code = lite::conv_2d,
                         .inputs = {x, w, bias},
                         .outputs = {y},
                         .options_type = 1,
                         .options = {{1, 1}, {2, 1}}});
  const core::GraphPtr made = prepare(file);
  const core::NodeId conv = made->nodes_of("Convolution")[0];
  EXPECT_THAT(attribute<std::vector<int64_t>>(*made, conv, "dilations"), ElementsAre(1, 1));
  EXPECT_EQ(attribute<std::string>(*made, conv, "auto_pad"), "same_upper");
}

}  // namespace
}  // namespace mo::test
