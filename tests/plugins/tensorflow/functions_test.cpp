// Functions: those that are called stand where they are called, those of loops and branches become bodies.
#include "tensorflow_fixture.hpp"

namespace mo::test {

namespace {

TfFunction twice() {
  TfFunction f{"twice", {{"a", TfType::f32}}, {{"out", TfType::f32}}, {"sum:z:0"}, {}};
  f.node("Add", "sum", {"a", "a"}, {t_float});
  return f;
}

std::vector<TfAttribute> call_of(std::string_view function, size_t in = 1, size_t out = 1) {
  return {tf_function("f", function), tf_types("Tin", std::vector<TfType>(in, TfType::f32)),
          tf_types("Tout", std::vector<TfType>(out, TfType::f32))};
}

}  // namespace

class TensorflowFunctions : public Tensorflow {
 protected:
  static const core::Graph* body(const core::Graph& g, std::string_view name, std::string_view attribute) {
    const core::Attribute* a = g.attribute(node(g, name), attribute);
    if (a == nullptr || !std::holds_alternative<core::GraphPtr>(*a)) {
      ADD_FAILURE() << "no body " << attribute << "\n" << app::to_text(g);
      return nullptr;
    }
    return std::get<core::GraphPtr>(*a).get();
  }
};

TEST_F(TensorflowFunctions, CallsStandForWhatTheyCall) {
  for (const char* op : {"PartitionedCall", "StatefulPartitionedCall"}) {
    const auto g = load(GraphDef()
                            .placeholder("x", TfType::f32, {2})
                            .node(op, "call", {"x"}, call_of("twice"))
                            .node("Relu", "y", {"call"}, {t_float})
                            .function(twice()));
    EXPECT_EQ(g->find("call"), core::no_node);
    EXPECT_EQ(source(*g, "y"), "call/sum");
    EXPECT_EQ(source(*g, "call/sum", 0), "x");
    EXPECT_EQ(source(*g, "call/sum", 1), "x");
  }
}

TEST_F(TensorflowFunctions, CallsByName) {
  const auto g =
      load(GraphDef().placeholder("x", TfType::f32, {2}).node("twice", "call", {"x"}).function(twice()));
  ASSERT_EQ(g->results().size(), 1U);
  EXPECT_EQ(g->name(output(*g).node), "call/sum");
}

TEST_F(TensorflowFunctions, CallsInCallsAndArgumentsThatPass) {
  TfFunction outer{"outer",
                   {{"a", TfType::f32}, {"b", TfType::f32}},
                   {{"p", TfType::f32}, {"q", TfType::f32}},
                   {"inner:output:0", "b"},
                   {}};
  outer.node("PartitionedCall", "inner", {"a"}, call_of("twice"));
  outer.node("Relu", "not_needed", {"b"}, {t_float});
  const auto g = load(GraphDef()
                          .placeholder("x", TfType::f32, {2})
                          .node("PartitionedCall", "first", {"x", "x"}, call_of("outer", 2, 2))
                          .node("PartitionedCall", "second", {"first:1", "first:0"}, call_of("outer", 2, 2))
                          .node("Sub", "y", {"second", "second:1"}, {t_float})
                          .function(outer)
                          .function(twice()));
  EXPECT_EQ(source(*g, "y", 0), "second/inner/sum");
  EXPECT_EQ(source(*g, "second/inner/sum"), "x");
  EXPECT_EQ(source(*g, "y", 1), "first/inner/sum");
  EXPECT_EQ(g->find("first/not_needed"), core::no_node);
}

// A function may leave types to its calls.
TEST_F(TensorflowFunctions, AttributesOfTheCallReachTheBody) {
  TfFunction f{"cast", {{"a", TfType::f32}}, {{"out", TfType::i32}}, {"c:y:0"}, {}};
  f.node("Cast", "c", {"a"}, {tf_placeholder("DstT", "To")});
  const auto g = load(
      GraphDef()
          .placeholder("x", TfType::f32, {2})
          .node("PartitionedCall", "call", {"x"}, {tf_function("f", "cast", {tf_type("To", TfType::i64)})})
          .function(f));
  EXPECT_EQ(g->out({node(*g, "call/c"), 0}).tensor.type, ElementType::i64);
}

TEST_F(TensorflowFunctions, OutputsByTheNamesOfOperators) {
  TfFunction f{"top", {{"a", TfType::f32}}, {{"out", TfType::i32}}, {"t:indices:0"}, {}};
  f.node("Const", "k", {}, {tf_type("dtype", TfType::i32), tf_tensor_value("value", tf_i32({}, {1}))});
  f.node("TopKV2", "t", {"a", "k:output:0"}, {t_float});
  const auto g = load(GraphDef()
                          .placeholder("x", TfType::f32, {2})
                          .node("PartitionedCall", "call", {"x"}, call_of("top"))
                          .function(f));
  EXPECT_EQ(output(*g).port, 1U);
}

// An operator that nobody knows is told as one that is missing, not as one whose outputs cannot be counted.
TEST_F(TensorflowFunctions, OutputsOfUnknownOperators) {
  TfFunction f{"odd",
               {{"a", TfType::f32}},
               {{"p", TfType::f32}, {"q", TfType::f32}, {"r", TfType::f32}},
               {"u:first:0", "u:second:0", "u:first:0"},
               {}};
  f.node("Unheard", "u", {"a"}, {});
  const auto g = load(GraphDef()
                          .placeholder("x", TfType::f32, {2})
                          .node("PartitionedCall", "call", {"x"}, call_of("odd", 1, 3))
                          .node("Relu", "y", {"call:1"}, {t_float})
                          .function(f));
  EXPECT_EQ(g->source({node(*g, "y"), 0}).port, 1U);
}

TEST_F(TensorflowFunctions, LoopsAndBranchesKeepTheirFunctions) {
  TfFunction cond{"cond",
                  {{"i", TfType::i32}, {"v", TfType::f32}, {"n", TfType::i32}},
                  {{"go", TfType::boolean}},
                  {"less:z:0"},
                  {}};
  cond.node("Less", "less", {"i", "n"}, {tf_type("T", TfType::i32)});
  TfFunction step{"step",
                  {{"i", TfType::i32}, {"v", TfType::f32}, {"n", TfType::i32}},
                  {{"i1", TfType::i32}, {"v1", TfType::f32}, {"n1", TfType::i32}},
                  {"inc:z:0", "call:output:0", "n"},
                  {}};
  step.node("AddV2", "inc", {"i", "i"}, {tf_type("T", TfType::i32)});
  step.node("PartitionedCall", "call", {"v"}, call_of("twice"));
  GraphDef m;
  m.placeholder("x", TfType::f32, {2}).placeholder("n", TfType::i32, {}).constant("zero", tf_i32({}, {0}));
  m.node("StatelessWhile", "loop", {"zero", "x", "n"},
         {tf_function("cond", "cond"), tf_function("body", "step"),
          tf_types("T", {TfType::i32, TfType::f32, TfType::i32})});
  const auto g = load(m.function(cond).function(step).function(twice()));
  const core::NodeId loop = node(*g, "loop");
  EXPECT_EQ(g->out({loop, 1}).tensor.type, ElementType::f32);
  const core::Graph* c = body(*g, "loop", "cond");
  const core::Graph* b = body(*g, "loop", "body");
  ASSERT_TRUE(c != nullptr && b != nullptr);
  ASSERT_EQ(c->parameters().size(), 3U);
  ASSERT_EQ(c->results().size(), 1U);
  ASSERT_EQ(b->parameters().size(), 3U);
  ASSERT_EQ(b->results().size(), 3U);
  EXPECT_EQ(b->out({b->parameters()[1], 0}).tensor.type, ElementType::f32);
  EXPECT_EQ(b->source({b->results()[2], 0}).node, b->parameters()[2]);
  EXPECT_EQ(b->op(b->source({b->results()[1], 0}).node), "Add");
}

TEST_F(TensorflowFunctions, BranchesOfIfAndCase) {
  TfFunction other{"other", {{"a", TfType::f32}}, {{"out", TfType::f32}}, {"a"}, {}};
  GraphDef m;
  m.placeholder("p", TfType::boolean, {}).placeholder("x", TfType::f32, {2});
  m.node("If", "if", {"p", "x"},
         {tf_function("then_branch", "twice"), tf_function("else_branch", "other"),
          tf_types("Tin", {TfType::f32}), tf_types("Tout", {TfType::f32})});
  const auto g = load(m.function(twice()).function(other));
  EXPECT_EQ(body(*g, "if", "then_branch")->results().size(), 1U);
  const core::Graph* e = body(*g, "if", "else_branch");
  EXPECT_EQ(e->source({e->results()[0], 0}).node, e->parameters()[0]);
}

TEST_F(TensorflowFunctions, WhatIsWrongIsNamed) {
  const auto x = [] { return GraphDef().placeholder("x", TfType::f32, {2}); };
  EXPECT_THAT(
      load_failure(x().node("PartitionedCall", "call", {"x"}, call_of("none"))),
      HasSubstr("node 'call' (PartitionedCall): it calls function 'none', which the model does not have"));
  EXPECT_THAT(load_failure(x().node("PartitionedCall", "call", {}, call_of("twice", 0)).function(twice())),
              HasSubstr("it gives 0 inputs to function 'twice', which takes 1"));
  EXPECT_THAT(load_failure(x().node("PartitionedCall", "call", {"x"}, call_of("twice"))
                               .node("Relu", "y", {"call:1"}, {t_float})
                               .function(twice())),
              HasSubstr("output 1 of node 'call' (PartitionedCall) is read, which has 1"));
  TfFunction again{"again", {{"a", TfType::f32}}, {{"out", TfType::f32}}, {"c:output:0"}, {}};
  again.node("PartitionedCall", "c", {"a"}, call_of("again"));
  EXPECT_THAT(load_failure(x().node("PartitionedCall", "call", {"x"}, call_of("again")).function(again)),
              HasSubstr("function 'again' calls itself"));
  TfFunction silent{"silent", {{"a", TfType::f32}}, {{"out", TfType::f32}}, {}, {}};
  EXPECT_THAT(load_failure(x().node("PartitionedCall", "call", {"x"}, call_of("silent")).function(silent)),
              HasSubstr("function 'silent' does not say what its output 'out' is"));
  TfFunction wrong{"wrong", {{"a", TfType::f32}}, {{"out", TfType::f32}}, {"r:there:0"}, {}};
  wrong.node("TopKV2", "r", {"a", "a"}, {t_float});
  EXPECT_THAT(load_failure(x().node("PartitionedCall", "call", {"x"}, call_of("wrong")).function(wrong)),
              HasSubstr("it reads output 'there' of node 'r' (TopKV2), which has none of this name"));
}

TEST_F(TensorflowFunctions, ValuesThatPassInACircle) {
  TfFunction pass{"pass", {{"a", TfType::f32}}, {{"out", TfType::f32}}, {"a"}, {}};
  EXPECT_THAT(load_failure(GraphDef()
                               .node("PartitionedCall", "p", {"q"}, call_of("pass"))
                               .node("PartitionedCall", "q", {"p"}, call_of("pass"))
                               .node("Relu", "y", {"p"}, {t_float})
                               .function(pass)),
              HasSubstr("a value passes through calls of functions in a circle"));
}

// Each function calls the one before it twice: 2^40 nodes in a few hundred bytes.
TEST_F(TensorflowFunctions, CallsThatMultiply) {
  GraphDef m;
  m.function(twice());
  std::string before = "twice";
  for (int i = 0; i < 40; ++i) {
    TfFunction f{"f" + std::to_string(i), {{"a", TfType::f32}}, {{"out", TfType::f32}}, {"q:output:0"}, {}};
    f.node("PartitionedCall", "p", {"a"}, call_of(before))
        .node("PartitionedCall", "q", {"p:output:0"}, call_of(before));
    m.function(f);
    before = f.name;
  }
  m.placeholder("x", TfType::f32, {2}).node("PartitionedCall", "call", {"x"}, call_of(before));
  EXPECT_THAT(load_failure(m), HasSubstr("stand for too much"));
}

}  // namespace mo::test
