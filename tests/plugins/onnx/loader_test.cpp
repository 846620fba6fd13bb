// The loader: what a file may look like, and what it may not.
#include "onnx.pb.h"
#include "onnx_fixture.hpp"

namespace mo::test {

using testing::HasSubstr;

class OnnxLoader : public Onnx {
 protected:
  static ModelBuilder& small(ModelBuilder& m) {
    m.input("x", OnnxType::float32, {1, 3, "height", OnnxDim::unknown()});
    m.node({.type = "Relu", .inputs = {"x"}, .outputs = {"y"}, .name = "act"});
    m.output("y", OnnxType::float32);
    return m;
  }
};

TEST_F(OnnxLoader, KeepsNamesShapesAndDimensionNames) {
  ModelBuilder m;
  const auto g = prepare(small(m), core::Stage::load);
  const core::NodeId x = node(*g, "x");
  EXPECT_EQ(g->op(x), "Parameter");
  EXPECT_EQ(g->out({x, 0}).tensor.shape, (Shape{1, 3, any_dim, any_dim}));
  EXPECT_EQ(g->out({x, 0}).tensor.type, ElementType::f32);
  const auto* names = g->attribute(x, "dim_names");
  ASSERT_NE(names, nullptr);
  EXPECT_EQ(std::get<std::vector<std::string>>(*names), (std::vector<std::string>{"", "", "height", ""}));
  const core::NodeId act = node(*g, "act");
  EXPECT_EQ(text(g->op(act), '@', g->opset(act)), "Relu@");
  EXPECT_EQ(g->symbols().text(g->out({act, 0}).names.at(0)), "y");
  EXPECT_EQ(g->name(g->results()[0]), "y/sink_port_0");
}

TEST_F(OnnxLoader, UnknownRankOfAnInput) {
  ModelBuilder m;
  m.input("x", OnnxType::int64);
  m.output("x");
  const auto g = prepare(m, core::Stage::load);
  EXPECT_FALSE(g->out({node(*g, "x"), 0}).tensor.shape.has_rank());
}

TEST_F(OnnxLoader, NodeWithoutNameIsCalledAsItsOutput) {
  ModelBuilder m;
  m.input("x", OnnxType::float32, {2});
  m.node({.type = "Relu", .inputs = {"x"}, .outputs = {"y"}});
  m.output("y");
  const auto g = prepare(m, core::Stage::load);
  EXPECT_EQ(g->op(node(*g, "y")), "Relu");
}

TEST_F(OnnxLoader, NodesInAnyOrder) {
  ModelBuilder m;
  m.input("x", OnnxType::float32, {2});
  m.node({.type = "Abs", .inputs = {"b"}, .outputs = {"c"}, .name = "third"});
  m.node({.type = "Neg", .inputs = {"a"}, .outputs = {"b"}, .name = "second"});
  m.node({.type = "Relu", .inputs = {"x"}, .outputs = {"a"}, .name = "first"});
  m.output("c");
  const auto g = prepare(m);
  EXPECT_EQ(g->name(g->source({node(*g, "third"), 0}).node), "second");
  EXPECT_EQ(g->name(g->source({node(*g, "second"), 0}).node), "first");
}

TEST_F(OnnxLoader, OmittedInputsStayOpen) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {2});
  m.node({.type = "Clip", .inputs = {"x", "", "high"}, .outputs = {"y"}, .name = "clip"});
  m.initializer("high", OnnxTensor::scalar(6.0F));
  m.output("y");
  const auto g = prepare(m, core::Stage::load);
  const core::NodeId clip = node(*g, "clip");
  ASSERT_EQ(g->node(clip).inputs.size(), 3U);
  EXPECT_FALSE(g->source({clip, 1}));
  EXPECT_EQ(g->name(g->source({clip, 2}).node), "high");
}

TEST_F(OnnxLoader, InitializerThatIsAnInputIsAConstant) {
  ModelBuilder m(8);
  m.input("x", OnnxType::float32, {2});
  m.input("w", OnnxType::float32, {2});
  m.initializer("w", floats({2}, {1, 2}));
  m.output(m.op("Add", {"x", "w"}));
  const auto g = prepare(m, core::Stage::load);
  EXPECT_EQ(g->parameters().size(), 1U);
  EXPECT_TRUE(g->is_const(node(*g, "w")));
}

TEST_F(OnnxLoader, AConstantGivesWayToANodeOfItsName) {
  ModelBuilder m;
  m.input("x", OnnxType::float32, {2});
  m.initializer("same", floats({2}, {1, 2}));
  m.node({.type = "Add", .inputs = {"x", "same"}, .outputs = {"y"}, .name = "same"});
  m.output("y");
  const auto g = prepare(m, core::Stage::load);
  EXPECT_EQ(g->op(node(*g, "same")), "Add");
}

TEST_F(OnnxLoader, WeightsAreViewsOfTheFile) {
  ModelBuilder m;
  m.input("x", OnnxType::float32, {3});
  m.initializer("raw", floats({3}, {1, 2, 3}));
  m.initializer("typed", OnnxTensor::typed<float>({3}, {4, 5, 6}));
  m.output(m.op("Add", {m.op("Add", {"x", "raw"}), "typed"}));
  const auto g = prepare(m, core::Stage::load);
  for (const char* name : {"raw", "typed"}) {
    const core::TensorRef& value = g->out({node(*g, name), 0}).tensor.value;
    EXPECT_NE(value->file, nullptr) << name;
    EXPECT_EQ(value->bytes, 12U);
  }
}

// Encodings.

template <class T>
class OnnxEncoding : public Onnx {};
using EncodedTypes =
    testing::Types<float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(OnnxEncoding, EncodedTypes);

TYPED_TEST(OnnxEncoding, RawAndTypedFieldsAreTheSame) {
  using T = TypeParam;
  const std::vector<T> numbers{T(0), T(1), T(100), std::numeric_limits<T>::max(),
                               std::numeric_limits<T>::lowest()};
  for (const bool typed : {false, true}) {
    ModelBuilder m;
    m.initializer("w", typed ? OnnxTensor::typed<T>({5}, numbers) : OnnxTensor::of<T>({5}, numbers));
    m.output("w");
    const auto g = this->prepare(m, core::Stage::load);
    const core::TensorRef& value = g->out(this->output(*g)).tensor.value;
    EXPECT_EQ(value->type, element_type_of<T>());
    ASSERT_EQ(value->bytes, sizeof(T) * numbers.size());
    EXPECT_EQ(std::memcmp(value->data(), numbers.data(), value->bytes), 0) << (typed ? "typed" : "raw");
  }
}

TEST_F(OnnxLoader, HalvesAndBooleansInInt32Data) {
  ModelBuilder m;
  const auto add = [&](std::string_view name, int32_t type, const std::vector<int32_t>& numbers) {
    auto* t = m.proto().add_initializer();
    t->set_name(std::string(name));
    t->set_data_type(type);
    t->add_dims(static_cast<int64_t>(numbers.size()));
    for (const int32_t n : numbers) t->add_int32_data(n);
    m.output(name);
  };
  add("half", 10, {0x3c00, 0xc000});
  add("brain", 16, {0x3f80, 0xc000});
  add("flag", 9, {0, 1});
  const auto g = prepare(m, core::Stage::load);
  EXPECT_EQ(values(*g, 0), (std::vector<double>{1, -2}));
  EXPECT_EQ(values(*g, 1), (std::vector<double>{1, -2}));
  EXPECT_EQ(values(*g, 2), (std::vector<double>{0, 1}));
}

TEST_F(OnnxLoader, FourBitIntegers) {
  ModelBuilder m(21);
  const auto add = [&](std::string_view name, int32_t type, bool raw) {
    auto* t = m.proto().add_initializer();
    t->set_name(std::string(name));
    t->set_data_type(type);
    t->add_dims(3);
    if (raw) {
      t->set_raw_data(std::string("\x21\x0f", 2));
    } else {
      t->add_int32_data(0x21);
      t->add_int32_data(0x0f);
    }
    m.output(name);
  };
  add("u", 21, true);
  add("i", 22, true);
  add("u_typed", 21, false);
  const auto g = prepare(m, core::Stage::load);
  EXPECT_EQ(values(*g, 0), (std::vector<double>{1, 2, 15}));
  EXPECT_EQ(values(*g, 1), (std::vector<double>{1, 2, -1}));
  EXPECT_EQ(values(*g, 2), (std::vector<double>{1, 2, 15}));
}

TEST_F(OnnxLoader, Strings) {
  ModelBuilder m;
  m.initializer("s", OnnxTensor::of_strings({2}, {"ab", "c"}));
  m.output("s");
  const auto g = prepare(m, core::Stage::load);
  const core::TensorRef& value = g->out(output(*g)).tensor.value;
  const std::string expected("\2\0\0\0\0\0\0\0\2\0\0\0\3\0\0\0abc", 19);
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(value->data()), value->bytes), expected);
}

TEST_F(OnnxLoader, ConstantsOfEveryKind) {
  ModelBuilder m(13);
  m.output(m.op("Constant", {}, {{"value", floats({2}, {1, 2})}}));
  m.output(m.op("Constant", {}, {{"value_float", 3.0F}}));
  m.output(m.op("Constant", {}, {{"value_floats", Floats{4, 5}}}));
  m.output(m.op("Constant", {}, {{"value_int", 6}}));
  m.output(m.op("Constant", {}, {{"value_ints", Ints{7, 8}}}));
  const auto g = prepare(m, core::Stage::load);
  EXPECT_EQ(values(*g, 0), (std::vector<double>{1, 2}));
  EXPECT_EQ(values(*g, 1), (std::vector<double>{3}));
  EXPECT_EQ(values(*g, 2), (std::vector<double>{4, 5}));
  EXPECT_EQ(values(*g, 3), (std::vector<double>{6}));
  EXPECT_EQ(values(*g, 4), (std::vector<double>{7, 8}));
  EXPECT_EQ(shape(*g, 1), Shape());
}

TEST_F(OnnxLoader, SparseInitializer) {
  ModelBuilder m(13);
  auto* s = m.proto().add_sparse_initializer();
  s->add_dims(2);
  s->add_dims(3);
  s->mutable_values()->set_name("w");
  s->mutable_values()->set_data_type(1);
  s->mutable_values()->add_dims(2);
  s->mutable_values()->add_float_data(5);
  s->mutable_values()->add_float_data(6);
  s->mutable_indices()->set_data_type(7);
  s->mutable_indices()->add_dims(2);
  s->mutable_indices()->add_int64_data(1);
  s->mutable_indices()->add_int64_data(5);
  m.output("w");
  EXPECT_EQ(values(*prepare(m, core::Stage::load)), (std::vector<double>{0, 5, 0, 0, 0, 6}));
  s->set_dims(0, int64_t{1} << 40);
  EXPECT_THAT(failure_of(m, core::Stage::load), HasSubstr("too big to be made dense"));
}

// External data.

class OnnxExternalData : public OnnxLoader {
 protected:
  ModelBuilder& with(ModelBuilder& m, const std::string& location, uint64_t offset = 0, uint64_t length = 0) {
    m.initializer("w", OnnxTensor::in_file(OnnxType::float32, {2}, location, offset, length));
    m.output("w");
    return m;
  }
  std::string refusal(const std::string& location, uint64_t offset = 0, uint64_t length = 0) {
    ModelBuilder m;
    return failure_of(with(m, location, offset, length), core::Stage::load);
  }
};

TEST_F(OnnxExternalData, IsViewedInPlace) {
  const float numbers[] = {7, 1, 2};
  folder_.write("w.bin", std::string_view(reinterpret_cast<const char*>(numbers), sizeof numbers));
  ModelBuilder m;
  const auto g = prepare(with(m, "w.bin", 4, 8), core::Stage::load);
  EXPECT_EQ(values(*g), (std::vector<double>{1, 2}));
  EXPECT_EQ(g->out(output(*g)).tensor.value->file_offset, 4U);
}

TEST_F(OnnxExternalData, StaysInTheFolderOfTheModel) {
  const TemporaryFolder outside;
  outside.write("secret.bin", "12345678");
  std::filesystem::create_symlink(outside / "secret.bin", folder_ / "link.bin");
  const std::string name = outside.path().filename().string();
  EXPECT_THAT(refusal(outside / "secret.bin"), HasSubstr("initializer 'w'"));
  EXPECT_NE(refusal("../" + name + "/secret.bin"), "");
  EXPECT_NE(refusal("link.bin"), "");
  EXPECT_NE(refusal("missing.bin"), "");
  EXPECT_NE(refusal("."), "");
  EXPECT_THAT(refusal(""), HasSubstr("has no location"));
}

TEST_F(OnnxExternalData, OffsetAndLengthAreChecked) {
  folder_.write("w.bin", "123456789");
  EXPECT_EQ(refusal("w.bin", 1, 8), "");
  EXPECT_THAT(refusal("w.bin", 2, 8), HasSubstr("has only 9 bytes"));
  EXPECT_THAT(refusal("w.bin", UINT64_MAX, 8), HasSubstr("has only 9 bytes"));
  EXPECT_THAT(refusal("w.bin", 0, 9), HasSubstr("length 9"));
}

TEST_F(OnnxExternalData, NumbersMustBeNumbers) {
  folder_.write("w.bin", "12345678");
  ModelBuilder m;
  OnnxTensor t = OnnxTensor::in_file(OnnxType::float32, {2}, "w.bin");
  t.external.emplace_back("offset", "-4");
  m.initializer("w", t);
  m.output("w");
  EXPECT_THAT(failure_of(m, core::Stage::load), HasSubstr("expected a number"));
}

// What is wrong is said.

TEST_F(OnnxLoader, EmptyAndForeignFiles) {
  EXPECT_THAT(failure_of_bytes(""), HasSubstr("empty"));
  EXPECT_NE(failure_of_bytes("this is no model"), "");
  EXPECT_NE(failure_of_bytes(std::string(4096, '\xff')), "");
  EXPECT_NE(failure_of(folder_ / "nowhere.onnx", core::Stage::load), "");
}

TEST_F(OnnxLoader, EveryTruncationIsRefused) {
  ModelBuilder m;
  m.initializer("w", floats({2, 2}, {1, 2, 3, 4}));
  small(m).output(m.op("MatMul", {"y", "w"}));
  const std::string bytes = m.bytes();
  // The opset import stands behind the graph; a file that ends before it is complete but for that.
  const size_t complete = bytes.rfind('\x42');
  for (size_t n = 0; n < bytes.size(); ++n)
    if (n != complete) {
      EXPECT_NE(failure_of_bytes(bytes.substr(0, n)), "") << n << " of " << bytes.size() << " bytes";
    }
}

TEST_F(OnnxLoader, UndefinedAndDoubleValues) {
  ModelBuilder m;
  m.input("x", OnnxType::float32, {2});
  m.node({.type = "Add", .inputs = {"x", "ghost"}, .outputs = {"y"}, .name = "adder"});
  m.output("y");
  const std::string missing = failure_of(m, core::Stage::load);
  EXPECT_THAT(missing, HasSubstr("'adder' (Add)"));
  EXPECT_THAT(missing, HasSubstr("'ghost'"));

  ModelBuilder d;
  d.input("x", OnnxType::float32, {2});
  d.node({.type = "Abs", .inputs = {"x"}, .outputs = {"y"}, .name = "one"});
  d.node({.type = "Neg", .inputs = {"x"}, .outputs = {"y"}, .name = "two"});
  d.output("y");
  const std::string twice = failure_of(d, core::Stage::load);
  EXPECT_THAT(twice, HasSubstr("'two' (Neg)"));
  EXPECT_THAT(twice, HasSubstr("already defined by node 'one' (Abs)"));

  ModelBuilder o;
  o.input("x", OnnxType::float32, {2});
  o.output("z");
  EXPECT_THAT(failure_of(o, core::Stage::load), HasSubstr("output 'z'"));
}

TEST_F(OnnxLoader, CyclesAreNamed) {
  ModelBuilder m;
  m.input("x", OnnxType::float32, {2});
  m.node({.type = "Add", .inputs = {"x", "b"}, .outputs = {"a"}, .name = "left"});
  m.node({.type = "Abs", .inputs = {"a"}, .outputs = {"b"}, .name = "right"});
  m.output("b");
  const std::string cycle = failure_of(m, core::Stage::load);
  EXPECT_THAT(cycle, HasSubstr("left"));
  EXPECT_THAT(cycle, HasSubstr("right"));
}

TEST_F(OnnxLoader, DataThatDoesNotFit) {
  const auto refusal = [&](auto fill) {
    ModelBuilder m;
    auto* t = m.proto().add_initializer();
    t->set_name("w");
    t->set_data_type(1);
    fill(*t);
    m.output("w");
    return failure_of(m, core::Stage::load);
  };
  EXPECT_THAT(refusal([](auto& t) {
                t.add_dims(3);
                t.set_raw_data(std::string(8, '\0'));
              }),
              testing::AllOf(HasSubstr("initializer 'w'"), HasSubstr("8 bytes"), HasSubstr("takes 12")));
  EXPECT_THAT(refusal([](auto& t) {
                t.add_dims(2);
                t.add_float_data(1);
              }),
              HasSubstr("holds 1 numbers"));
  EXPECT_THAT(refusal([](auto& t) { t.add_dims(-1); }), HasSubstr("negative dimension"));
  EXPECT_THAT(refusal([](auto& t) {
                t.add_dims(int64_t{1} << 40);
                t.add_dims(int64_t{1} << 40);
              }),
              HasSubstr("too many elements"));
  EXPECT_THAT(refusal([](auto& t) { t.add_dims(int64_t{1} << 40); }), HasSubstr("holds 0 numbers"));
  EXPECT_THAT(refusal([](auto& t) { t.set_data_type(14); }), HasSubstr("complex64"));
  EXPECT_THAT(refusal([](auto& t) { t.set_data_type(1000); }), HasSubstr("1000"));
}

TEST_F(OnnxLoader, OperatorsWithoutAVersionAreReadAllTheSame) {
  ModelBuilder m;
  small(m).header().clear_opset_import();
  for (const int64_t ir : {1, 3, 8, 0, 99}) {
    m.header().set_ir_version(ir);
    EXPECT_EQ(failure_of(m, core::Stage::load), "") << ir;
  }
  m.header().clear_ir_version();
  EXPECT_EQ(failure_of(m, core::Stage::load), "");
  m.opset("ai.onnx", 99);
  EXPECT_EQ(failure_of(m), "");
}

TEST_F(OnnxLoader, WhatIsThereTwiceCountsOnce) {
  ModelBuilder m;
  m.input("x", OnnxType::float32, {2});
  m.input("x", OnnxType::float32, {3});
  m.initializer("w", floats({2}, {1, 2}));
  m.initializer("w", floats({2}, {3, 4}));
  m.output(m.op("Add", {"x", "x"}));
  m.output(m.op("Neg", {"w"}));
  const core::GraphPtr g = prepare(m);
  EXPECT_EQ(shape(*g), (Shape{2}));
  EXPECT_THAT(values(*g, 1), testing::ElementsAre(-3, -4));
  EXPECT_THAT(log_, HasSubstr("initializer 'w' is there twice; the last one counts"));
  EXPECT_THAT(log_, HasSubstr("input 'x' of the graph is there twice; the first one counts"));
}

// A spoiled file had a warning for each of 20 000.
TEST_F(OnnxLoader, WhatIsThereTwiceIsSaidOnce) {
  ModelBuilder m;
  m.input("x", OnnxType::float32, {2});
  for (int i = 0; i < 30; ++i) m.initializer(i % 3 == 0 ? "w" : i % 3 == 1 ? "v" : "u", floats({2}, {1, 2}));
  m.output(m.op("Neg", {"x"}));
  prepare(m, core::Stage::load);
  EXPECT_EQ(log_, "initializer 'u' and 2 others are there twice; the last one counts\n");
}

TEST_F(OnnxLoader, InputsTheIrDoesNotHave) {
  ModelBuilder m;
  auto* input = m.proto().add_input();
  input->set_name("list");
  input->mutable_type()->mutable_sequence_type();
  m.output("list");
  EXPECT_THAT(failure_of(m, core::Stage::load),
              testing::AllOf(HasSubstr("input 'list'"), HasSubstr("sequence of tensors")));
}

TEST_F(OnnxLoader, AllUnknownOperatorsAreListed) {
  ModelBuilder m;
  m.input("x", OnnxType::float32, {2});
  m.node({.type = "Frobnicate", .inputs = {"x"}, .outputs = {"a"}, .name = "n1"});
  m.node({.type = "Twirl", .inputs = {"a"}, .outputs = {"y"}, .name = "n2", .domain = "com.acme"});
  m.opset("com.acme", 3);
  m.output("y");
  const std::string list = failure_of(m);
  for (const char* expected : {"Frobnicate", "n1", "Twirl", "n2", "com.acme"})
    EXPECT_THAT(list, HasSubstr(expected));
}

}  // namespace mo::test
