// Small files that ask for much. Whatever one asks for, time and memory stay within what the manual says of a file of its size
// (numbers.md, "Work"), and it ends with an IR or with an error of the model.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include "model_builder.hpp"
#include "program.hpp"

namespace mo::test {
namespace {

struct Spent {
  int code = -1;
  double seconds = 0;
  uint64_t memory = 0, written = 0;
  std::string said;
};

class Bombs : public ::testing::Test {
 protected:
  void expect_within_bounds(const std::string& name, const std::vector<std::string>& more = {}) {
    const Spent s = convert(name, more);
    const auto bytes = static_cast<double>(fs::file_size(folder / name) + s.written);
    EXPECT_TRUE(s.code == 0 || s.code == 1) << name << " ends with " << s.code << ": " << s.said;
    EXPECT_EQ(s.said.find("std::"), std::string::npos) << s.said;
    if (sanitized) return;
    EXPECT_LE(s.seconds, 10 + 1e-5 * bytes) << name;
    EXPECT_LE(static_cast<double>(s.memory), 512e6 + 64 * bytes) << name;
  }
  void write(const std::string& name, const ModelBuilder& m) { m.write(folder / name); }

  Folder folder;

 private:
  Spent convert(const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> words{host_program, "-m", folder / name, "-o", folder / "out"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> arguments;
    for (std::string& w : words) arguments.push_back(w.data());
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      constexpr rlim_t hopeless = 60;
      const rlimit time{hopeless, hopeless};
      setrlimit(RLIMIT_CPU, &time);
      const int said = open((folder / "said").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      dup2(said, STDOUT_FILENO);
      dup2(said, STDERR_FILENO);
      execv(arguments[0], arguments.data());
      _exit(127);
    }
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    Spent s;
    s.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    s.seconds = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    s.memory = static_cast<uint64_t>(used.ru_maxrss) << 10;
    s.said = read_text(folder / "said");
    if (fs::exists(folder / "out"))
      for (const auto& e : fs::directory_iterator(folder / "out")) s.written += e.file_size();
    fs::remove_all(folder / "out");
    return s;
  }
};

// Inference of a body is repeated in each of the loops around it. Each loop doubles what it carries, or, behind the loop
// in it, adds an element.
GraphBuilder loop_body(int depth, bool doubles, const std::string& times) {
  GraphBuilder g("body");
  g.input("i", OnnxType::int64, {});
  g.input("goes_on", OnnxType::boolean, {});
  g.input("v", OnnxType::float32);
  std::string v = doubles ? g.op("Concat", {"v", "v"}, {{"axis", 0}}) : "v";
  if (depth > 0) v = g.op("Loop", {times, "goes_on", v}, {{"body", loop_body(depth - 1, doubles, times)}});
  if (!doubles) v = g.op("Concat", {v, "one"}, {{"axis", 0}});
  g.output(g.op("Identity", {"goes_on"}), OnnxType::boolean, {});
  g.output(v);
  return g;
}

TEST_F(Bombs, NestedLoops) {
  for (const int depth : {8, sanitized ? 10 : 24}) {
    ModelBuilder m;
    m.input("go", OnnxType::boolean, {});
    m.input("x", OnnxType::float32, {1});
    m.output(m.op("Loop", {"", "go", "x"}, {{"body", loop_body(depth, true, "")}}));
    write("doubling.onnx", m);
    expect_within_bounds("doubling.onnx");
  }
  for (const int depth : {8, sanitized ? 14 : 24}) {
    ModelBuilder m;
    m.input("x", OnnxType::float32, {1});
    m.initializer("one", OnnxTensor::of<float>({1}, {1}));
    const std::string times = m.constant(OnnxTensor::of<int64_t>({}, {3})),
                      go = m.op("Equal", {times, times});
    m.output(m.op("Loop", {times, go, "x"}, {{"body", loop_body(depth, false, times)}}));
    write("growing.onnx", m);
    expect_within_bounds("growing.onnx");
  }
}

// Sanitizers look at the ways that are taken, for which little work does.
TEST_F(Bombs, ConstantsThatTakeLongToCompute) {
  const int64_t less = sanitized ? 8 : 1;
  const auto filled = [](ModelBuilder& m, const Ints& dims) {
    return m.op("ConstantOfShape",
                {m.constant(OnnxTensor::of<int64_t>({static_cast<int64_t>(dims.size())}, dims))},
                {{"value", OnnxTensor::of<float>({1}, {0.25F})}});
  };
  {
    ModelBuilder m;
    m.output(m.op("AveragePool", {filled(m, {1, 1, 1000 / less, 1000 / less})},
                  {{"kernel_shape", Ints{501 / less, 501 / less}}}));
    write("pool.onnx", m);
  }
  {
    ModelBuilder m;
    for (int i = 0; i < 5; ++i)
      m.output(m.op("Conv",
                    {filled(m, {1, 16, 256 / less, 256 / less}), filled(m, {16, 16, 63 / less, 63 / less})}));
    write("convolutions.onnx", m);
  }
  {
    ModelBuilder m;
    const auto count = m.constant(OnnxTensor::of<int64_t>({1}, {4000 / less}));
    const auto overlap = m.constant(OnnxTensor::of<float>({1}, {2}));
    m.output(m.op("NonMaxSuppression",
                  {filled(m, {40, 4000 / less, 4}), filled(m, {40, 1, 4000 / less}), count, overlap}));
    write("boxes.onnx", m);
  }
  {
    ModelBuilder m;
    std::string x = filled(m, {4, 1000 / less, 1000 / less});
    for (int i = 0; i < 500; ++i) x = m.op("Sin", {x});
    m.output(x);
    write("chain.onnx", m);
  }
  for (const char* name : {"pool.onnx", "convolutions.onnx", "boxes.onnx", "chain.onnx"})
    expect_within_bounds(name);
}

TEST_F(Bombs, FunctionsThatCallOneAnotherTwice) {
  for (const int depth : {12, 30}) {
    ModelBuilder m(17);
    m.opset("d", 1);
    m.function({.domain = "d",
                .name = "f0",
                .inputs = {"a"},
                .outputs = {"b"},
                .nodes = {{.type = "Relu", .inputs = {"a"}, .outputs = {"b"}}},
                .opsets = {{"", 17}, {"d", 1}}});
    for (int i = 1; i <= depth; ++i) {
      const std::string inner = "f" + std::to_string(i - 1);
      m.function({.domain = "d",
                  .name = "f" + std::to_string(i),
                  .inputs = {"a"},
                  .outputs = {"b"},
                  .nodes = {{.type = inner, .inputs = {"a"}, .outputs = {"t"}, .name = "t", .domain = "d"},
                            {.type = inner, .inputs = {"t"}, .outputs = {"b"}, .name = "b", .domain = "d"}},
                  .opsets = {{"", 17}, {"d", 1}}});
    }
    m.input("x", OnnxType::float32, {1});
    m.output(m.op("f" + std::to_string(depth), {"x"}, {}, "d"));
    write("functions.onnx", m);
    expect_within_bounds("functions.onnx");
  }
}

TEST_F(Bombs, ManyReadersAndManyInputs) {
  constexpr int many = 10000;
  ModelBuilder m;
  m.input("x", OnnxType::float32, {1});
  for (int i = 0; i < many; ++i) m.output(m.op("Identity", {"x"}));
  write("outputs.onnx", m);
  expect_within_bounds("outputs.onnx");
  std::string
      layer = "layer { name: 'data' type: 'Input' top: 'data' input_param { shape { dim: 1 dim: 1 } } }\n",
      bottoms;
  for (int i = 0; i < many; ++i) bottoms += "bottom: 'data' ";
  for (const std::string type : {"Concat", "Eltwise"}) {
    write_text(folder / "bottoms.prototxt",
               layer + "layer { name: 'y' type: '" + type + "' top: 'y' " + bottoms + "}");
    expect_within_bounds("bottoms.prototxt");
  }
  std::string inputs, types;
  for (int i = 0; i < many; ++i) inputs += "input: 'x' ", types += "type: DT_FLOAT ";
  write_text(folder / "many.pbtxt",
             "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }\n"
             "node { name: 'y' op: 'IdentityN' " +
                 inputs + "attr { key: 'T' value { list { " + types + "} } } }\n");
  expect_within_bounds("many.pbtxt");
}

TEST_F(Bombs, ValuesThatAreStatedShortly) {
  write_text(folder / "strings.pbtxt",
             "node { name: 'x' op: 'Const' attr { key: 'dtype' value { type: DT_STRING } } attr { key: "
             "'value' value { tensor "
             "{ dtype: DT_STRING tensor_shape { dim { size: 67108864 } } string_val: 'a' } } } }\n");
  write_text(folder / "complex.pbtxt",
             "node { name: 'x' op: 'Const' attr { key: 'dtype' value { type: DT_COMPLEX64 } } attr { key: "
             "'value' value { "
             "tensor { dtype: DT_COMPLEX64 tensor_shape { dim { size: 200000000 } } scomplex_val: 1 "
             "scomplex_val: 1 } } } }\n");
  write_text(
      folder / "grid-symbol.json",
      R"j({"nodes": [{"op": "null", "name": "x", "inputs": []}, {"op": "GridGenerator", "name": "y", )j"
      R"j("attrs": {"transform_type": "affine", "target_shape": "(9000, 9000)"}, "inputs": [[0, 0, 0]]}], )j"
      R"j("arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})j");
  write_text(
      folder / "channels.prototxt",
      "layer { name: 'data' type: 'Input' top: 'data' input_param { shape { dim: 1 dim: 100000000 } } }\n"
      "layer { name: 'y' type: 'BatchNorm' bottom: 'data' top: 'y' }\n");
  write_text(folder / "gates.prototxt",
             "layer { name: 'data' type: 'Input' top: 'data' top: 'cont' input_param { "
             "shape { dim: 4 dim: 1 dim: 10000 } shape { dim: 4 dim: 1 } } }\n"
             "layer { name: 'y' type: 'LSTM' bottom: 'data' bottom: 'cont' top: 'y' recurrent_param { "
             "num_output: 5000 } }\n");
  expect_within_bounds("strings.pbtxt");
  expect_within_bounds("complex.pbtxt");
  expect_within_bounds("grid-symbol.json", {"--input_shape", "[1,6]"});
  expect_within_bounds("channels.prototxt", {"--allow_missing_weights"});
  expect_within_bounds("gates.prototxt", {"--allow_missing_weights", "--dry_run"});
}

}  // namespace
}  // namespace mo::test
