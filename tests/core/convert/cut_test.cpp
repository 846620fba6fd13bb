#include <gtest/gtest.h>

#include "apps/options/input_grammar.hpp"
#include "core/convert/cut.hpp"
#include "failure_of.hpp"

#include "apps/views/text.hpp"
#include "core/infer/infer.hpp"

namespace mo::core {
namespace {

constexpr std::string_view net = R"(
  %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,3]} -> f32[1,3] names("x")
  %z = Parameter@opset1 "z" {element_type=i64, shape=shape[?]} -> i64[?] names("z")
  %w = Const@opset1 "w" -> f32[3] {1,2,3}
  %a = Add "sum" (%x, %w) -> f32[1,3] names("s")
  %b = Split "split" (%a, %z) -> (_ names("s0"), _ names("s1"))
  %c = Mul "mul" (%b, %b:1) -> _ names("m")
  Result "m/result" (%c)
  Result "s1/result" (%b:1)
)";

GraphPtr graph() { return app::parse_text(net, std::make_shared<GraphSpace>()); }

std::string nodes(const Graph& g) {
  std::string out;
  for (NodeId n : g.nodes()) {
    out += text(out.empty() ? "" : "; ", g.name(n), "=", g.op(n), "(");
    for (uint32_t i = 0; i < g.node(n).inputs.size(); ++i) {
      const PortRef s = g.source({n, i});
      out += text(i == 0 ? "" : ",", s ? text(g.name(s.node), s.port == 0 ? "" : text(":", s.port)) : "_");
    }
    out += ")";
  }
  return out;
}

std::string names(const Graph& g, PortRef p) {
  std::string out;
  for (Symbol s : g.out(p).names) out += text(out.empty() ? "" : ",", g.symbols().text(s));
  return out;
}

TEST(CutOutputs, BecomeTheResultsInTheirOrder) {
  struct Row {
    std::vector<std::string> outputs;
    const char *source, *name;
  };
  const Row rows[] = {
      {{"mul"}, "mul:0", "m/result"},
      {{"m"}, "mul:0", "m/result"},
      {{"m/result"}, "mul:0", "m/result"},
      {{"mul:0"}, "mul:0", "m/result"},
      {{"split"}, "split:0", "split/sink_port_0"},
      {{"split:1"}, "split:1", "s1/result"},
      {{"s0"}, "split:0", "split/sink_port_0"},
      {{"1:mul"}, "split:1", "s1/result"},
      {{"x"}, "x:0", "x/sink_port_0"},
  };
  for (const Row& r : rows) {
    const GraphPtr g = graph();
    cut_outputs(*g, r.outputs);
    ASSERT_EQ(g->results().size(), 1U);
    const NodeId result = g->results()[0];
    const PortRef from = g->source({result, 0});
    EXPECT_EQ(text(g->name(from.node), ":", from.port), r.source) << r.outputs[0];
    EXPECT_EQ(g->name(result), r.name) << r.outputs[0];
  }
  const GraphPtr g = graph();
  cut_outputs(*g, {"s0", "sum"});
  EXPECT_EQ(g->name(g->results()[0]), "split/sink_port_0");
  EXPECT_EQ(g->name(g->results()[1]), "sum/sink_port_0");
}

TEST(CutOutputs, NothingAskedForIsNothingDone) {
  const GraphPtr g = graph();
  const std::string before = app::to_text(*g);
  cut_outputs(*g, {});
  EXPECT_TRUE(cut_inputs(*g, {}, false).empty());
  EXPECT_EQ(app::to_text(*g), before);
}

TEST(CutOutputs, MistakesAreExplained) {
  struct Row {
    std::vector<std::string> outputs;
    const char* expected;
  };
  const Row rows[] = {
      {{"mull"},
       "error MO0309: --output: no node or tensor of the model is named 'mull'\n"
       "  hint    did you mean 'mul'?"},
      {{"quite_different"},
       "error MO0309: --output: no node or tensor of the model is named 'quite_different'\n"
       "  hint    the model's outputs are 'm', 's1'; `mo-host dump` shows every name"},
      {{"split:2"},
       "error MO0303: 'split:2': node 'split' (Split) has no output port 2\n"
       "  hint    its output ports are 0 to 1; 'port:name' is an input, 'name:port' an output"},
      {{"2:mul"},
       "error MO0303: '2:mul': node 'mul' (Mul) has no input port 2\n"
       "  hint    its input ports are 0 to 1; 'port:name' is an input, 'name:port' an output"},
      {{"mul", "m"}, "error MO0304: --output names one place twice; the second time as 'm'"},
  };
  for (const Row& r : rows) {
    const GraphPtr g = graph();
    EXPECT_EQ(test::failure_of([&] { cut_outputs(*g, r.outputs); }), r.expected);
  }
}

TEST(CutOutputs, ANameOfNodeAndTensorIsACollision) {
  const GraphPtr g = app::parse_text(R"(
    %x = Parameter@opset1 "x" -> f32[1] names("x")
    %a = Relu "a" (%x) -> _ names("b")
    %b = Relu "b" (%a) -> _ names("c")
    Result "r" (%b)
  )",
                                     std::make_shared<GraphSpace>());
  EXPECT_EQ(test::failure_of([&] { cut_outputs(*g, {"b"}); }),
            "error MO0302: --output: 'b' is the node 'b' (Relu) and also a tensor made by node 'a' (Relu)\n"
            "  hint    write b:0 for the node or a:0 for the tensor");
}

void cut(Graph& g, const char* option) {
  const auto later = cut_inputs(g, app::parse_inputs(option), false);
  ASSERT_TRUE(later.empty());
  remove_unneeded(g);
}

TEST(CutInputs, ParametersGetShapeAndType) {
  const GraphPtr g = graph();
  cut(*g, "x[2 3],z{i32}");
  const NodeId x = g->find("x"), z = g->find("z");
  EXPECT_EQ(text(g->out({x, 0}).tensor.shape), "[2,3]");
  EXPECT_EQ(g->out({x, 0}).tensor.type, ElementType::f32);
  EXPECT_EQ(std::get<ElementType>(*g->attribute(z, "element_type")), ElementType::i32);
  EXPECT_EQ(text(*std::get<std::shared_ptr<const Shape>>(*g->attribute(x, "shape"))), "[2,3]");
}

TEST(CutInputs, TheOnlyParameterNeedsNoName) {
  const GraphPtr g = app::parse_text(R"(
    %x = Parameter@opset1 "x" -> f32[1] names("x")
    Result "r" (%x)
  )",
                                     std::make_shared<GraphSpace>());
  cut_inputs(*g, {{{}, Shape{2, 2}, {}, {}}}, false);
  EXPECT_EQ(text(g->out({g->find("x"), 0}).tensor.shape), "[2,2]");
  const GraphPtr two = graph();
  EXPECT_EQ(test::failure_of([&] {
              cut_inputs(*two, {{{}, Shape{2, 2}, {}, {}}}, false);
            }),
            "error MO0306: --input_shape has one shape but the model has 2 inputs\n"
            "  hint    name the input with --input; the model has 'x', 'z'");
}

TEST(CutInputs, ANodeIsCutBeforeItsInput) {
  const GraphPtr g = graph();
  cut(*g, "sum[4 3]{f16},z");
  EXPECT_EQ(nodes(*g),
            "z=Parameter(); w=Const(); sum=Add(sum/placeholder_port_0,w); split=Split(sum,z); "
            "mul=Mul(split,split:1); "
            "m/result=Result(mul); s1/result=Result(split:1); sum/placeholder_port_0=Parameter()");
  const NodeId p = g->find("sum/placeholder_port_0");
  EXPECT_EQ(text(g->out({p, 0}).tensor.shape, name(g->out({p, 0}).tensor.type)), "[4,3]f16");
  EXPECT_EQ(names(*g, {p, 0}), "x");  // nothing else reads x, so the name moves along
}

TEST(CutInputs, APortOrTensorIsCutThere) {
  const GraphPtr in = graph();
  cut(*in, "1:mul[5],x,z");
  EXPECT_EQ(names(*in, {in->find("mul/placeholder_port_1"), 0}), "mul/placeholder_port_1");

  const GraphPtr out = graph();
  cut(*out, "split:0[5],split:1[5]");
  EXPECT_EQ(nodes(*out),
            "mul=Mul(split/placeholder_out_port_0,split/placeholder_out_port_1); m/result=Result(mul); "
            "s1/result=Result(split/placeholder_out_port_1); split/placeholder_out_port_0=Parameter(); "
            "split/placeholder_out_port_1=Parameter()");
  EXPECT_EQ(names(*out, {out->find("split/placeholder_out_port_1"), 0}), "s1");

  const GraphPtr tensor = graph();
  cut(*tensor, "s[7 3],z");
  EXPECT_EQ(names(*tensor, {tensor->find("sum/placeholder_out_port_0"), 0}), "s");
}

TEST(CutInputs, WithoutAnyShapeTheCutWaits) {
  const GraphPtr g = graph();
  const auto later = cut_inputs(*g, app::parse_inputs("x,z,split:0,s"), false);
  ASSERT_EQ(later.size(), 1U);
  EXPECT_EQ(later[0].name, "split:0");  // what is known of s is enough
  TensorState known;
  known.shape = Shape{8};
  known.type = ElementType::f16;
  g->set_tensor({g->find("split"), 0}, known);
  EXPECT_TRUE(cut_inputs(*g, later, true).empty());
  const NodeId p = g->find("split/placeholder_out_port_0");
  EXPECT_EQ(text(g->out({p, 0}).tensor.shape, name(g->out({p, 0}).tensor.type)), "[8]f16");
}

TEST(CutInputs, FrozenOnesAreConstants) {
  const GraphPtr g = graph();
  cut(*g, "x,z[2]->[4 5]");
  const NodeId z = g->find("z");
  ASSERT_TRUE(g->is_const(z));
  EXPECT_EQ(names(*g, {z, 0}), "z");
  const TensorRef v = g->out({z, 0}).tensor.value;
  EXPECT_EQ(v->type, ElementType::i64);
  EXPECT_EQ(reinterpret_cast<const int64_t*>(v->data())[1], 5);
}

TEST(CutInputs, MistakesAreExplained) {
  struct Row {
    const char *option, *expected;
  };
  const Row rows[] = {
      {"q",
       "error MO0309: --input: no node or tensor of the model is named 'q'\n"
       "  hint    the model's inputs are 'x', 'z'; `mo-host dump` shows every name"},
      {"split[1]",
       "error MO0305: --input: node 'split' (Split) has 2 inputs, so 'split' is ambiguous\n"
       "  hint    name a port: 0:split is its first input, split:0 its first output"},
      {"x,x[1]", "error MO0304: --input names one place twice; the second time as 'x'"},
      {"w[3]",
       "error MO0303: --input: node 'w' (Const) has no inputs to cut at\n"
       "  hint    write w:0 to replace its output"},
      {"m/result", "error MO0303: --input: 'm/result' is an output of the model"},
  };
  for (const Row& r : rows) {
    const GraphPtr g = graph();
    EXPECT_EQ(test::failure_of([&] { cut_inputs(*g, app::parse_inputs(r.option), false); }), r.expected);
  }
}

TEST(CutInputs, MustCoverWhatTheModelReads) {
  const GraphPtr g = graph();
  const auto inputs = app::parse_inputs("sum[4 3]");
  const std::vector<NodeId> parameters(g->parameters().begin(), g->parameters().end());
  cut_inputs(*g, inputs, false);
  remove_unneeded(*g);
  EXPECT_EQ(test::failure_of([&] { check_inputs_suffice(*g, parameters, inputs); }),
            "error MO0307: the inputs named by --input do not suffice: the model also reads 'z'\n"
            "  hint    name these too, or cut after every place that reads them");
}

// Shapes of the Parameters after --input and --freeze_placeholder_with_value.
std::string cut_and_frozen(Graph& g, const char* input, const char* freeze) {
  std::vector<InputSpec> specs = app::parse_inputs(input);
  for (InputSpec& s : app::parse_frozen_inputs(freeze)) specs.push_back(s);
  const std::vector<NodeId> parameters(g.parameters().begin(), g.parameters().end());
  cut_inputs(g, specs, false);
  remove_unneeded(g);
  check_inputs_suffice(g, parameters, specs);
  std::string out;
  for (NodeId n : g.parameters()) out += text(out.empty() ? "" : " ", g.name(n), g.out({n, 0}).tensor.shape);
  return out;
}

TEST(CutInputs, WhatIsFrozenNeedsNoOtherNames) {
  struct Row {
    const char *input, *freeze, *expected;
  };
  const Row rows[] = {
      {"", "z->[1 2]", "x[1,3]"},           {"", "z:0->[1 2]", "x[1,3]"},
      {"x[5 3]", "z->[1 2]", "x[5,3]"},     {"x,z", "z->[1 2]", "x[1,3]"},
      {"x,z[2]", "z->[1 2]", "x[1,3]"},     {"x,z->[1 2]", "z->[1 2]", "x[1,3]"},
      {"", "z->[1 2],sum:0[2]->[3 4]", ""},
  };
  for (const Row& r : rows) EXPECT_EQ(cut_and_frozen(*graph(), r.input, r.freeze), r.expected) << r.freeze;
  EXPECT_EQ(test::failure_of([&] { cut_and_frozen(*graph(), "", "z->[1 2],z:0->[1 3]"); }),
            "error MO0311: 'z:0' is frozen twice, as [1 2] and as [1 3]\n"
            "  hint    --freeze_placeholder_with_value is an older way to write --input 'NAME->VALUE'");
  EXPECT_EQ(test::failure_of([&] { cut_and_frozen(*graph(), "sum[1 3]", "x->[1 2 3]"); }),
            "error MO0307: the inputs named by --input do not suffice: the model also reads 'z'\n"
            "  hint    name these too, or cut after every place that reads them");
}

TEST(CutInputs, AreNotedInTheirOrder) {
  const GraphPtr g = graph();
  cut_inputs(*g, app::parse_inputs("z{i32},split:0,x->[1 2 3]"), false);
  const AttributeMap& noted = g->attributes();
  const auto strings = [&](const char* key) {
    return std::get<std::vector<std::string>>(*noted.find(g->symbols().find(key)));
  };
  // The cut waits for a shape, but its Parameter's name is known.
  EXPECT_EQ(strings("input_order"), (std::vector<std::string>{"z", "split/placeholder_out_port_0"}));
  EXPECT_EQ(strings("typed_inputs"), std::vector<std::string>{"z"});
}

TEST(Batch, IsTheFirstDimensionWhereItMayBe) {
  const auto with_batch = [](const char* shape, int64_t batch) {
    const GraphPtr g =
        app::parse_text(text("%x = Parameter@opset1 \"x\" -> f32", shape, " names(\"x\")\nResult \"r\" (%x)"),
                        std::make_shared<GraphSpace>());
    set_batch(*g, batch);
    return text(g->out({g->find("x"), 0}).tensor.shape);
  };
  EXPECT_EQ(with_batch("[1,3]", 4), "[4,3]");
  EXPECT_EQ(with_batch("[0,?]", 4), "[4,?]");
  EXPECT_EQ(with_batch("[?,3]", 4), "[4,3]");
  EXPECT_EQ(with_batch("[2..8,3]", 4), "[4,3]");
  EXPECT_EQ(with_batch("[4,3]", 4), "[4,3]");
  EXPECT_EQ(test::failure_of([&] { with_batch("[2..3,3]", 4); }),
            "error MO0310: --batch 4: input 'x' (Parameter) has the shape [2..3,3], and its first dimension "
            "is 2..3, "
            "not 0, 1 or unknown\n"
            "  hint    give the inputs their shapes with --input or --input_shape instead");
  EXPECT_EQ(
      test::failure_of([&] { with_batch("[...]", 4); }),
      "error MO0310: --batch 4: input 'x' (Parameter) has the shape [...], which has no first dimension\n"
      "  hint    give the inputs their shapes with --input or --input_shape instead");
}

TEST(Dimensions, AreSetByTheirNamesInAllInputs) {
  const auto with = [](const std::vector<NamedDim>& dimensions) {
    const GraphPtr g = app::parse_text(R"(
      %x = Parameter@opset1 "x" {dim_names=["batch","","length"]} -> f32[?,3,1..8]
      %y = Parameter@opset1 "y" {dim_names=["length","batch"]} -> i64[?,?]
      %z = Parameter@opset1 "z" -> i64[?]
      Result "rx" (%x)
      Result "ry" (%y)
      Result "rz" (%z))",
                                       std::make_shared<GraphSpace>());
    set_dimensions(*g, dimensions);
    std::string out;
    for (const char* name : {"x", "y", "z"}) out += text(g->out({g->find(name), 0}).tensor.shape);
    return out;
  };
  EXPECT_EQ(with({}), "[?,3,1..8][?,?][?]");
  EXPECT_EQ(with({{"batch", 2}, {"length", 5}}), "[2,3,5][5,2][?]");
  EXPECT_EQ(with({{"length", Dim(4, 16)}}), "[?,3,4..8][4..16,?][?]");
  EXPECT_EQ(
      test::failure_of([&] {
        with({{"length", 9}});
      }),
      "error MO0312: --input_shape: dimension 'length' cannot be 9: it is 1..8 in input 'x' (Parameter) "
      "with the shape [?,3,1..8]");
  EXPECT_EQ(test::failure_of([&] {
              with({{"depth", 9}});
            }),
            "error MO0312: --input_shape: no input has a dimension of the name 'depth'\n"
            "  hint    names: batch, length");
}

std::string frozen(const std::string& value, ElementType type, const Shape& shape) {
  const TensorRef t = app::frozen_value(value).tensor(type, shape, "in");
  std::string out = text(t->dims);
  for (uint64_t i = 0; i < t->bytes; ++i) {
    const auto byte = static_cast<unsigned>(t->data()[i]);
    out += text(i == 0 ? " " : "", "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]);
  }
  return out;
}

TEST(FrozenValues, BecomeElements) {
  EXPECT_EQ(frozen("True", ElementType::boolean, {}), "[] 01");
  EXPECT_EQ(frozen("-2", ElementType::i16, {}), "[] feff");
  EXPECT_EQ(frozen("1.5", ElementType::f32, Shape{1, 1}), "[1,1] 0000c03f");
  EXPECT_EQ(frozen("[1 2, 3]", ElementType::u8, Shape{3}), "[3] 010203");
  EXPECT_EQ(frozen("[1 2]", ElementType::u8, Shape{any_dim}), "[2] 0102");
  EXPECT_EQ(frozen("[1 2]", ElementType::u8, Shape::unknown()), "[2] 0102");
  EXPECT_EQ(frozen("[1 2 3 4]", ElementType::u8, Shape{2, 2}), "[2,2] 01020304");
  EXPECT_EQ(frozen("1", ElementType::f16, {}), "[] 003c");
  EXPECT_EQ(frozen("1", ElementType::bf16, {}), "[] 803f");
  EXPECT_EQ(frozen("[]", ElementType::i32, Shape{0}), "[0]");
  EXPECT_EQ(frozen("True", ElementType::f32, {}), "[] 0000803f");
  EXPECT_EQ(frozen("[True False True]", ElementType::boolean, Shape{3}), "[3] 010001");
  EXPECT_EQ(frozen("+7", ElementType::i8, {}), "[] 07");
  EXPECT_EQ(frozen("'5'", ElementType::u16, {}), "[] 0500");
  EXPECT_EQ(frozen("[1 -8 7]", ElementType::i4, Shape{3}), "[3] 8107");
  EXPECT_EQ(frozen("[1 15 2]", ElementType::u4, Shape{3}), "[3] f102");
  EXPECT_EQ(frozen("[1 0 0 1 0 0 0 0 1]", ElementType::u1, Shape{9}), "[9] 9080");
  EXPECT_EQ(frozen("inf", ElementType::f16, {}), "[] 007c");
  EXPECT_EQ(frozen("ab", ElementType::string, {}), "[] 0100000000000000020000006162");
  EXPECT_EQ(frozen("['a b' \"c\"]", ElementType::string, Shape{2}),
            "[2] 0200000000000000030000000400000061206263");
}

TEST(FrozenValues, MistakesAreExplained) {
  const auto said = [](const std::string& value, ElementType type, const Shape& shape) {
    return test::failure_of([&] { app::frozen_value(value).tensor(type, shape, "in"); });
  };
  EXPECT_EQ(said("[1 2]", ElementType::f32, Shape{3}),
            "error MO0308: the value of input 'in' has 2 elements but the shape is [3]");
  EXPECT_EQ(said("300", ElementType::u8, {}),
            "error MO0308: the value of input 'in' has '300', which is not a value of type u8");
  EXPECT_EQ(said("1.5", ElementType::i32, {}),
            "error MO0308: the value of input 'in' has '1.5', which is not a value of type i32");
  EXPECT_EQ(said("[1", ElementType::i32, {}),
            "error MO0308: the value of input 'in' has only one bracket: [1");
  EXPECT_EQ(said("1", ElementType::f8e4m3, {}),
            "error MO0308: the value of input 'in' cannot be given as text: the type is f8e4m3");
  EXPECT_EQ(said("[8 0]", ElementType::i4, Shape{2}),
            "error MO0308: the value of input 'in' has '8', which is not a value of type i4");
  EXPECT_EQ(said("70000", ElementType::f16, {}),
            "error MO0308: the value of input 'in' has '70000', which is not a value of type f16");
  EXPECT_EQ(said("['a b]", ElementType::string, Shape{1}),
            "error MO0308: the value of input 'in' has a quote that is not closed: ['a b]");
  EXPECT_EQ(said("+-1", ElementType::i32, {}),
            "error MO0308: the value of input 'in' has '+-1', which is not a value of type i32");
  EXPECT_EQ(said("1", ElementType::unknown, {}),
            "error MO0308: the value of input 'in' needs an element type\n"
            "  hint    in{f32}->1");
  EXPECT_EQ(said("[1 2]", ElementType::f32, Shape{1, any_dim}),
            "error MO0308: the value of input 'in' does not fit the shape [1,?]\n"
            "  hint    give the shape, too: name[1 3]->[1 2 3]");
}

}  // namespace
}  // namespace mo::core
