// Functions that a model brings along are expanded where they are called.
#include "onnx.pb.h"
#include "onnx_fixture.hpp"

namespace mo::test {

using testing::ElementsAre;
using testing::HasSubstr;

class OnnxFunctions : public Onnx {
 protected:
  static constexpr int attribute_float = 1;
  // y = x * factor + b
  static OnnxFunction affine() {
    return {.domain = "local",
            .name = "Affine",
            .inputs = {"X", "B"},
            .outputs = {"Y"},
            .attributes = {"factor"},
            .nodes = {{.type = "Constant",
                       .outputs = {"f"},
                       .attributes = {OnnxAttribute::reference("value_float", "factor", attribute_float)}},
                      {.type = "Mul", .inputs = {"X", "f"}, .outputs = {"scaled"}, .name = "scale"},
                      {.type = "Sum", .inputs = {"scaled", "B"}, .outputs = {"Y"}, .name = "add"}},
            .opsets = {{"", 13}}};
  }
  static OnnxTensor pair(float a, float b) { return floats({2}, {a, b}); }
  static void call(GraphBuilder& m, const std::string& name, std::vector<std::string> inputs,
                   std::vector<std::string> outputs, std::vector<OnnxAttribute> attributes = {},
                   const std::string& name_of_call = {}) {
    m.node({.type = name,
            .inputs = std::move(inputs),
            .outputs = std::move(outputs),
            .attributes = std::move(attributes),
            .name = name_of_call,
            .domain = "local"});
  }
  static std::vector<std::string> names_of(const core::Graph& g, std::string_view producer) {
    std::vector<std::string> list;
    for (const auto n : g.out({node(g, producer), 0}).names) list.emplace_back(g.symbols().text(n));
    return list;
  }
  // A default in the FunctionProto with this number.
  static void give_default(ModelBuilder& m, int function, const OnnxAttribute& a) {
    *m.header().mutable_functions(function)->add_attribute_proto() = a.proto();
  }
};

TEST_F(OnnxFunctions, AreExpandedWithTheAttributesOfTheCall) {
  ModelBuilder m;
  m.opset("local", 1);
  m.function(affine());
  call(m, "Affine", {m.constant(pair(1, 2)), m.constant(pair(10, 20))}, {"y"}, {{"factor", 3.0F}});
  m.output("y");
  EXPECT_THAT(computed(m), ElementsAre(13, 26));
}

TEST_F(OnnxFunctions, NamesAreThoseOfTheCallAndTheNode) {
  ModelBuilder m;
  m.opset("local", 1);
  m.function(affine());
  m.input("x", OnnxType::float32, {"n"});
  const std::string b = m.constant(floats({1}, {5}));
  call(m, "Affine", {"x", b}, {"middle"}, {{"factor", 3.0F}}, "first");
  call(m, "Affine", {"middle", b}, {"y"}, {{"factor", 2.0F}}, "second");
  m.output("y");
  const auto g = prepare(m, core::Stage::load);
  EXPECT_EQ(type(*g, "first/scale"), "Mul@");
  EXPECT_EQ(type(*g, "second/add"), "Sum@");
  const auto names = [&](std::string_view n) { return names_of(*g, n); };
  EXPECT_THAT(names("first/scale"), ElementsAre("first/scaled"));
  EXPECT_THAT(names("first/add"), ElementsAre("middle"));
  EXPECT_THAT(names("second/add"), ElementsAre("y"));
}

TEST_F(OnnxFunctions, DefaultsAndMissingAttributes) {
  ModelBuilder m;
  m.opset("local", 1);
  m.function(affine());
  m.function({.domain = "local",
              .name = "Leaky",
              .inputs = {"X"},
              .outputs = {"Y"},
              .attributes = {"slope"},
              .nodes = {{.type = "LeakyRelu",
                         .inputs = {"X"},
                         .outputs = {"Y"},
                         .attributes = {OnnxAttribute::reference("alpha", "slope", attribute_float)}}},
              .opsets = {{"", 16}}});
  give_default(m, 0, {"factor", 4.0F});
  const std::string x = m.constant(pair(-1, 2));
  call(m, "Affine", {x, m.constant(pair(0, 0))}, {"a"});
  call(m, "Leaky", {x}, {"b"});  // the attribute of LeakyRelu is not there, and has its own default
  call(m, "Leaky", {x}, {"c"}, {{"slope", 0.5F}});
  for (const char* o : {"a", "b", "c"}) m.output(o);
  const auto g = prepare(m);
  EXPECT_THAT(values(*g, 0), ElementsAre(-4, 8));
  EXPECT_THAT(values(*g, 1), ElementsAre(testing::DoubleNear(-0.01, 1e-8), 2));
  EXPECT_THAT(values(*g, 2), ElementsAre(-0.5, 2));
}

TEST_F(OnnxFunctions, CallOneAnotherAndPassAttributesOn) {
  ModelBuilder m;
  m.opset("local", 1);
  m.function({.domain = "local",
              .name = "Twice",
              .inputs = {"X"},
              .outputs = {"Y"},
              .attributes = {"by"},
              .nodes = {{.type = "Affine",
                         .inputs = {"X", "X"},
                         .outputs = {"t"},
                         .attributes = {OnnxAttribute::reference("factor", "by", attribute_float)},
                         .name = "a",
                         .domain = "local"},
                        {.type = "Affine",
                         .inputs = {"t", "t"},
                         .outputs = {"Y"},
                         .attributes = {{"factor", 1.0F}},
                         .name = "b",
                         .domain = "local"}},
              .opsets = {{"", 13}, {"local", 1}}});
  m.function(affine());
  call(m, "Twice", {m.constant(pair(1, 2))}, {"y"}, {{"by", 2.0F}}, "call");
  m.output("y");
  EXPECT_THAT(computed(m), ElementsAre(6, 12));
  EXPECT_EQ(type(*prepare(m, core::Stage::load), "call/a/scale"), "Mul@");
}

TEST_F(OnnxFunctions, InputsAndOutputsMayBeLeftOut) {
  ModelBuilder m;
  m.opset("local", 1);
  m.function({.domain = "local",
              .name = "Limited",
              .inputs = {"X", "Low", "High"},
              .outputs = {"Y", "Same", "Nothing"},
              .nodes = {{.type = "Clip", .inputs = {"X", "Low", "High"}, .outputs = {"Y"}},
                        {.type = "Identity", .inputs = {"Y"}, .outputs = {"Nothing"}},
                        {.type = "Identity", .inputs = {"X"}, .outputs = {"Same"}}},
              .opsets = {{"", 13}}});
  const std::string x = m.constant(pair(-5, 7));
  call(m, "Limited", {x, "", m.constant(OnnxTensor::scalar<float>(3))}, {"a", "b"});
  call(m, "Limited", {x, m.constant(OnnxTensor::scalar<float>(0))}, {"c"});
  for (const char* o : {"a", "b", "c"}) m.output(o);
  const auto g = prepare(m);
  EXPECT_THAT(values(*g, 0), ElementsAre(-5, 3));
  EXPECT_THAT(values(*g, 1), ElementsAre(-5, 7));
  EXPECT_THAT(values(*g, 2), ElementsAre(0, 7));
}

TEST_F(OnnxFunctions, AnInputHandedThroughKeepsBothNames) {
  ModelBuilder m;
  m.opset("local", 1);
  m.function({.domain = "local", .name = "Same", .inputs = {"X"}, .outputs = {"X"}, .opsets = {{"", 13}}});
  m.input("x", OnnxType::float32, {2});
  m.node({.type = "Relu", .inputs = {"x"}, .outputs = {"r"}, .name = "relu"});
  call(m, "Same", {"r"}, {"y"});
  m.output("y");
  const auto g = prepare(m, core::Stage::load);
  EXPECT_THAT(names_of(*g, "relu"), ElementsAre("r", "y"));
}

TEST_F(OnnxFunctions, OfOneNameAreToldApartByTheirOverload) {
  ModelBuilder m;
  m.opset("local", 1);
  for (const char* overload : {"", "neg"})
    m.function({.domain = "local",
                .name = "F",
                .inputs = {"X"},
                .outputs = {"Y"},
                .nodes = {{.type = *overload == 0 ? "Abs" : "Neg", .inputs = {"X"}, .outputs = {"Y"}}},
                .opsets = {{"", 13}},
                .overload = overload});
  const std::string x = m.constant(pair(-1, 2));
  m.node({.type = "F", .inputs = {x}, .outputs = {"a"}, .domain = "local"});
  m.node({.type = "F", .inputs = {x}, .outputs = {"b"}, .domain = "local", .overload = "neg"});
  m.output("a");
  m.output("b");
  const auto g = prepare(m);
  EXPECT_THAT(values(*g, 0), ElementsAre(1, 2));
  EXPECT_THAT(values(*g, 1), ElementsAre(1, -2));
}

TEST_F(OnnxFunctions, HaveTheirOwnOperatorSets) {
  // Version 10 of Slice has inputs where version 1 has attributes.
  ModelBuilder m(13);
  m.opset("local", 1);
  m.function({.domain = "local",
              .name = "First",
              .inputs = {"X"},
              .outputs = {"Y"},
              .nodes = {{.type = "Slice",
                         .inputs = {"X"},
                         .outputs = {"Y"},
                         .attributes = {{"starts", Ints{0}}, {"ends", Ints{1}}}}},
              .opsets = {{"", 9}}});
  call(m, "First", {m.constant(pair(4, 5))}, {"y"});
  m.output("y");
  EXPECT_THAT(computed(m), ElementsAre(4));
}

TEST_F(OnnxFunctions, HaveBodiesAndAreCalledInBodies) {
  GraphBuilder yes, no;
  yes.op("Neg", {"X"});
  yes.output("Neg_0");
  no.node({.type = "Affine",
           .inputs = {"X", "X"},
           .outputs = {"z"},
           .attributes = {OnnxAttribute::reference("factor", "by", attribute_float)},
           .name = "inner",
           .domain = "local"});
  no.output("z");
  yes.proto().mutable_node(0)->set_output(0, "n");
  yes.proto().mutable_output(0)->set_name("n");
  ModelBuilder m;
  m.opset("local", 1);
  m.function(affine());
  m.function({.domain = "local",
              .name = "Choose",
              .inputs = {"C", "X"},
              .outputs = {"Y"},
              .attributes = {"by"},
              .nodes = {{.type = "If",
                         .inputs = {"C"},
                         .outputs = {"Y"},
                         .attributes = {{"then_branch", yes}, {"else_branch", no}},
                         .name = "if"}},
              .opsets = {{"", 13}, {"local", 1}}});
  const std::string x = m.constant(pair(1, 2));
  for (const bool c : {true, false}) {
    const char byte = c ? 1 : 0;
    const std::string condition =
        m.constant(OnnxTensor::raw(OnnxType::boolean, {}, std::as_bytes(std::span(&byte, 1))));
    call(m, "Choose", {condition, x}, {c ? "a" : "b"}, {{"by", 2.0F}});
    m.output(c ? "a" : "b");
  }
  const auto g = prepare(m);
  EXPECT_THAT(values(*g, 0), ElementsAre(-1, -2));
  EXPECT_THAT(values(*g, 1), ElementsAre(3, 6));
}

TEST_F(OnnxFunctions, CallsMayStandBeforeWhatTheyRead) {
  ModelBuilder m;
  m.opset("local", 1);
  m.function(affine());
  call(m, "Affine", {"middle", "b"}, {"y"}, {{"factor", 2.0F}});
  call(m, "Affine", {"r", "b"}, {"middle"}, {{"factor", 2.0F}});
  m.node({.type = "Relu", .inputs = {m.constant(pair(-1, 1))}, .outputs = {"r"}});
  m.initializer("b", pair(1, 1));
  m.output("y");
  EXPECT_THAT(computed(m), ElementsAre(3, 7));
}

TEST_F(OnnxFunctions, WrongCallsAreRefused) {
  const auto refused = [&](const std::function<void(ModelBuilder&)>& change) {
    ModelBuilder m;
    m.opset("local", 1);
    m.input("x", OnnxType::float32, {2});
    m.function(affine());
    change(m);
    m.output("y");
    return failure_of(m, core::Stage::load);
  };
  EXPECT_THAT(refused([](ModelBuilder& m) {
                call(m, "Affine", {"x", "x", "x"}, {"y"});
              }),
              HasSubstr("it has 3 inputs, but function 'Affine' has 2"));
  EXPECT_THAT(refused([](ModelBuilder& m) {
                call(m, "Affine", {"x", "x"}, {"y", "z"});
              }),
              HasSubstr("it has 2 outputs, but function 'Affine' has 1"));
  EXPECT_THAT(refused([](ModelBuilder& m) {
                call(m, "Affine", {"x", "w"}, {"y"});
              }),
              HasSubstr("it reads value 'w', which no node, input or initializer defines"));
  EXPECT_THAT(refused([](ModelBuilder& m) {
                m.function(affine()), call(m, "Affine", {"x", "x"}, {"y"});
              }),
              HasSubstr("function 'Affine' of domain 'local' is there twice"));
  EXPECT_THAT(
      refused([](ModelBuilder& m) {
        m.function({.domain = "local",
                    .name = "Forever",
                    .inputs = {"X"},
                    .outputs = {"Y"},
                    .nodes = {{.type = "Forever", .inputs = {"X"}, .outputs = {"Y"}, .domain = "local"}},
                    .opsets = {{"", 13}}});
        call(m, "Forever", {"x"}, {"y"});
      }),
      HasSubstr("function 'Forever' calls itself"));
  EXPECT_THAT(refused([](ModelBuilder& m) {
                m.function({.domain = "local", .name = "Empty", .inputs = {"X"}, .outputs = {"Y"}});
                call(m, "Empty", {"x"}, {"y"});
              }),
              HasSubstr("output 'Y' of the function is a value that none of its nodes defines"));
}

TEST_F(OnnxFunctions, AFewCallsCannotStandForAnyNumberOfNodes) {
  // Each level doubles what it calls: 2^40 nodes in a small file.
  ModelBuilder m;
  m.opset("local", 1);
  m.input("x", OnnxType::float32, {2});
  const auto level = [](int i) { return "F" + std::to_string(i); };
  for (int i = 0; i < 40; ++i)
    m.function({.domain = "local",
                .name = level(i),
                .inputs = {"X"},
                .outputs = {"Y"},
                .nodes = {{.type = level(i + 1), .inputs = {"X"}, .outputs = {"t"}, .domain = "local"},
                          {.type = level(i + 1), .inputs = {"t"}, .outputs = {"Y"}, .domain = "local"}},
                .opsets = {{"", 13}}});
  m.function({.domain = "local",
              .name = level(40),
              .inputs = {"X"},
              .outputs = {"Y"},
              .nodes = {{.type = "Relu", .inputs = {"X"}, .outputs = {"Y"}}},
              .opsets = {{"", 13}}});
  call(m, "F0", {"x"}, {"y"});
  m.output("y");
  EXPECT_THAT(failure_of(m, core::Stage::load), HasSubstr("the calls of functions stand for too many nodes"));
}

TEST_F(OnnxFunctions, DepthIsBounded) {
  ModelBuilder m;
  m.opset("local", 1);
  m.input("x", OnnxType::float32, {2});
  const auto level = [](int i) { return "F" + std::to_string(i); };
  for (int i = 0; i < 70; ++i)
    m.function({.domain = "local",
                .name = level(i),
                .inputs = {"X"},
                .outputs = {"Y"},
                .nodes = {{.type = level(i + 1), .inputs = {"X"}, .outputs = {"Y"}, .domain = "local"}},
                .opsets = {{"", 13}}});
  call(m, "F0", {"x"}, {"y"});
  m.output("y");
  EXPECT_THAT(failure_of(m, core::Stage::load), HasSubstr("functions are called deeper than 64 levels"));
}

}  // namespace mo::test
