// Archives, weights, symbols and names.
#include "pytorch_fixture.hpp"

namespace mo::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;

class PytorchLoader : public Pytorch {};

TEST_F(PytorchLoader, WeightsOfEachRelease) {
  const Pt2File file = relu_of(floats({-1, 2, 3, -4}, {2, 2}));
  EXPECT_THAT(computed(file.bytes()), ElementsAre(0, 2, 3, 0));
  EXPECT_THAT(computed(file.pickled_bytes()), ElementsAre(0, 2, 3, 0));
  EXPECT_THAT(computed(file.old_bytes()), ElementsAre(0, 2, 3, 0));
}

TEST_F(PytorchLoader, SchemasFrom5To8) {
  for (const int major : {5, 7, 8}) {
    Pt2File file = relu_of(floats({1, -1}, {2}));
    file.major = major;
    EXPECT_THAT(computed(file), ElementsAre(1, 0)) << major;
  }
  Pt2File file = relu_of(floats({1, -1}, {2}));
  file.major = 4;
  EXPECT_THAT(load_failure(file.bytes()),
              HasSubstr("schema 4.20, from before torch 2.4; schemas 5 to 8 are read"));
  file.major = 9;
  EXPECT_THAT(load_failure(file.bytes()),
              HasSubstr("schema 9.20 (torch 2.15.0), which is newer than this program"));
}

TEST_F(PytorchLoader, Strides) {
  const std::string storage = bytes_of<float>({1, 2, 3, 4, 5, 6, 7, 8});
  const auto stored = [&](std::vector<int64_t> sizes, std::vector<int64_t> strides, int64_t offset) {
    StoredWeight w;
    w.storage = storage;
    w.sizes = std::move(sizes);
    w.strides = std::move(strides);
    w.offset = offset;
    return relu_of(w);
  };
  EXPECT_THAT(computed(stored({2, 3}, {3, 1}, 1)), ElementsAre(2, 3, 4, 5, 6, 7)) << "an offset";
  EXPECT_THAT(computed(stored({3, 2}, {1, 3}, 0)), ElementsAre(1, 4, 2, 5, 3, 6)) << "transposed";
  EXPECT_THAT(computed(stored({2, 2}, {4, 2}, 1)), ElementsAre(2, 4, 6, 8)) << "steps";
  EXPECT_THAT(computed(stored({2, 2}, {0, 1}, 6)), ElementsAre(7, 8, 7, 8)) << "repeated";
  EXPECT_THAT(computed(stored({1, 2}, {77, 1}, 0)), ElementsAre(1, 2)) << "the stride of one element";
  EXPECT_THAT(
      load_failure(stored({3, 3}, {3, 1}, 0).bytes()),
      HasSubstr(
          "weights of 'block.w': it has 32 bytes, but shape [3,3] with strides [3,1] from element 0 on needs "
          "more"));
  EXPECT_THAT(load_failure(stored({2, 2}, {2, 1}, -1).bytes()), HasSubstr("from element -1 on"));
  EXPECT_THAT(load_failure(stored({2, 2}, {-2, 1}, 4).bytes()), HasSubstr("its strides [-2,1]"));
  EXPECT_THAT(load_failure(stored({2, INT64_MAX}, {INT64_MAX, INT64_MAX}, 0).bytes()),
              HasSubstr("its strides"));
}

TEST_F(PytorchLoader, LargeWeightsLieOtherwise) {
  constexpr int64_t rows = 70, columns = 50;
  std::vector<float> values(rows * columns);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  StoredWeight turned{bytes_of(values), {columns, rows}, {1, columns}};
  const std::vector<double> y = computed(relu_of(turned));
  ASSERT_EQ(y.size(), values.size());
  for (size_t i = 0; i < y.size(); ++i) {
    const size_t row = i % rows, column = i / rows;
    ASSERT_EQ(y[i], static_cast<double>(row * columns + column)) << i;
  }
  StoredWeight stepped{bytes_of(values), {rows / 2, columns / 2}, {2 * columns, 2}, 1};
  const std::vector<double> z = computed(relu_of(stepped));
  for (size_t i = 0; i < z.size(); ++i) {
    const size_t row = i / (columns / 2) * 2, column = i % (columns / 2) * 2 + 1;
    ASSERT_EQ(z[i], static_cast<double>(row * columns + column)) << i;
  }
}

TEST_F(PytorchLoader, Types) {
  StoredWeight halves{bytes_of<uint16_t>({0x3f80, 0xc000}), {2}, {1}};
  halves.dtype = 13;  // bf16
  EXPECT_THAT(computed(relu_of(halves)), ElementsAre(1, 0));
  StoredWeight small{bytes_of<int8_t>({-3, 5}), {2}, {1}};
  small.dtype = 2;
  EXPECT_THAT(computed(relu_of(small)), ElementsAre(0, 5));
  StoredWeight nothing{"", {0, 3}, {3, 1}};
  EXPECT_THAT(computed(relu_of(nothing)), ElementsAre());
  StoredWeight unknown{"x", {1}, {1}};
  unknown.dtype = 31;
  EXPECT_THAT(load_failure(relu_of(unknown).bytes()),
              HasSubstr("float8_e4m3fnuz, which the IR does not have"));
  unknown.dtype = 99;
  EXPECT_THAT(load_failure(relu_of(unknown).bytes()), HasSubstr("number 99, which is not known"));
}

TEST_F(PytorchLoader, NamesAndPlaces) {
  Pt2File file;
  file.input("x", {"2"});
  file.graph.tensor("y", {"2"});
  file.graph.call("torch.ops.aten.relu.default", {{"self", arg::tensor("x")}}, arg::tensor("y"), "relu_3",
                  R"("nn_module_stack": "L__self__,,Net;L__self__layers_0,layers.0,Layer",
                     "stack_trace": "File \"/home/me/net.py\", line 7, in forward\n  File \"torch/nn/modules/a.py\", line 9, in forward")");
  file.output("y");
  const core::GraphPtr g = prepare(file);
  EXPECT_EQ(type(*g, "layers/0/relu_3"), "ReLU@opset1");
}

TEST_F(PytorchLoader, WhatNobodyKnowsIsListedWithItsLine) {
  Pt2File file;
  file.input("x", {"2"});
  file.graph.tensor("y", {"2"});
  file.graph.call("torch.ops.acme.twist.default", {{"self", arg::tensor("x")}}, arg::tensor("y"), "twist",
                  R"("nn_module_stack": "L__self__,,Net;L__self__layers_0,layers.0,Layer",
                     "stack_trace": "File \"/home/me/net.py\", line 7, in forward")");
  file.output("y");
  const std::string path = folder_.write("model.pt2", file.bytes());
  const std::string failure = located_failure_of(path);
  EXPECT_THAT(failure, HasSubstr("twist.default of domain 'acme', version 1: 1 node, 'layers/0/twist'"));
  EXPECT_THAT(failure, HasSubstr("/home/me/net.py:7"));
}

// What is chosen may be numbers that stand in the program.
TEST_F(PytorchLoader, OneOfTwoNumbers) {
  const auto sum_with = [this](int64_t limit, const std::string& yes, const std::string& no) {
    const std::string truth = R"({"as_sym_bool": {"as_name": "longer"}})";
    Pt2File file;
    file.parameter("w", floats({1, 2, 3}, {3}));
    file.graph.call("torch.ops.aten.sym_size.int", {{"self", arg::tensor("w")}, {"dim", arg::integer(0)}},
                    arg::symbol("size"), "size");
    file.graph.call("_operator.gt", {{"a", arg::symbol("size")}, {"b", arg::integer(limit)}}, truth,
                    "longer");
    file.graph.call("torch.sym_ite", {{"b", truth}, {"t", yes}, {"f", no}}, arg::symbol("chosen"), "chosen");
    file.graph.node("torch.ops.aten.add.Tensor",
                    {{"self", arg::tensor("w")}, {"other", arg::symbol("chosen")}}, "y", {"3"});
    file.output("y");
    return computed(file);
  };
  using testing::ElementsAre;
  EXPECT_THAT(sum_with(2, arg::integer(10), arg::integer(20)), ElementsAre(11, 12, 13));
  EXPECT_THAT(sum_with(3, arg::integer(10), arg::integer(20)), ElementsAre(21, 22, 23));
  EXPECT_THAT(sum_with(2, arg::integer(10), arg::symbol("size")), ElementsAre(11, 12, 13));
  EXPECT_THAT(sum_with(3, arg::integer(10), arg::symbol("size")), ElementsAre(4, 5, 6));
}

// The program says how large they are where it does not follow from the inputs.
TEST_F(PytorchLoader, PartsOfAnOpenDimension) {
  Pt2File file;
  file.input("x", {"s7", "s8"});
  for (const char* part : {"a", "b", "c"}) file.graph.tensor(part, {"s7", "2"});
  file.graph.call("torch.ops.aten.chunk.default",
                  {{"self", arg::tensor("x")}, {"chunks", arg::integer(3)}, {"dim", arg::integer(1)}},
                  arg::tensors({"a", "b", "c"}), "chunk");
  file.output("b");
  const core::GraphPtr g = prepare(file);
  EXPECT_EQ(text(g->out(output(*g)).tensor.shape), "[?,2]");
}

TEST_F(PytorchLoader, WhatIsNotConvertedSaysWhy) {
  Pt2File file;
  file.input("x", {"2", "2"});
  file.graph.node("torch.ops.aten.linalg_svdvals.default", {{"A", arg::tensor("x")}}, "y", {"2"});
  file.output("y");
  const std::string failure = located_failure_of(folder_.write("model.pt2", file.bytes()));
  EXPECT_THAT(failure, HasSubstr("linalg_svdvals.default of domain 'aten', version 1: 1 node"));
  EXPECT_THAT(failure, HasSubstr("it iterates until it converges, for which the IR has no operation"));
}

TEST_F(PytorchLoader, Symbols) {
  Pt2File file;
  const std::string s = "Symbol('s7', positive=True, integer=True)";
  file.range("s7", "2", "64").range("s9", "0", "null").range("8*s5", "16", "80");
  file.input("x", {s, "Add(" + s + ", Integer(1))", "Mul(Integer(2), " + s + ")", "s9",
                   "FloorDiv(" + s + ", Integer(4))", "Mul(Integer(8), Symbol('s5', integer=True))",
                   "Min(Integer(20), Symbol('u0', integer=True))", "Mod(" + s + ", Integer(3))", "nonsense(",
                   "s7*2 - 3"});
  file.output("x");
  const core::GraphPtr g = load(file);
  const Shape shape = g->out({node(*g, "x"), 0}).tensor.shape;
  EXPECT_EQ(text(shape), "[1..64,2..65,2..128,?,..16,16..80,..20,..2,?,..125]");
  EXPECT_EQ(attribute<std::vector<std::string>>(*g, node(*g, "x"), "dim_names"),
            (std::vector<std::string>{"s7", "", "", "s9", "", "", "", "", "", ""}));
}

TEST_F(PytorchLoader, OtherFilesAreToldHowToBeExported) {
  ZipFile script;
  script.add("net/data.pkl", "x").add("net/code/a.py", "x");
  const std::string failure = load_failure(script.bytes());
  EXPECT_THAT(failure, HasSubstr("the file is a TorchScript model"));
  for (const char* line : {"import torch", "program = torch.export.export(model.eval(), (example_input,))",
                           "torch.export.save(program, \"model.pt2\")"})
    EXPECT_THAT(failure, HasSubstr(line));
  EXPECT_THAT(load_failure(ZipFile().add("net/data.pkl", "x").bytes()),
              HasSubstr("the file is a file of torch.save"));
  EXPECT_THAT(load_failure(ZipFile().add("m/data/aotinductor/model/a.so", "x").bytes()),
              HasSubstr("AOTInductor"));
  EXPECT_THAT(load_failure("\x80\x02}q."), HasSubstr("a pickle"));
  EXPECT_THAT(load_failure(std::string("\x20\0\0\0\0\0\0\0{\"w\":", 13)), HasSubstr("a file of safetensors"));
  EXPECT_THAT(load_failure("GGUF\x03"),
              AllOf(HasSubstr("a GGUF file"), HasSubstr("optimum-cli export onnx")));
  EXPECT_THAT(load_failure("nothing"), HasSubstr("no archive of torch.export"));
}

TEST_F(PytorchLoader, DamagedArchives) {
  const std::string whole = relu_of(floats({1, 2}, {2})).bytes();
  EXPECT_THAT(load_failure(whole.substr(0, whole.size() / 2)), HasSubstr("cut off, or no archive"));
  std::string moved = whole;
  moved.replace(whole.size() - 6, 4, "\xff\xff\xff\x7f");
  EXPECT_THAT(load_failure(moved), HasSubstr("its directory of"));
  EXPECT_THAT(load_failure(ZipFile().add("n/models/model.json", "{}", 8).bytes()),
              HasSubstr("entry 'n/models/model.json' of the file is compressed"));
  EXPECT_THAT(load_failure(ZipFile().add("n/models/model.json", "{\"schema_version\": [").bytes()),
              HasSubstr("n/models/model.json is damaged: expected"));
  EXPECT_THAT(load_failure(ZipFile().add("n/models/a.json", "{}").add("n/models/b.json", "{}").bytes()),
              HasSubstr("holds several programs: a, b"));
}

TEST_F(PytorchLoader, ListsOfTensorsHaveNoGaps) {
  const auto cat = [](const std::string& tensors) {
    Pt2File file;
    file.input("x", {"2"});
    file.graph.node("torch.ops.aten.cat.default", {{"tensors", tensors}}, "y", {"4"});
    return file.output("y").bytes();
  };
  EXPECT_THAT(load_failure(cat(R"({"as_tensors": [{"nam": "x"}, {"name": "x"}]})")),
              HasSubstr("expected an object with 'name'"));
  const std::string gap = R"({"as_optional_tensors": [{"as_tensor": {"name": "x"}}, {"as_none": true}]})";
  EXPECT_THAT(ConversionTest::failure_of(std::filesystem::path(folder_.write("gap.pt2", cat(gap)))),
              HasSubstr("argument 'tensors' has None for a tensor at 1"));
}

TEST_F(PytorchLoader, OperatorsHaveResults) {
  EXPECT_THAT(ConversionTest::failure_of(std::filesystem::path(
                  MO_SOURCE_DIR "/tests/fuzz/corpus/pytorch_loader_fuzz/split_without_results.pt2")),
              HasSubstr("the program gives it no results"));
}

TEST_F(PytorchLoader, PicklesAreNotRun) {
  const Pt2File file = relu_of(floats({1, 2}, {2}));
  const auto with = [&](const std::string& pickle) {
    return ZipFile()
        .add("net/models/model.json", file.json())
        .add("net/data/weights/model.pt", torch_save(file.weights, pickle))
        .bytes();
  };
  EXPECT_THAT(load_failure(with(pickled(file.weights, "os\nsystem"))),
              HasSubstr("it calls os.system, which is not needed for tensors"));
  const std::string good = pickled(file.weights);
  for (size_t n = 0; n < good.size(); n += 7) EXPECT_NE(load_failure(with(good.substr(0, n))), "") << n;
  // A list that holds itself, and tuples within tuples.
  EXPECT_NE(load_failure(with("\x80\x02]q\x01h\x01"
                              "a.")),
            "");
  EXPECT_NE(load_failure(with("\x80\x02)" + std::string(100000, '\x85') + ".")), "");
}

}  // namespace
}  // namespace mo::test
