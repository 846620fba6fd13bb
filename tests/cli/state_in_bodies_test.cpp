// States that a Loop, an If or a Scan reads and makes. What is computed can be followed in the head.
#include <cstring>
#include <map>

#include <gmock/gmock.h>

#include "model_builder.hpp"
#include "npy.hpp"
#include "program.hpp"

namespace mo::test {
namespace {

std::vector<float> floats_of_states(const std::string& file) {
  const std::string bytes = read_text(file);
  const size_t from = bytes.find('\n') + 1;
  std::vector<float> out((bytes.size() - from) / sizeof(float));
  std::memcpy(out.data(), bytes.data() + from, out.size() * sizeof(float));
  return out;
}

class StateInBodies : public testing::Test {
 protected:
  // x: a number for each row; the state s, which t is in the next run.
  static void add_inputs(ModelBuilder& m, const std::vector<OnnxDim>& state) {
    m.input("x", OnnxType::float32, {"batch"});
    m.input("s", OnnxType::float32, state);
    m.initializer("half", OnnxTensor::scalar<float>(0.5F));
  }

  std::string written(const ModelBuilder& m) {
    m.write(folder_ / "model.onnx");
    const Outcome o =
        run({"--input_model", folder_ / "model.onnx", "-o", folder_ / "ir", "--state", "s:t", "--silent"});
    EXPECT_EQ(o.code, 0) << o.err;
    return read_text(folder_ / "ir/model.xml");
  }

  // Output y of each run, with these inputs.
  std::vector<std::vector<float>> runs(const std::vector<std::map<std::string, std::string>>& inputs) {
    std::string lines;
    for (size_t i = 0; i < inputs.size(); ++i) {
      lines += R"({"model": ")" + (folder_ / "ir/model.xml") + R"(", "output_dir": ")" +
               (folder_ / std::to_string(i)) + R"(", "inputs": {)";
      for (const auto& [name, bytes] : inputs[i]) {
        const std::string file = folder_ / (std::to_string(i) + name + ".npy");
        write_text(file, bytes);
        lines += (name == inputs[i].begin()->first ? "\"" : ", \"") + name + R"(": ")" + file + "\"";
      }
      lines += "}}\n";
    }
    write_text(folder_ / "cases", lines);
    const Outcome o = run({"run", "--cases", folder_ / "cases"});
    EXPECT_EQ(o.code, 0) << o.out << o.err;
    std::vector<std::vector<float>> all;
    for (size_t i = 0; i < inputs.size(); ++i)
      all.push_back(floats_of_states(folder_ / (std::to_string(i) + "/y.npy")));
    return all;
  }

  void expect_verified() {
    const Outcome o = run({"verify", folder_ / "model.onnx", "--state", "s:t"});
    EXPECT_EQ(o.code, 0) << o.err << o.out;
    EXPECT_NE(o.out.find("16 steps"), std::string::npos) << o.out;
  }

  static std::string number(float v) { return npy<float>("<f4", "1,", {v}); }
  static std::string flag(bool v) { return npy<uint8_t>("|b1", "", {static_cast<uint8_t>(v)}); }

  Folder folder_;
};

using testing::ElementsAre;

// Three turns of s / 2 + x.
TEST_F(StateInBodies, ALoopGoesOnWithIt) {
  ModelBuilder m(17);
  add_inputs(m, {"batch"});
  GraphBuilder body("body");
  body.input("i", OnnxType::int64, {});
  body.input("go", OnnxType::boolean, {});
  body.input("before", OnnxType::float32, {"batch"});
  const std::string after = body.op("Add", {body.op("Mul", {"before", "half"}), "x"});
  body.output(body.op("Identity", {"go"}));
  body.output(after);
  body.output(body.op("Identity", {after}));
  m.initializer("three", OnnxTensor::scalar<int64_t>(3));
  m.node({.type = "Loop",
          .inputs = {"three", "", "s"},
          .outputs = {"t", "y"},
          .attributes = {{"body", body}},
          .name = "loop"});
  m.output("y");
  m.output("t");
  const std::string ir = written(m);
  EXPECT_NE(ir.find("type=\"ReadValue\""), std::string::npos);
  EXPECT_EQ(ir.find("beam_idx"), std::string::npos);
  const auto y = runs({{{"x", number(1)}}, {{"x", number(2)}}});
  EXPECT_THAT(y.at(0), ElementsAre(1, 1.5F, 1.75F));
  EXPECT_THAT(y.at(1), ElementsAre(2.875F, 3.4375F, 3.71875F));
  expect_verified();
}

TEST_F(StateInBodies, AnIfReadsAndMakesIt) {
  ModelBuilder m(17);
  add_inputs(m, {"batch"});
  m.input("c", OnnxType::boolean, {});
  GraphBuilder kept("kept"), anew("anew");
  kept.output(kept.op("Add", {"s", "x"}));
  kept.output(kept.op("Sub", {"s", "half"}));
  anew.output(anew.op("Sub", {"s", "x"}));
  anew.output(anew.op("Identity", {"x"}));
  m.node({.type = "If",
          .inputs = {"c"},
          .outputs = {"y", "t"},
          .attributes = {{"then_branch", kept}, {"else_branch", anew}},
          .name = "if"});
  m.output("y");
  m.output("t");
  written(m);
  const auto y = runs({{{"c", flag(false)}, {"x", number(3)}},
                       {{"c", flag(true)}, {"x", number(1)}},
                       {{"c", flag(false)}, {"x", number(1)}}});
  EXPECT_THAT(y.at(0), ElementsAre(-3));
  EXPECT_THAT(y.at(1), ElementsAre(4));
  EXPECT_THAT(y.at(2), ElementsAre(1.5F));
  expect_verified();
}

// As decoders that are merged have it: one branch with a cache, one without. Rows of a cache can be chosen.
TEST_F(StateInBodies, ACacheThatGrowsInABodyIsOne) {
  ModelBuilder m(17);
  add_inputs(m, {"batch", 1, "past", 1});
  m.input("c", OnnxType::boolean, {});
  m.initializer("shape", OnnxTensor::of<int64_t>({4}, {-1, 1, 1, 1}));
  m.initializer("axes", OnnxTensor::of<int64_t>({3}, {1, 2, 3}));
  GraphBuilder longer("longer"), first("first");
  longer.output(longer.op("Concat", {"s", longer.op("Reshape", {"x", "shape"})}, {{"axis", -2}}));
  first.output(first.op("Reshape", {"x", "shape"}));
  m.node({.type = "If",
          .inputs = {"c"},
          .outputs = {"t"},
          .attributes = {{"then_branch", longer}, {"else_branch", first}},
          .name = "if"});
  m.node({.type = "ReduceSum",
          .inputs = {"t", "axes"},
          .outputs = {"y"},
          .attributes = {{"keepdims", 0}},
          .name = "sum"});
  m.output("y");
  m.output("t", OnnxType::float32, {"batch", 1, "total", 1});
  EXPECT_NE(written(m).find("name=\"beam_idx\""), std::string::npos);
  const auto beams = [](const std::vector<int32_t>& rows) {
    return npy<int32_t>("<i4", std::to_string(rows.size()) + ",", rows);
  };
  const auto two = [](float first_row, float second_row) {
    return npy<float>("<f4", "2,", {first_row, second_row});
  };
  const auto y = runs({{{"c", flag(false)}, {"x", two(1, 10)}, {"beam_idx", beams({0, 1})}},
                       {{"c", flag(true)}, {"x", two(2, 20)}, {"beam_idx", beams({1, 0})}},
                       {{"c", flag(true)}, {"x", two(3, 30)}, {"beam_idx", beams({1, 1})}}});
  EXPECT_THAT(y.at(0), ElementsAre(1, 10));
  EXPECT_THAT(y.at(1), ElementsAre(12, 21));
  EXPECT_THAT(y.at(2), ElementsAre(24, 51));
  // Found without its names, too.
  const Outcome o =
      run({"--input_model", folder_ / "model.onnx", "-o", folder_ / "found", "--stateful", "--silent"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(read_text(folder_ / "found/model.xml").find("variable_id=\"st\""), std::string::npos);
}

}  // namespace
}  // namespace mo::test
