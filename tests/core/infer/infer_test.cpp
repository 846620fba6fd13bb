#include "core/infer/infer.hpp"
#include "core/host/host_tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/test_plugin.hpp"

namespace mo::core {
namespace {

using ::testing::HasSubstr;

int copies_inferred = 0;  // of Copy::infer

struct Copy {
  static constexpr std::string_view type = "Copy", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1).attr("scale", 2.0).attr("mode", "a").one_of({"a", "b"}); }
  static void infer(InferContext& c) {
    ++copies_inferred;
    c.output(0, c.type(0), c.shape(0));
  }
};
struct Named {
  static constexpr std::string_view type = "Named", opset = "test";
  static void schema(OpSchema& s) { s.input("data", Role::none, integer_types).output("result"); }
};
struct Listed {
  static constexpr std::string_view type = "Listed", opset = "test";
  static void schema(OpSchema& s) {
    s.input("first").input_list("part", 0, Role::none, one_of_types({ElementType::f16, ElementType::i4}));
  }
};
struct Needs {
  static constexpr std::string_view type = "Needs", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1, 2).attr<int64_t>("axis"); }
  static void infer(InferContext& c) {
    const Shape s = c.shape(0);
    c.output(0, c.type(0),
             s.has_rank() ? Shape{s[normalize_axis(c.attr<int64_t>("axis"), s.size())]} : Shape::of_rank(1));
  }
};
struct Sum {
  static constexpr std::string_view type = "Sum", opset = "test";
  static void schema(OpSchema& s) { s.inputs(2); }
  static void infer(InferContext& c) {
    const auto shape = broadcast(c.shape(0), c.shape(1));
    c.require(shape.has_value(), "shapes ", c.shape(0), " and ", c.shape(1), " do not fit");
    c.output(0, c.type(0), *shape);
  }
  static void evaluate(EvalContext& c) {
    const auto a = c.input(0).to_ints(), b = c.input(1).to_ints();
    auto [t, out] = c.create<int64_t>(c.input(0).dims());
    for (size_t i = 0; i < a.size(); ++i) out[i] = a[i] + b[i];
    c.output(0, t);
  }
};
struct Size {  // the dimensions of its input
  static constexpr std::string_view type = "Size", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1).flags(MO_OP_SHAPE_SOURCE); }
  static void infer(InferContext& c) {
    const Shape s = c.shape(0);
    c.output(0, ElementType::i64, Shape{s.has_rank() ? Dim(s.rank()) : Dim()});
    if (s.has_rank()) c.output_bounds(0, std::vector<Dim>(s.begin(), s.end()));
  }
};
struct Twice {  // its input, twice
  static constexpr std::string_view type = "Twice", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1); }
  static void infer(InferContext& c) { c.output(0, c.type(0), Shape{c.shape(0)[0] * 2}); }
  static void evaluate(EvalContext& c) {
    auto list = c.input(0).to_ints();
    const auto again = list;
    list.insert(list.end(), again.begin(), again.end());
    c.output(0, Tensor::vector<int64_t>(c.context(), list));
  }
};
struct Pair {  // its inputs, one behind the other
  static constexpr std::string_view type = "Pair", opset = "test";
  static void schema(OpSchema& s) { s.inputs(2); }
  static void infer(InferContext& c) { c.output(0, c.type(0), Shape{c.shape(0)[0] + c.shape(1)[0]}); }
  static void evaluate(EvalContext& c) {
    auto list = c.input(0).to_ints();
    const auto more = c.input(1).to_ints();
    list.insert(list.end(), more.begin(), more.end());
    c.output(0, Tensor::vector<int64_t>(c.context(), list));
  }
};
struct Liar {  // its value contradicts its shape
  static constexpr std::string_view type = "Liar", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1); }
  static void infer(InferContext& c) { c.output(0, ElementType::i64, Shape{7}); }
  static void evaluate(EvalContext& c) { c.output(0, Tensor::vector<int64_t>(c.context(), {1, 2})); }
};

struct Silent {
  static constexpr std::string_view type = "Silent", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1); }
  static void infer(InferContext&) {}
};
struct Unsure {
  static constexpr std::string_view type = "Unsure", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1); }
  static void infer(InferContext& c) { c.output(0, ElementType::unknown, Shape::unknown()); }
};

// In C, an operation may have no infer.
void register_shapeless(const mo::Registry& r) {
  mo_operation_def d{};
  d.size = sizeof d;
  d.op = mo::str("Shapeless");
  d.opset = mo::str("test");
  d.min_inputs = d.max_inputs = 1;
  d.min_outputs = d.max_outputs = 1;
  const mo::Context c = r.context();
  c.check(c.host()->registry->operation(c.get(), &d));
}

void register_infer_operations(mo::Registry& r) {
  r.operation<Silent>();
  r.operation<Unsure>();
  register_shapeless(r);
  r.operation<Copy>();
  r.operation<Needs>();
  r.operation<Named>();
  r.operation<Listed>();
  r.operation<Sum>();
  r.operation<Size>();
  r.operation<Twice>();
  r.operation<Pair>();
  r.operation<Liar>();
}

class InferTest : public ::testing::Test {
 protected:
  void SetUp() override { mo::test::load_test_plugin<register_infer_operations>(session); }
  NodeId parameter(const Shape& shape, ElementType type = ElementType::f32) {
    const NodeId n = g->add_node("Parameter", "opset1", "x", 0, 1);
    g->set_attribute(n, "shape", shape_attribute(shape));
    g->set_attribute(n, "element_type", type);
    return n;
  }
  NodeId op(std::string_view type, std::initializer_list<NodeId> inputs) {
    const NodeId n = g->add_node(type, "test", "n", static_cast<uint32_t>(inputs.size()), 1);
    uint32_t i = 0;
    for (NodeId source : inputs) g->connect({source, 0}, {n, i++});
    return n;
  }
  NodeId ints(std::vector<int64_t> values) {
    TensorRef t = make_tensor(ElementType::i64, {static_cast<int64_t>(values.size())});
    std::memcpy(t->buffer.get(), values.data(), t->bytes);
    return g->add_const("c", std::move(t));
  }
  NodeId result(NodeId source) {
    const NodeId n = g->add_node("Result", "opset1", "out", 1, 0);
    g->connect({source, 0}, {n, 0});
    return n;
  }
  const TensorState& tensor(NodeId n) { return g->out({n, 0}).tensor; }
  Failure failure() {
    try {
      infer_all(session, *g);
    } catch (const Failure& f) {
      return f;
    }
    ADD_FAILURE() << "no failure";
    return {Exit::ok, "", ""};
  }
  Session session{host_table()};
  GraphPtr g = session.create_graph("g");
};

TEST_F(InferTest, ShapesFlowFromParameters) {
  const NodeId c = op("Copy", {parameter({1, Dim(), Dim(2, 8)})});
  infer_all(session, *g);
  EXPECT_EQ(tensor(c).shape, (Shape{1, Dim(), Dim(2, 8)}));
  EXPECT_EQ(tensor(c).type, ElementType::f32);
}

TEST_F(InferTest, WhoSaysNothingHasTheTypeOfTheFirstInput) {
  for (const char* op_type : {"Silent", "Shapeless"}) {
    const NodeId n = op(op_type, {parameter({1, 3}, ElementType::f16)});
    const NodeId m = op(op_type, {n});
    infer_all(session, *g);
    EXPECT_EQ(tensor(n).type, ElementType::f16);
    EXPECT_EQ(tensor(m).type, ElementType::f16);
    EXPECT_FALSE(tensor(n).shape.has_rank());
  }
}

// It said that it does not know.
TEST_F(InferTest, AnUnknownTypeIsNoneOfTheFirstInput) {
  const NodeId n = op("Unsure", {parameter({1, 3}, ElementType::f16)});
  infer_all(session, *g);
  EXPECT_EQ(tensor(n).type, ElementType::unknown);
}

TEST_F(InferTest, OnlyWhatChangedIsInferredAgain) {
  const NodeId x = parameter({1, 3});
  NodeId last = x;
  for (int i = 0; i < 20; ++i) last = op("Copy", {last});
  const NodeId side = op("Copy", {x});
  infer_all(session, *g);
  copies_inferred = 0;
  g->mark(side);
  infer_marked(session, *g);
  EXPECT_EQ(copies_inferred, 1);  // nothing changed: nothing follows
  g->set_attribute(x, "shape", shape_attribute({2, 3}));
  copies_inferred = 0;
  infer_marked(session, *g);
  EXPECT_EQ(copies_inferred, 21);
  EXPECT_EQ(tensor(last).shape, (Shape{2, 3}));
}

TEST_F(InferTest, ALadderOfDiamondsIsInferredOnce) {
  const NodeId x = parameter({4}, ElementType::i64);
  NodeId top = op("Copy", {x});
  for (int i = 0; i < 25; ++i) top = op("Sum", {op("Copy", {op("Copy", {top})}), top});
  infer_all(session, *g);
  g->set_attribute(x, "shape", shape_attribute({5}));
  copies_inferred = 0;
  infer_marked(session, *g);
  EXPECT_EQ(copies_inferred, 51);
  EXPECT_EQ(tensor(top).shape, Shape{5});
}

TEST_F(InferTest, ConstantsAreEvaluatedAndFolded) {
  const NodeId s = op("Sum", {ints({1, 2}), ints({10, 20})});
  const NodeId r = result(s);
  infer_all(session, *g);
  ASSERT_TRUE(tensor(s).value);
  EXPECT_EQ(clean_up(session, *g), 3U);  // the sum and both of its inputs
  EXPECT_TRUE(g->is_const(g->source({r, 0}).node));
  EXPECT_EQ(g->name(g->source({r, 0}).node), "n");
  EXPECT_EQ(g->size(), 2U);
}

TEST_F(InferTest, WhatComesFromShapesIsKnownButStays) {
  const NodeId size = op("Size", {parameter({2, 3})});
  const NodeId s = op("Sum", {size, ints({1, 1})});
  result(s);
  infer_all(session, *g);
  ASSERT_TRUE(tensor(s).value);
  int64_t values[2];
  std::memcpy(values, tensor(s).value->data(), sizeof values);
  EXPECT_EQ(values[0], 3);
  EXPECT_EQ(values[1], 4);
  clean_up(session, *g);
  EXPECT_TRUE(g->alive(s));
  session.set_option(infer_options::static_shape, true);
  infer_all(session, *g);
  clean_up(session, *g);
  EXPECT_FALSE(g->alive(s));
}

TEST_F(InferTest, PartlyKnownSizesAreBounds) {
  const NodeId size = op("Size", {parameter({2, Dim(1, 8)})});
  infer_all(session, *g);
  EXPECT_FALSE(tensor(size).value);
  EXPECT_EQ(tensor(size).bounds, (std::vector<Bound>{Bound(2), Bound(1, 8)}));
}

TEST_F(InferTest, BigResultsAreFoldedOnlyWhenTheyShrink) {
  session.set_option(infer_options::fold_limit, int64_t{16});
  const NodeId fits = op("Twice", {ints({1})}), big = op("Twice", {ints({1, 2, 3})});
  const NodeId shrinks = op("Sum", {ints({1, 2, 3, 4}), ints({1, 2, 3, 4})});
  infer_all(session, *g);
  EXPECT_TRUE(tensor(fits).value);
  EXPECT_FALSE(tensor(big).value);
  EXPECT_EQ(tensor(big).shape, Shape{6});
  EXPECT_TRUE(tensor(shrinks).value);
}

// Else a chain of such nodes would double its constants for ever.
TEST_F(InferTest, AnInputThatIsReadTwiceCountsOnce) {
  session.set_option(infer_options::fold_limit, int64_t{16});
  const NodeId x = ints({1, 2, 3});
  const NodeId pair = op("Pair", {x, x}), other = op("Pair", {x, ints({4, 5, 6})});
  infer_all(session, *g);
  EXPECT_FALSE(tensor(pair).value);
  EXPECT_EQ(tensor(pair).shape, Shape{6});
  EXPECT_TRUE(tensor(other).value);
}

TEST_F(InferTest, ValuesTakeNoMoreMemoryThanTheyMay) {
  session.memory()->set_limit(90);
  const NodeId first = op("Twice", {ints({1, 2})});
  infer_all(session, *g);
  EXPECT_TRUE(tensor(first).value);  // 32 bytes
  const NodeId second = op("Twice", {first});
  const Failure f = failure();
  EXPECT_EQ(f.code(), "MO0510");
  EXPECT_EQ(f.exit(), Exit::model);
  EXPECT_THAT(f.message(), HasSubstr("a value of 64 bytes does not fit"));
  EXPECT_THAT(f.context_of("node"), HasSubstr(text("'", g->name(second), "'")));
  EXPECT_THAT(f.context_of("hint"), HasSubstr("--memory_limit"));
  g->remove_node(second);
  g->remove_node(first);
  const NodeId third = op("Twice", {ints({3, 4, 5, 6, 7})});  // 80 bytes
  infer_all(session, *g);
  EXPECT_TRUE(tensor(third).value) << "what is gone is not given back";
}

TEST_F(InferTest, ANodeMayStopValues) {
  const NodeId weights = op("Twice", {ints({1, 2})});
  g->set_attribute(weights, infer_attributes::stop_value_propagation, true);
  const NodeId behind = op("Twice", {weights});
  result(behind);
  infer_all(session, *g);
  EXPECT_FALSE(tensor(weights).value);
  EXPECT_FALSE(tensor(behind).value);
  EXPECT_EQ(tensor(behind).shape, Shape{8});
  clean_up(session, *g);
  EXPECT_TRUE(g->alive(weights));
  EXPECT_TRUE(g->alive(behind));
}

TEST_F(InferTest, UnneededNodesAreRemovedAndParametersStay) {
  const NodeId x = parameter({1});
  op("Copy", {x});
  const NodeId kept = op("Copy", {x});
  result(kept);
  const NodeId unused = parameter({2});
  EXPECT_EQ(clean_up(session, *g), 1U);
  EXPECT_TRUE(g->alive(unused));
  EXPECT_TRUE(g->alive(kept));
}

TEST_F(InferTest, ErrorsNameNodeInputsAndPlugin) {
  op("Sum", {parameter({2, 3}), parameter({4})});
  const Failure f = failure();
  EXPECT_THAT(f.message(), HasSubstr("shapes [2,3] and [4] do not fit"));
  EXPECT_THAT(f.render(), HasSubstr("node    'n' (test::Sum)"));
  EXPECT_THAT(f.render(), HasSubstr("inputs  f32 [2,3], f32 [4]"));
  EXPECT_THAT(f.render(), HasSubstr("plugin  org.mo-host.test 1.0.0"));
  EXPECT_EQ(f.exit(), Exit::model);
}

struct SchemaCase {
  std::string_view op;
  size_t inputs;
  std::vector<std::pair<std::string, Attribute>> attributes;
  std::string_view expected;
};

TEST_F(InferTest, SchemaProblems) {
  const std::vector<SchemaCase> cases = {
      {"Copy", 0, {}, "it has 0 inputs, expected 1"},
      {"Copy", 2, {}, "it has 2 inputs, expected 1"},
      {"Copy", 1, {{"mode", std::string("c")}}, "attribute 'mode' is 'c', expected one of [a,b]"},
      {"Copy", 1, {{"scale", std::string("x")}}, "attribute 'scale' is string, expected float"},
      {"Copy", 1, {{"scale", int64_t{3}}}, ""},
      {"Needs", 1, {}, "required attribute 'axis' (int) is missing"},
      {"Needs", 3, {{"axis", int64_t{0}}}, "it has 3 inputs, expected 1 to 2"},
      {"Needs", 1, {{"axis", int64_t{0}}}, ""},
      {"Named", 1, {}, "input 0 ('data') has element type f32; expected an integer type"},
      {"Listed", 2, {}, "input 1 ('part') has element type f32; expected f16, i4"},
  };
  const NodeId x = parameter({1});
  infer_all(session, *g);  // its type is known
  for (const auto& t : cases) {
    const NodeId n = g->add_node(t.op, "test", "case", static_cast<uint32_t>(t.inputs), 1);
    for (uint32_t i = 0; i < t.inputs; ++i) g->connect({x, 0}, {n, i});
    for (const auto& [key, value] : t.attributes) g->set_attribute(n, key, value);
    const auto problems = schema_problems(session, *g, n);
    if (t.expected.empty())
      EXPECT_TRUE(problems.empty()) << t.op << ": " << problems.front();
    else
      EXPECT_THAT(problems, ::testing::ElementsAre(std::string(t.expected))) << t.op;
  }
}

TEST_F(InferTest, AnAxisOutOfRangeIsAnError) {
  const NodeId n = op("Needs", {parameter({1, 2, 3})});
  g->set_attribute(n, "axis", int64_t{4});
  EXPECT_THAT(failure().message(), HasSubstr("axis is 4 but the rank is 3; expected -3 to 2"));
}

TEST_F(InferTest, AValueThatContradictsTheShapeIsThePluginsFault) {
  op("Liar", {ints({1})});
  const Failure f = failure();
  EXPECT_EQ(f.exit(), Exit::plugin);
  EXPECT_THAT(f.message(), HasSubstr("evaluate gives output 0 as i64 [2] but infer said i64 [7]"));
}

TEST_F(InferTest, ACycleIsNamed) {
  const NodeId a = g->add_node("Copy", "test", "first", 1, 1),
               b = g->add_node("Copy", "test", "second", 1, 1);
  g->connect({a, 0}, {b, 0});
  g->connect({b, 0}, {a, 0});
  EXPECT_THAT(failure().render(), ::testing::AllOf(HasSubstr("first"), HasSubstr("second")));
}

}  // namespace
}  // namespace mo::core
