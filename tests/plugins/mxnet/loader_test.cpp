// The loader: what symbols and arrays may look like, and what they may not.
#include <sys/stat.h>

#include "mxnet_fixture.hpp"

namespace mo::test {

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class MxnetLoader : public Mxnet {
 protected:
  // y = x + w, with `w` of the arrays.
  static std::string sum(std::string_view more = {}) {
    return symbol_of(variable("x", R"j({"__shape__": "(1,)"})j") + ", " + variable("w") +
                         R"j(, {"op": "elemwise_add", "name": "y", "inputs": [[0, 0, 0], [1, 0, 0]]})j",
                     "[2, 0, 0]", more);
  }
  std::vector<double> weights(const std::string& arrays) {
    const auto g = prepare(sum(), arrays);
    return values_of(g->out(g->source({node(*g, "y"), 1})).tensor.value);
  }
};

std::string bytes_of(const std::vector<int64_t>& list) {
  return {reinterpret_cast<const char*>(list.data()), list.size() * sizeof(int64_t)};
}

TEST_F(MxnetLoader, WhatIsFoundBesideAModelLiesInItsFolder) {
  namespace fs = std::filesystem;
  const std::string arrays = ArraysBuilder().dense({"arg:w", {1}, {3}}).bytes();
  const TemporaryFolder outside;
  const std::map<std::string, std::string> files{{"net-symbol.json", sum()}, {"net-0003.params", arrays}};
  for (const auto& [found, bytes] : files) {
    for (const auto& [name, content] : files) folder_.write(name, content);
    const fs::path elsewhere = outside.write(found, bytes), beside = folder_ / found;
    const fs::path named = folder_ / (found == "net-symbol.json" ? "net-0003.params" : "net-symbol.json");
    const auto failure = [&] { return ConversionTest::failure_of(named); };
    EXPECT_EQ(failure(), "");
    fs::remove(beside);
    fs::create_symlink(elsewhere, beside);
    EXPECT_THAT(failure(), HasSubstr(text("'", found, "' is refused: a link leads out of the folder")));
    fs::remove(beside);
    ASSERT_EQ(mkfifo(beside.c_str(), 0600), 0);
    EXPECT_THAT(failure(), HasSubstr(found));
    fs::remove(beside);
    fs::create_directory(beside);
    EXPECT_THAT(failure(), HasSubstr(found));
    fs::remove(beside);
  }
}

TEST_F(MxnetLoader, NamesOfNodesAndOutputsSurvive) {
  const auto g = prepare(sum(), ArraysBuilder().dense({"arg:w", {2}, {3, 4}}).bytes());
  EXPECT_EQ(type(*g, "y"), "Add@opset1");
  EXPECT_EQ(names_of(*g, {node(*g, "x"), 0}), "x:0");
  EXPECT_EQ(names_of(*g, output(*g)), "y:0");
  EXPECT_EQ(g->name(g->results()[0]), "y/sink_port_0");
  EXPECT_EQ(shape(*g), (Shape{2}));
}

TEST_F(MxnetLoader, ArraysOfEachRelease) {
  for (const auto form : {ArraysBuilder::first, ArraysBuilder::v1, ArraysBuilder::v2, ArraysBuilder::v3})
    for (const char* name : {"arg:w", "aux:w", "w"})
      EXPECT_THAT(weights(ArraysBuilder().dense({name, {2}, {3, 4}}, form).bytes()), ElementsAre(3, 4));
  // Arrays without elements of any kind count as absent.
  std::string none;
  ArraysBuilder::put(none, uint32_t{ArraysBuilder::v2});
  ArraysBuilder::put(none, int32_t{0});
  ArraysBuilder::put(none, int32_t{0});
  EXPECT_THAT(weights(ArraysBuilder().raw("none", none).dense({"w", {2}, {3, 4}}).bytes()),
              ElementsAre(3, 4));
  // The last one of a name counts.
  EXPECT_THAT(weights(ArraysBuilder().dense({"w", {2}, {1, 1}}).dense({"arg:w", {2}, {3, 4}}).bytes()),
              ElementsAre(3, 4));
}

TEST_F(MxnetLoader, ArraysOfOtherTypesBecomeFloats) {
  EXPECT_THAT(weights(ArraysBuilder().typed("w", {2}, 6, bytes_of({7, -8})).bytes()), ElementsAre(7, -8));
  EXPECT_THAT(weights(ArraysBuilder().typed("w", {2}, 5, "\x03\xff").bytes()), ElementsAre(3, -1));
  EXPECT_THAT(weights(ArraysBuilder().typed("w", {2}, 2, std::string_view("\x00\x3c\x00\xc0", 4)).bytes()),
              ElementsAre(1, -2));  // f16
  EXPECT_THAT(weights(ArraysBuilder().typed("w", {2}, 12, std::string_view("\x80\x3f\x00\xc0", 4)).bytes()),
              ElementsAre(1, -2));  // bf16
}

// Large ones in pieces, when they are written.
TEST_F(MxnetLoader, LargeArraysOfOtherTypes) {
  constexpr int64_t count = 10'000;
  std::string halves, doubles;
  for (int64_t i = 0; i < count; ++i) {
    ArraysBuilder::put(halves, static_cast<uint16_t>(i % 2 == 0 ? 0x3c00 : 0xc000));  // 1, -2
    ArraysBuilder::put(doubles, static_cast<double>(i) / 4);
  }
  const auto half = weights(ArraysBuilder().typed("w", {count}, 2, halves).bytes());
  const auto floats = weights(ArraysBuilder().typed("w", {count}, 1, doubles).bytes());
  ASSERT_EQ(half.size(), static_cast<size_t>(count));
  ASSERT_EQ(floats.size(), static_cast<size_t>(count));
  for (size_t i = 0; i < half.size(); ++i) {
    ASSERT_EQ(half[i], i % 2 == 0 ? 1 : -2) << i;
    ASSERT_EQ(floats[i], static_cast<double>(i) / 4) << i;
  }
}

std::string sparse(int32_t storage, const std::vector<int64_t>& kept, const std::vector<int64_t>& dims,
                   const std::vector<std::vector<int64_t>>& indices, const std::vector<float>& values) {
  std::string out;
  ArraysBuilder::put(out, uint32_t{ArraysBuilder::v2});
  ArraysBuilder::put(out, storage);
  for (const auto& shape : {kept, dims}) {
    ArraysBuilder::put(out, static_cast<int32_t>(shape.size()));
    out += bytes_of(shape);
  }
  for (const int32_t v : {1, 0, 0}) ArraysBuilder::put(out, v);
  for (const auto& list : indices) {
    ArraysBuilder::put(out, int32_t{6});
    ArraysBuilder::put(out, int32_t{1});
    ArraysBuilder::put(out, static_cast<int64_t>(list.size()));
  }
  for (const float v : values) ArraysBuilder::put(out, v);
  for (const auto& list : indices) out += bytes_of(list);
  return out;
}

TEST_F(MxnetLoader, SparseArrays) {
  const std::string rows = sparse(1, {1, 2}, {3, 2}, {{1}}, {5, 6});
  EXPECT_THAT(weights(ArraysBuilder().raw("w", rows).bytes()), ElementsAre(0, 0, 5, 6, 0, 0));
  const std::string compressed = sparse(2, {3}, {2, 3}, {{0, 1, 3}, {2, 0, 1}}, {5, 6, 7});
  EXPECT_THAT(failure_of(sum(), ArraysBuilder().raw("w", sparse(1, {1, 2}, {3, 2}, {{3}}, {5, 6})).bytes()),
              HasSubstr("its row 0 is number 3 of 3"));
  EXPECT_THAT(failure_of(sum(), ArraysBuilder().raw("w", sparse(2, {1}, {1, 2}, {{0, 1}, {2}}, {5})).bytes()),
              HasSubstr("in column 2 of 2"));
  EXPECT_THAT(
      failure_of(sum(), ArraysBuilder().raw("w", sparse(1, {2, 2}, {3, 2}, {{1}}, {5, 6, 7, 8})).bytes()),
      HasSubstr("do not fit one another"));
  EXPECT_THAT(
      failure_of(sum(),
                 ArraysBuilder().raw("w", sparse(1, {0, 1 << 20}, {1 << 20, 1 << 20}, {{}}, {})).bytes()),
      HasSubstr("is too large"));
  const auto g =
      prepare(symbol_of(variable("w") + R"j(, {"op": "_copy", "name": "y", "inputs": [[0, 0]]})j", "[1, 0]"),
              ArraysBuilder().raw("w", compressed).bytes());
  EXPECT_THAT(values(*g), ElementsAre(0, 0, 5, 6, 7, 0));
}

TEST_F(MxnetLoader, DamagedArrays) {
  const std::string good = ArraysBuilder().dense({"arg:w", {2}, {3, 4}}).bytes();
  const auto failure = [&](const std::string& bytes) { return failure_of(sum(), bytes); };
  for (size_t n = 16; n < good.size(); ++n) EXPECT_NE(failure(good.substr(0, n)), "") << n;
  const auto with = [&](size_t at, auto v) {
    std::string bytes = good;
    std::memcpy(bytes.data() + at, &v, sizeof v);
    return failure(bytes);
  };
  EXPECT_THAT(with(16, uint64_t{1} << 60), HasSubstr("byte 24: the number of arrays is 1152921504606846976"));
  EXPECT_THAT(with(28, int32_t{7}), HasSubstr("byte 32, in array 0: storage 7 is not known"));
  EXPECT_THAT(with(32, int32_t{33}), HasSubstr("it has 33 dimensions; expected at most 32"));
  EXPECT_THAT(with(32, int32_t{-1}), HasSubstr("it has -1 dimensions"));
  EXPECT_THAT(with(36, int64_t{1} << 62), HasSubstr("is not the shape of an array"));
  EXPECT_THAT(with(36, int64_t{-2}), HasSubstr("is not the shape of an array"));
  EXPECT_THAT(with(36, int64_t{30}), HasSubstr("takes 120 bytes"));
  EXPECT_THAT(with(52, int32_t{99}), HasSubstr("type 99 is not known"));
  EXPECT_THAT(with(64, uint64_t{0}), HasSubstr("its arrays have no names"));
  EXPECT_THAT(with(64, uint64_t{2}), HasSubstr("byte 72: the number of names is 2, more than fit"));
  EXPECT_THAT(with(72, uint64_t{1000}), HasSubstr("a name takes 1000 bytes"));
}

TEST_F(MxnetLoader, DamagedSymbols) {
  const auto failure = [&](std::string_view symbol) { return failure_of(symbol); };
  const std::string x = variable("x", R"j({"__shape__": "(2,)"})j");
  EXPECT_THAT(failure(R"j({"nodes": [{"op": )j"), HasSubstr("it is not JSON from byte 19 on"));
  EXPECT_THAT(failure(R"j({"nodes": [], "op": 1})j"), HasSubstr(R"j(it has no "nodes")j"));
  EXPECT_THAT(failure(symbol_of(x, "")), HasSubstr(R"j(it has no "heads")j"));
  EXPECT_THAT(failure(symbol_of(R"j({"name": "x", "op": ""})j", "[0, 0]")),
              HasSubstr(R"j(node 0 ('x') has no "op")j"));
  EXPECT_THAT(failure(symbol_of(R"j({"op": "relu", "name": "y", "inputs": [[1, 0]]})j", "[0, 0]")),
              HasSubstr("node 0 ('y') reads node 1, but there are only 1"));
  EXPECT_THAT(failure(symbol_of(R"j({"op": "relu", "name": "y", "inputs": [[0, 0]]})j", "[0, 0]")),
              HasSubstr("which does not come before it; a symbol has no cycles"));
  EXPECT_THAT(failure(symbol_of(x, "[1, 0]")), HasSubstr(R"j("heads" reads node 1, but there are only 1)j"));
  EXPECT_THAT(failure(symbol_of(x, "[0, 70000]")), HasSubstr(R"j("heads" reads output 70000)j"));
  EXPECT_THAT(failure(symbol_of(x, "[0]")), HasSubstr("an entry has 1 numbers"));
  EXPECT_THAT(failure(symbol_of(x, "[0, -1]")), HasSubstr("there is '-1' where a number should be"));
  EXPECT_THAT(failure(symbol_of(x + R"j(, "op")j", "[0, 0]")),
              HasSubstr("there is 'op' where a node should be"));
  EXPECT_THAT(failure(symbol_of(x + ", " + std::string(500, '[') + std::string(500, ']'), "[0, 0]")),
              HasSubstr("there is a list where a node should be"));
  EXPECT_THAT(
      failure(symbol_of(x, "[0, 0]", R"j(, "more": )j" + std::string(500, '[') + std::string(500, ']'))),
      HasSubstr("nested more than 64 deep"));
  EXPECT_THAT(failure(symbol_of(x + R"j(, {"op": "relu", "name": "y", "inputs": [[0, 0]]})j", "[1, 3]")),
              HasSubstr("it has 4 outputs, expected 1"));
}

TEST_F(MxnetLoader, SymbolsOfOldReleases) {
  // 0.8: operator parameters and user attributes beside one another, no version, no states of a BatchNorm.
  const std::string old =
      symbol_of(variable("data", R"j({"__shape__": "(1, 2, 3, 3)"})j") + ", " + variable("bn_gamma") + ", " +
                    variable("bn_beta") +
                    R"j(, {"op": "BatchNorm", "param": {"eps": "0.1", "fix_gamma": "False"}, "name": "bn",
               "inputs": [[0, 0], [1, 0], [2, 0]], "backward_source_id": -1, "attr": {"lr_mult": "0.2"}})j",
                "[3, 0]");
  ArraysBuilder arrays;
  for (const char* name : {"arg:bn_gamma", "arg:bn_beta", "aux:bn_moving_mean", "aux:bn_moving_var"})
    arrays.dense({name, {2}, {1, 1}}, ArraysBuilder::first);
  EXPECT_EQ(prepare(old, arrays.bytes())->parameters().size(), 1U);
  // Before 0.9.5 an axis of -1 stood for all axes.
  const auto places = [&](int version) {
    const auto g = prepare(
        symbol_of(variable("x") +
                      R"j(, {"op": "argmax", "name": "y", "attr": {"axis": "-1"}, "inputs": [[0, 0, 0]]})j",
                  "[1, 0, 0]", text(R"j(, "attrs": {"mxnet_version": ["int", )j", version, "]}")),
        ArraysBuilder().dense({"x", {2, 2}, {1, 2, 4, 3}}).bytes());
    return values(*g);
  };
  EXPECT_THAT(places(904), ElementsAre(2));
  EXPECT_THAT(places(905), ElementsAre(1, 0));
}

TEST_F(MxnetLoader, LabelsOfLossesAreNoInputs) {
  const auto g = prepare(
      symbol_of(variable("x", R"j({"__shape__": "(2, 3)"})j") + ", " + variable("label") +
                    R"j(, {"op": "SoftmaxOutput", "name": "softmax", "inputs": [[0, 0, 0], [1, 0, 0]]})j",
                "[2, 0, 0]"));
  EXPECT_EQ(g->parameters().size(), 1U);
  EXPECT_EQ(type(*g, "softmax"), "SoftMax@opset1");
}

TEST_F(MxnetLoader, WeightsThatAreMissingAreTold) {
  const std::string symbol = symbol_of(
      variable("x", R"j({"__shape__": "(2, 2)"})j") + ", " +
          variable("fc_weight", R"j({"__shape__": "(2, 2)"})j") +
          R"j(, {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "2", "no_bias": "True"},
               "inputs": [[0, 0, 0], [1, 0, 0]]})j",
      "[2, 0, 0]");
  EXPECT_EQ(prepare(symbol, ArraysBuilder().dense({"other", {1}, {1}}).bytes())->parameters().size(), 2U);
  EXPECT_THAT(log_, HasSubstr("there is no array for 'fc_weight': they are inputs"));
}

// The tensor has names of both.
TEST_F(MxnetLoader, AnInputThatIsAnOutputIsOneInFilesForOldReleasesToo) {
  options_["target"] = std::string("2021.4");
  folder_.write("net-symbol.json",
                symbol_of(variable("x", R"j({"__shape__": "(2, 2)"})j") +
                              R"j(, {"op": "BlockGrad", "name": "op", "inputs": [[0, 0, 0]]})j",
                          "[1, 0, 0]"));
  EXPECT_EQ(located_failure_of(folder_ / "net-symbol.json"), "");
}

TEST_F(MxnetLoader, TheOtherFileIsFound) {
  const std::string one = ArraysBuilder().dense({"w", {2}, {1, 1}}).bytes(),
                    two = ArraysBuilder().dense({"w", {2}, {2, 2}}).bytes();
  folder_.write("net-symbol.json", sum());
  folder_.write("net-0009.params", one);
  folder_.write("net-0010.params", two);
  folder_.write("net-other-0011.params", one);
  folder_.write("lonely-0001.params", one);
  const auto weights_of = [&](const std::string& model) {
    const auto g = ConversionTest::prepare(folder_ / model);
    return values_of(g->out(g->source({node(*g, "y"), 1})).tensor.value);
  };
  EXPECT_THAT(weights_of("net-symbol.json"), ElementsAre(2, 2));
  EXPECT_THAT(log_, HasSubstr("net-0010.params', the newest of 2"));
  EXPECT_THAT(weights_of("net-0009.params"), ElementsAre(1, 1));
  EXPECT_THAT(located_failure_of(folder_ / "lonely-0001.params"),
              AllOf(HasSubstr("lonely-symbol.json'"), HasSubstr("name it with --input_symbol")));
  options_["input_symbol"] = folder_ / "net-symbol.json";
  EXPECT_THAT(weights_of("lonely-0001.params"), ElementsAre(1, 1));
  // The option names the model, too, when nothing else does; by whatever path.
  EXPECT_THAT(weights_of("net-symbol.json"), ElementsAre(2, 2));
  options_["input_symbol"] = folder_ / "./net-symbol.json";
  EXPECT_THAT(weights_of("net-symbol.json"), ElementsAre(2, 2));
  options_["input_symbol"] = folder_ / "other-symbol.json";
  EXPECT_THAT(ConversionTest::failure_of(folder_ / "net-symbol.json"),
              HasSubstr("is a symbol, and --input_symbol names another one"));
  options_["input_symbol"] = folder_ / "net-0009.params";
  EXPECT_THAT(ConversionTest::failure_of(folder_ / "net-0009.params"),
              HasSubstr("is a list of arrays; --input_model names it"));
}

TEST_F(MxnetLoader, ArraysLaidOverOthers) {
  folder_.write("net-symbol.json", sum());
  folder_.write("pre-0002.params",
                ArraysBuilder().dense({"arg:w", {2}, {1, 1}}).dense({"arg:v", {1}, {9}}).bytes());
  folder_.write("mine_args.nd", ArraysBuilder().dense({"w", {2}, {5, 6}}).bytes());
  options_["nd_prefix_name"] = std::string("mine");
  EXPECT_THAT(ConversionTest::failure_of(folder_ / "net-symbol.json"),
              HasSubstr("--pretrained_model_name: is missing"));
  options_["pretrained_model_name"] = folder_ / "pre-0002";
  options_["input_symbol"] = folder_ / "net-symbol.json";
  EXPECT_THAT(ConversionTest::failure_of(folder_ / "net-symbol.json"), HasSubstr("mine_auxs.nd"));
  folder_.write("mine_auxs.nd", ArraysBuilder().bytes());
  options_["save_params_from_nd"] = true;
  const auto weights_of = [&](const std::string& model) {
    const auto g = ConversionTest::prepare(folder_ / model);
    return values_of(g->out(g->source({node(*g, "y"), 1})).tensor.value);
  };
  EXPECT_THAT(weights_of("net-symbol.json"), ElementsAre(5, 6));
  options_.clear();
  options_["input_symbol"] = folder_ / "net-symbol.json";
  EXPECT_THAT(weights_of("mine-0002.params"), ElementsAre(5, 6));
}

TEST_F(MxnetLoader, OperatorsThatNobodyKnowsAreListedWithAReason) {
  const std::string x = variable("x", R"j({"__shape__": "(2,)"})j");
  EXPECT_THAT(failure_of(symbol_of(x + R"j(, {"op": "Custom", "name": "c", "attrs": {"op_type": "mine"},
                                      "inputs": [[0, 0]]})j",
                                   "[1, 0]")),
              HasSubstr("missing mine of domain 'Custom'"));
  EXPECT_THAT(
      failure_of(symbol_of(x + R"j(, {"op": "gammaln", "name": "c", "inputs": [[0, 0]]})j", "[1, 0]")),
      HasSubstr("the IR has no such function"));
}

}  // namespace

}  // namespace mo::test
