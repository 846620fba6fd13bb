// `check`: what would become of a model.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "model_builder.hpp"
#include "program.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Outcome check(const std::string& model, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"check", model, "--extensions", toy};
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

class Check : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    write_text(folder_ / "a.toy", text);
    return folder_ / "a.toy";
  }
  Folder folder_;
};

TEST_F(Check, AModelThatCanBeConverted) {
  const Outcome o =
      check(write("toy 1\n"
                  "input x f32 1,3\n"
                  "const w 1 2 3\n"
                  "node Add sum x,w -> s\n"
                  "node Copy a s -> t\n"
                  "node Copy b t -> y\n"
                  "output y\n"));
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(without_path(o.out, folder_),
            "DIR/a.toy: toy\n"
            "\n"
            "inputs  type  shape\n"
            "x       f32   [1,3]\n"
            "\n"
            "outputs  type  shape\n"
            "y        ?     [...]\n"
            "\n"
            "domain  operation  version  nodes  converted by\n"
            "-       Add        1        1      extractor of org.example.toy\n"
            "-       Copy       1        2      extractor of org.example.toy\n");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"a.toy"}) << "nothing is written";
}

const char* const bad_model =
    "toy 1\n"
    "input x f32 ?,3\n"
    "input z f32 *\n"
    "node Copi a x -> b\n"
    "node Copi b b -> c\n"
    "node Throw t c -> d\n"
    "node Decline e d -> f\n"
    "node Special s f -> g d=acme\n"
    "node Copy unread z -> q\n"
    "node Add last g,z -> y\n"
    "output y\n";

TEST_F(Check, AllThatNobodyConvertsAtOnceWithTheReason) {
  const Outcome o = check(write(bad_model));
  EXPECT_EQ(o.code, 5);
  EXPECT_EQ(without_path(o.err, folder_),
            "error MO0403: 4 of 6 operations of the model cannot be converted\n"
            "  missing Copi, Decline, Throw, acme.Special\n"
            "  model   DIR/a.toy\n");
  EXPECT_THAT(o.out, HasSubstr("\n-       Copi       1        2      nobody\n"));
  EXPECT_THAT(o.out, HasSubstr("\nCopi, 2 nodes, 'a', 'b'\n"
                               "  plugin org.example.toy knows Copy of the default domain\n"));
  EXPECT_THAT(o.out, HasSubstr("\nDecline, 1 node, 'e'\n  plugin org.example.toy: not mine\n"));
  EXPECT_THAT(o.out, HasSubstr("\nThrow, 1 node, 't'\n"));
  EXPECT_THAT(o.out, HasSubstr("no such luck\n"));
  EXPECT_THAT(o.out, HasSubstr("\nacme.Special, 1 node, 's'\n"
                               "  's' is changed by an extractor of plugin org.example.toy 1.0.0"));
  EXPECT_THAT(o.out, HasSubstr("\n"
                               "  it is taken for toy1::Special, which no plugin defines\n"));
  EXPECT_THAT(
      o.out, HasSubstr("  input 'x' is of any size in dimension 0: --input 'x[?,3]' with numbers for '?'\n"));
  EXPECT_THAT(o.out,
              HasSubstr("  the rank of input 'z' is not known: --input 'z[...]' with its dimensions\n"));
}

TEST_F(Check, AsJson) {
  const Outcome o = check(write(bad_model), {"--format=json"});
  EXPECT_EQ(o.code, 5);
  const auto all = nlohmann::json::parse(o.out);
  EXPECT_EQ(all.at("framework"), "toy");
  EXPECT_EQ(all.at("convertible"), false);
  EXPECT_EQ(all.at("inputs").at(0).at("shape").at(0).at("max"), nullptr);
  EXPECT_EQ(all.at("inputs").at(0).at("shape").at(1).at("min"), 3);
  EXPECT_EQ(all.at("inputs").at(1).at("shape"), nullptr);
  size_t open = 0;
  for (const auto& row : all.at("operations")) open += row.at("open").get<size_t>();
  EXPECT_EQ(open, 5U);
  EXPECT_EQ(all.at("open_inputs").size(), 2U);
}

TEST_F(Check, BadInputHasItsUsualCode) {
  EXPECT_EQ(check(folder_ / "none.toy").code, 1);
  EXPECT_EQ(run({"check"}).code, 2);
  EXPECT_EQ(check(write("toy 1\ninput x f32 1\noutput x\n"), {"--input_shape", "nonsense"}).code, 2);
}

TEST_F(Check, CutsCount) { EXPECT_EQ(check(write(bad_model), {"--output", "x"}).code, 0); }

#if defined(MO_HAVE_PLUGIN_tensorflow)
TEST_F(Check, AConstantWithoutAValueIsSaidWhereAllOperatorsAreKnown) {
  write_text(folder_ / "a.pbtxt", R"(
      node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
      node { name: "axes" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } }
      node { name: "y" op: "Mean" input: "x" input: "axes" })");
  const Outcome o = run({"check", folder_ / "a.pbtxt"});
  EXPECT_EQ(o.code, 5);
  EXPECT_THAT(o.err, HasSubstr("error MO0403: the model cannot be converted\n"
                               "  fails   constant 'axes' (Const) has no value\n"));
}
#endif

#if defined(MO_HAVE_PLUGIN_onnx)

TEST_F(Check, NamedDimensionsBodiesAndReasonsOfOnnx) {
  ModelBuilder m(20);
  m.input("x", OnnxType::float32, {"batch", "seq", 4});
  m.input("c", OnnxType::boolean, {});
  GraphBuilder then("then"), otherwise("otherwise");
  then.output(then.op("Sigmoid", {"x"}));
  otherwise.output(otherwise.op("StringConcat", {"x", "x"}));
  m.node({.type = "If",
          .inputs = {"c"},
          .outputs = {"y"},
          .attributes = {{"then_branch", then}, {"else_branch", otherwise}}});
  m.output("y", OnnxType::float32, {"batch", "seq", 4});
  m.write(folder_ / "a.onnx");
  const Outcome o = run({"check", folder_ / "a.onnx"});
  EXPECT_EQ(o.code, 5);
  EXPECT_THAT(o.out, HasSubstr("x       f32      [batch,seq,4]\n"));
  EXPECT_THAT(o.out, HasSubstr("y        f32   [batch,seq,4]\n"));
  EXPECT_THAT(o.out, HasSubstr("StringConcat  20       1      nobody\n"));
  EXPECT_THAT(o.out, HasSubstr("  plugin org.mo-host.onnx: it works on strings"));
  EXPECT_THAT(o.out, HasSubstr("Sigmoid       20       1      extractor of org.mo-host.onnx\n"));
  EXPECT_THAT(o.out, HasSubstr("  dimension 'batch' is of any size: --input_shape batch=N\n"));
}

TEST_F(Check, MissingFilesAreNamedBesideEverythingElse) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {1, 256});
  m.initializer("w",
                OnnxTensor::in_file(OnnxType::float32, {256, 256}, "weights.bin", uint64_t{3} << 32, 262144));
  m.output(m.op("MatMul", {"x", "w"}));
  m.write(folder_ / "a.onnx");
  const Outcome o = run({"check", folder_ / "a.onnx"});
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.out, HasSubstr("MatMul     13       1      "));
  EXPECT_THAT(o.err, HasSubstr("MO0210"));
  EXPECT_THAT(o.err, HasSubstr("weights.bin"));
}

TEST_F(Check, AConfigurationThatFitsIsNamed) {
  ModelBuilder m(11);
  m.opset("acme", 1);
  m.input("p", OnnxType::float32, {1, 2, 8, 8});
  m.input("r", OnnxType::float32, {3, 4});
  for (const char* level : {"634", "635", "636", "637"})
    m.node({.type = "Relu", .inputs = {"p"}, .outputs = {level}});
  const std::vector<std::string> in{"2475", "2834", "3192"}, out{"2614", "2972", "3330"};
  for (size_t i = 0; i < 3; ++i) {
    m.node({.type = "Relu", .inputs = {"r"}, .outputs = {in[i]}});
    m.node({.type = "Levels", .inputs = {in[i], "634"}, .outputs = {out[i]}, .domain = "acme"});
    m.output(m.op("Relu", {out[i]}));
  }
  m.write(folder_ / "a.onnx");
  const Outcome without = run({"check", folder_ / "a.onnx"});
  EXPECT_EQ(without.code, 5);
  EXPECT_THAT(without.out, HasSubstr("--transformations_config onnx/person_detection_crossroad.json\n"));
  EXPECT_THAT(without.out, Not(HasSubstr("mask_rcnn")));
  const Outcome with =
      run({"check", folder_ / "a.onnx", "--transformations_config", "person_detection_crossroad"});
  EXPECT_EQ(with.code, 0) << with.out << with.err;
  EXPECT_EQ(run({"--input_model", folder_ / "a.onnx", "--transformations_config",
                 "onnx/person_detection_crossroad.json", "-o", folder_ / "out"})
                .code,
            0);
}

#endif

}  // namespace
}  // namespace mo::test
