// Loops and branches of TensorFlow 1 and 2. Expected numbers are counted by hand.
#include "tensorflow_fixture.hpp"

namespace mo::test {

using testing::ElementsAre;

class TfControlFlow : public Tensorflow {
 protected:
  // Makes a loop of TensorFlow 1 in a frame, as tf.while_loop writes it.
  class Frame {
   public:
    Frame(GraphDef& g, std::string name) : g_(g), name_(std::move(name)) {}
    // Returns the variable as the condition reads it; the body reads inside(variable).
    std::string variable(const std::string& v, const std::string& first, TfType type = TfType::i32) {
      enter(at(v, "Enter"), first, false, type);
      g_.node("Merge", at(v, "Merge"), {at(v, "Enter"), at(v, "NextIteration")},
              {tf_type("T", type), tf_int("N", 2)});
      g_.node("Switch", at(v, "Switch"), {at(v, "Merge"), name_ + "/LoopCond"}, {tf_type("T", type)});
      g_.node("Identity", at(v, "Identity"), {at(v, "Switch") + ":1"}, {tf_type("T", type)});
      return at(v, "Merge");
    }
    std::string inside(const std::string& v) const { return at(v, "Identity"); }
    std::string exit(const std::string& v, TfType type = TfType::i32) {
      g_.node("Exit", at(v, "Exit"), {at(v, "Switch")}, {tf_type("T", type)});
      return at(v, "Exit");
    }
    std::string invariant(const std::string& v, const std::string& value, TfType type = TfType::i32) {
      enter(at(v, "Enter"), value, true, type);
      return at(v, "Enter");
    }
    void next(const std::string& v, const std::string& value, TfType type = TfType::i32) {
      g_.node("NextIteration", at(v, "NextIteration"), {value}, {tf_type("T", type)});
    }
    void condition(const std::string& value) { g_.node("LoopCond", name_ + "/LoopCond", {value}); }
    // A constant that belongs to the frame by a control input only.
    std::string constant(const std::string& c, int32_t value, const std::string& of) {
      const TfTensor t = tf_i32({}, {value});
      g_.node("Const", name_ + "/" + c, {"^" + inside(of)},
              {tf_type("dtype", t.type), tf_tensor_value("value", t)});
      return name_ + "/" + c;
    }
    std::string op(const std::string& type, const std::string& name, const std::vector<std::string>& inputs,
                   TfType t = TfType::i32) {
      g_.node(type, name_ + "/" + name, inputs, {tf_type("T", t)});
      return name_ + "/" + name;
    }

   private:
    std::string at(const std::string& v, const char* what) const { return name_ + "/" + v + "/" + what; }
    void enter(const std::string& node, const std::string& value, bool constant, TfType type) {
      g_.node("Enter", node, {value},
              {tf_type("T", type), tf_text("frame_name", name_), tf_bool("is_constant", constant),
               tf_int("parallel_iterations", 10)});
    }
    GraphDef& g_;
    std::string name_;
  };

  // for (i = 0; i < n; ++i) x = x + x
  static void doubling(GraphDef& g, const std::string& n) {
    g.constant("zero", tf_i32({}, {0}));
    Frame f(g, "loop");
    const std::string i = f.variable("i", "zero"), end = f.invariant("n", n);
    f.variable("x", "x");
    f.condition(f.op("Less", "test", {i, end}));
    f.next("i", f.op("Add", "add", {f.inside("i"), f.constant("one", 1, "i")}));
    f.next("x", f.op("Add", "double", {f.inside("x"), f.inside("x")}));
    g.node("Identity", "y", {f.exit("x")}, {tf_type("T", TfType::i32)});
  }
};

TEST_F(TfControlFlow, ALoopRunsAsOftenAsItsCounterSays) {
  GraphDef g;
  g.constant("x", tf_i32({2}, {1, -3})).constant("n", tf_i32({}, {5}));
  doubling(g, "n");
  EXPECT_THAT(computed(g), ElementsAre(32, -96));
}

TEST_F(TfControlFlow, ALoopThatDoesNotRunGivesWhatItBeganWith) {
  GraphDef g;
  g.constant("x", tf_i32({2}, {7, 8})).constant("n", tf_i32({}, {-1}));
  doubling(g, "n");
  EXPECT_THAT(computed(g), ElementsAre(7, 8));
}

TEST_F(TfControlFlow, WhatALoopReadsBecomesItsInputs) {
  GraphDef g;
  g.placeholder("x", TfType::i32, {2}).placeholder("n", TfType::i32, {});
  doubling(g, "n");
  const auto graph = prepare(g);
  ASSERT_EQ(count(*graph, "Loop"), 1U);
  const auto loop = graph->nodes_of("Loop")[0];
  EXPECT_EQ(graph->node(loop).inputs.size(), 3U) << app::to_text(*graph);  // the counter has gone
  EXPECT_EQ(shape(*graph), Shape({2}));
  EXPECT_EQ(count(*graph, "Switch") + count(*graph, "Merge") + count(*graph, "Enter"), 0U);
}

// for (i = 0; i < n; ++i) x = x + x, where the first variable stays what it is
TEST_F(TfControlFlow, ALoopWithOneOutputLeftHasANameOfItsOwn) {
  GraphDef g;
  g.placeholder("k", TfType::i32, {2}).placeholder("x", TfType::i32, {2}).placeholder("n", TfType::i32, {});
  g.constant("zero", tf_i32({}, {0}));
  Frame f(g, "loop");
  f.variable("kept", "k");
  const std::string i = f.variable("i", "zero"), end = f.invariant("n", "n");
  f.variable("x", "x");
  f.condition(f.op("Less", "test", {i, end}));
  f.next("kept", f.inside("kept"));
  f.next("i", f.op("Add", "add", {f.inside("i"), f.constant("one", 1, "i")}));
  f.next("x", f.op("Add", "double", {f.inside("x"), f.inside("x")}));
  g.node("Add", "y", {f.exit("kept"), f.exit("x")}, {tf_type("T", TfType::i32)});
  const auto graph = prepare(g);
  ASSERT_EQ(count(*graph, "Loop"), 1U) << app::to_text(*graph);
  const core::NodeId loop = graph->nodes_of("Loop")[0];
  ASSERT_EQ(graph->node(loop).outputs.size(), 1U);
  for (const core::NodeId n : graph->nodes())
    for (const core::OutSlot& o : graph->node(n).outputs)
      for (const core::Symbol s : o.names)
        EXPECT_TRUE(n == loop || graph->symbols().text(s) != graph->name(loop)) << graph->name(n);
}

// while (sum(x) < limit) x = x + step
TEST_F(TfControlFlow, AConditionThatIsNoCounterIsComputedInTheBodyToo) {
  GraphDef g;
  g.constant("x", tf_i32({2}, {1, 2})).constant("limit", tf_i32({}, {20})).constant("axes", tf_i32({1}, {0}));
  Frame f(g, "loop");
  const std::string x = f.variable("x", "x"), limit = f.invariant("limit", "limit"),
                    axes = f.invariant("axes", "axes");
  g.node("Sum", "loop/sum", {x, axes}, {tf_type("T", TfType::i32), tf_type("Tidx", TfType::i32)});
  f.condition(f.op("Less", "test", {"loop/sum", limit}));
  f.next("x", f.op("Add", "add", {f.inside("x"), f.constant("three", 3, "x")}));
  g.node("Identity", "y", {f.exit("x")}, {tf_type("T", TfType::i32)});
  EXPECT_THAT(computed(g), ElementsAre(10, 11));
}

// for (i = 0; i < 4; ++i) for (j = 0; j < i; ++j) total += 10 * i + j
TEST_F(TfControlFlow, LoopsInLoops) {
  GraphDef g;
  g.constant("zero", tf_i32({}, {0})).constant("four", tf_i32({}, {4})).constant("start", tf_i32({}, {0}));
  Frame outer(g, "outer");
  const std::string i = outer.variable("i", "zero"), four = outer.invariant("four", "four");
  outer.variable("total", "start");
  outer.condition(outer.op("Less", "test", {i, four}));
  outer.constant("first", 0, "i");
  Frame inner(g, "outer/inner");
  const std::string j = inner.variable("j", "outer/first"), end = inner.invariant("end", outer.inside("i"));
  inner.variable("total", outer.inside("total"));
  inner.condition(inner.op("Less", "test", {j, end}));
  inner.next("j", inner.op("Add", "add", {inner.inside("j"), inner.constant("one", 1, "j")}));
  const std::string tens = inner.op("Mul", "tens", {end, inner.constant("ten", 10, "j")});
  inner.next("total",
             inner.op("AddV2", "sum",
                      {inner.op("AddV2", "more", {inner.inside("total"), tens}), inner.inside("j")}));
  outer.next("i", outer.op("Add", "add", {outer.inside("i"), outer.constant("one", 1, "i")}));
  outer.next("total", inner.exit("total"));
  g.node("Identity", "y", {outer.exit("total")}, {tf_type("T", TfType::i32)});
  // i = 1: 10; i = 2: 20 + 21; i = 3: 30 + 31 + 32
  EXPECT_THAT(computed(g), ElementsAre(144));
}

// for (i = 0; i < 4; ++i) x = i == 2 ? x * 10 : x + 1
TEST_F(TfControlFlow, BranchesInLoops) {
  GraphDef g;
  g.constant("zero", tf_i32({}, {0})).constant("four", tf_i32({}, {4})).constant("x", tf_i32({}, {3}));
  Frame f(g, "loop");
  const std::string i = f.variable("i", "zero"), four = f.invariant("four", "four");
  f.variable("x", "x");
  f.condition(f.op("Less", "test", {i, four}));
  const std::string is = f.op("Equal", "is", {f.inside("i"), f.constant("two", 2, "i")});
  f.op("Switch", "x/branch", {f.inside("x"), is});
  const std::string yes = f.op("Mul", "times", {"loop/x/branch:1", f.constant("ten", 10, "i")});
  const std::string no = f.op("Add", "plus", {"loop/x/branch", f.constant("step", 1, "i")});
  f.next("x", f.op("Merge", "merge", {no, yes}));
  f.next("i", f.op("Add", "add", {f.inside("i"), f.constant("one", 1, "i")}));
  g.node("Identity", "y", {f.exit("x")}, {tf_type("T", TfType::i32)});
  EXPECT_THAT(computed(g), ElementsAre(51));
}

static TfAttribute any_shape() { return {"element_shape", Wire().message(7, Wire().integer(3, 1)).bytes}; }

// rows of x from `begin` on, times two, written to an array of `size` elements up to number `n`
static GraphDef& rows_doubled(GraphDef& g, TfTensor size, const std::string& n,
                              const std::vector<int64_t>& element, TfType of = TfType::f32,
                              const char* begin = "zero") {
  const auto array = [&](const char* name, const std::vector<int64_t>& dims) {
    g.node("TensorArrayV3", name, {name + std::string("/size")},
           {tf_type("dtype", of), dims.empty() ? any_shape() : tf_shape("element_shape", dims)});
  };
  const auto as_float = tf_type("T", TfType::f32), as_element = tf_type("T", of);
  const auto enter = [&](const std::string& name, const std::string& value, bool constant, TfType type) {
    g.node("Enter", "w/" + name, {value},
           {tf_type("T", type), tf_text("frame_name", "w"), tf_bool("is_constant", constant)});
  };
  const auto variable = [&](const std::string& v, const std::string& first, const std::string& next,
                            TfType type) {
    enter(v + "/Enter", first, false, type);
    g.node("Merge", "w/" + v, {"w/" + v + "/Enter", "w/" + v + "/Next"},
           {tf_type("T", type), tf_int("N", 2)});
    g.node("Switch", "w/" + v + "/Switch", {"w/" + v, "w/LoopCond"}, {tf_type("T", type)});
    g.node("NextIteration", "w/" + v + "/Next", {next}, {tf_type("T", type)});
  };
  g.constant("zero", tf_i32({}, {0})).constant("one", tf_i32({}, {1}));
  g.constant("out/size", size);
  g.node("Shape", "shape", {"x"}, {as_element, tf_type("out_type", TfType::i32)});
  g.constant("at0", tf_i32({1}, {0})).constant("at1", tf_i32({1}, {1}));
  g.node("StridedSlice", "in/size", {"shape", "at0", "at1", "at1"},
         {tf_type("T", TfType::i32), tf_type("Index", TfType::i32), tf_int("shrink_axis_mask", 1)});
  array("in", {});
  array("out", element);
  g.node("Range", "range", {"zero", "in/size", "one"}, {tf_type("Tidx", TfType::i32)});
  g.node("TensorArrayScatterV3", "scattered", {"in", "range", "x", "in:1"}, {as_element});
  variable("i", begin, "w/add", TfType::i32);
  variable("flow", "out:1", "w/write", TfType::f32);
  enter("n", n, true, TfType::i32);
  enter("in", "in", true, TfType::resource);
  enter("out", "out", true, TfType::resource);
  enter("scattered", "scattered", true, TfType::f32);
  g.node("Less", "w/Less", {"w/i", "w/n"}, {tf_type("T", TfType::i32)});
  g.node("LoopCond", "w/LoopCond", {"w/Less"});
  g.node("Add", "w/add", {"w/i/Switch:1", "one"}, {tf_type("T", TfType::i32)});
  g.node("TensorArrayReadV3", "w/read", {"w/in", "w/i/Switch:1", "w/scattered"}, {tf_type("dtype", of)});
  g.node("Add", "w/double", {"w/read", "w/read"}, {as_element});
  g.node("TensorArrayWriteV3", "w/write", {"w/out", "w/i/Switch:1", "w/double", "w/flow/Switch:1"},
         {as_element});
  g.node("Exit", "w/flow/Exit", {"w/flow/Switch"}, {as_float});
  g.node("TensorArraySizeV3", "count", {"out", "w/flow/Exit"});
  g.node("Range", "all", {"zero", "count", "one"}, {tf_type("Tidx", TfType::i32)});
  g.node("TensorArrayGatherV3", "y", {"out", "all", "w/flow/Exit"}, {tf_type("dtype", of)});
  return g;
}

TEST_F(TfControlFlow, ArraysThatAreReadAndWrittenStepByStepAreSlices) {
  GraphDef g;
  g.constant("x", tf_floats({3, 2}, {1, 2, 3, 4, 5, 6}));
  EXPECT_THAT(computed(rows_doubled(g, tf_i32({}, {3}), "in/size", {})), ElementsAre(2, 4, 6, 8, 10, 12));
}

// What is called flow is f32 in all files.
TEST_F(TfControlFlow, TheTypeOfAnArrayIsThatOfItsElements) {
  const std::vector<std::pair<TfTensor, ElementType>> all{
      {tf_i32({3, 2}, {1, 2, 3, 4, 5, 6}), ElementType::i32},
      {tf_i64({3, 2}, {1, 2, 3, 4, 5, 6}), ElementType::i64}};
  for (const auto& [x, type] : all) {
    GraphDef given, open;
    given.constant("x", x);
    EXPECT_THAT(computed(rows_doubled(given, tf_i32({}, {3}), "in/size", {}, x.type)),
                ElementsAre(2, 4, 6, 8, 10, 12));
    open.placeholder("x", x.type, {-1, 2});
    const auto graph = prepare(rows_doubled(open, tf_i32({}, {3}), "in/size", {}, x.type));
    EXPECT_EQ(graph->out(output(*graph)).tensor.type, type);
    EXPECT_EQ(shape(*graph)[1], Dim(2));
  }
}

TEST_F(TfControlFlow, AnInputThatNobodyReadsIsNone) {
  for (const bool named : {false, true}) {
    GraphDef g;
    g.placeholder("unused_control_flow_input", TfType::variant, {}).placeholder("left", TfType::f32, {});
    g.placeholder("x", TfType::f32, {2}).node("Neg", "y", {"x"}, {tf_type("T", TfType::f32)});
    if (named) options_ = {{"input", "x,left"}};
    const auto graph = prepare(g);
    EXPECT_EQ(graph->parameters().size(), named ? 2U : 1U) << app::to_text(*graph);
  }
  GraphDef g;  // a model of inputs only
  g.placeholder("x", TfType::f32, {2});
  options_.clear();
  EXPECT_EQ(prepare(g)->parameters().size(), 1U);
}

TEST_F(TfControlFlow, ElementsThatNoStepWritesAreZero) {
  GraphDef g;
  g.constant("x", tf_floats({3, 2}, {1, 2, 3, 4, 5, 6})).constant("n", tf_i32({}, {2}));
  EXPECT_THAT(computed(rows_doubled(g, tf_i32({}, {4}), "n", {2})), ElementsAre(2, 4, 6, 8, 0, 0, 0, 0));
}

// As tf.scan does: the first row is there already.
TEST_F(TfControlFlow, AnArrayWhoseFirstElementsAreWrittenOutside) {
  GraphDef g;
  g.constant("x", tf_i32({3, 2}, {1, 2, 3, 4, 5, 6}));
  rows_doubled(g, tf_i32({}, {3}), "in/size", {}, TfType::i32, "one");
  EXPECT_THAT(computed(g), ElementsAre(0, 0, 6, 8, 10, 12));
  GraphDef open;
  open.placeholder("x", TfType::i32, {3, 2});
  const auto graph = prepare(rows_doubled(open, tf_i32({}, {3}), "in/size", {2}, TfType::i32, "one"));
  EXPECT_EQ(shape(*graph), Shape({3, 2}));
}

TEST_F(TfControlFlow, ALoopOverASequenceIsATensorIterator) {
  for (const int64_t time : {int64_t{3}, int64_t{-1}}) {
    GraphDef g;
    g.placeholder("x", TfType::f32, {time, 2});
    const auto graph = prepare(rows_doubled(g, tf_i32({}, {3}), "in/size", {2}));
    EXPECT_EQ(count(*graph, "TensorIterator"), 1U) << app::to_text(*graph);
    EXPECT_EQ(count(*graph, "Loop"), 0U);
    EXPECT_EQ(shape(*graph).size(), 2U);
    EXPECT_EQ(shape(*graph)[1], Dim(2));
  }
}

TEST_F(TfControlFlow, ALoopOverPartOfASequenceStaysALoop) {
  GraphDef g;
  g.placeholder("x", TfType::f32, {3, 2}).constant("n", tf_i32({}, {2}));
  const auto graph = prepare(rows_doubled(g, tf_i32({}, {2}), "n", {2}));
  EXPECT_EQ(count(*graph, "Loop"), 1U);
  EXPECT_EQ(shape(*graph), Shape({2, 2}));
}

TEST_F(TfControlFlow, ArraysOutsideOfLoops) {
  GraphDef g;
  g.constant("x", tf_floats({2}, {1, 2})).constant("z", tf_floats({2}, {3, 4}));
  g.constant("n", tf_i32({}, {3})).constant("i0", tf_i32({}, {0})).constant("i2", tf_i32({}, {2}));
  g.constant("order", tf_i32({3}, {2, 0, 1}));
  const auto f32 = tf_type("T", TfType::f32);
  g.node("TensorArrayV3", "a", {"n"}, {tf_type("dtype", TfType::f32), any_shape()});
  g.node("TensorArrayWriteV3", "w0", {"a", "i0", "x", "a:1"}, {f32});
  g.node("TensorArrayWriteV3", "w1", {"a", "i2", "z", "w0"}, {f32});
  g.node("TensorArrayGatherV3", "y", {"a", "order", "w1"}, {tf_type("dtype", TfType::f32)});
  EXPECT_THAT(computed(g), ElementsAre(3, 4, 1, 2, 0, 0));
}

static GraphDef choice(const TfTensor* p) {
  GraphDef g;
  if (p != nullptr)
    g.constant("p", *p);
  else
    g.placeholder("p", TfType::boolean, {});
  g.constant("x", tf_i32({2}, {3, 4})).constant("five", tf_i32({}, {5}));
  const auto type = tf_type("T", TfType::i32);
  g.node("Identity", "pred_id", {"p"}, {tf_type("T", TfType::boolean)});
  g.node("Switch", "pivot", {"p", "p"}, {tf_type("T", TfType::boolean)});
  g.node("Identity", "switch_t", {"pivot:1"}, {tf_type("T", TfType::boolean)});
  g.node("Switch", "s", {"x", "pred_id"}, {type});
  g.node("Mul", "yes", {"s:1", "s:1"}, {type});
  const TfTensor one = tf_i32({}, {1});
  g.node("Const", "one", {"^switch_t"}, {tf_type("dtype", one.type), tf_tensor_value("value", one)});
  g.node("Add", "yes_too", {"yes", "one"}, {type});
  g.node("Sub", "no", {"s", "five"}, {type});
  g.node("Merge", "m", {"no", "yes_too"}, {type, tf_int("N", 2)});
  g.node("Identity", "y", {"m"}, {type});
  return g;
}

TEST_F(TfControlFlow, AKnownBranchIsAllThatIsLeft) {
  const TfTensor yes = tf_booleans({}, {1}), no = tf_booleans({}, {0});
  EXPECT_THAT(computed(choice(&yes)), ElementsAre(10, 17));
  EXPECT_THAT(computed(choice(&no)), ElementsAre(-2, -1));
  const auto graph = load(choice(&yes));
  EXPECT_EQ(count(*graph, "If") + count(*graph, "Switch") + count(*graph, "Merge"), 0U);
  EXPECT_EQ(graph->find("no"), core::no_node);
}

TEST_F(TfControlFlow, ABranchBecomesAnIf) {
  const auto graph = prepare(choice(nullptr));
  EXPECT_EQ(count(*graph, "If"), 1U) << app::to_text(*graph);
  EXPECT_EQ(shape(*graph), Shape({2}));
  EXPECT_EQ(graph->results().size(), 1U);
}

TEST_F(TfControlFlow, BranchesInBranches) {
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      GraphDef g;
      g.constant("a", tf_i32({}, {first ? 1 : 0})).constant("b", tf_i32({}, {second ? 1 : 0}));
      g.constant("x", tf_i32({}, {3})).constant("zero", tf_i32({}, {0}));
      const auto type = tf_type("T", TfType::i32), as_bool = tf_type("T", TfType::boolean);
      g.node("NotEqual", "p", {"a", "zero"}, {type}).node("NotEqual", "q", {"b", "zero"}, {type});
      g.node("Switch", "x1", {"x", "p"}, {type}).node("Switch", "q1", {"q", "p"}, {as_bool});
      g.node("Switch", "x2", {"x1:1", "q1:1"}, {type});
      g.node("Add", "both", {"x2:1", "x2:1"}, {type});  // 6
      g.node("Mul", "one", {"x2", "x2"}, {type});       // 9
      g.node("Merge", "inner", {"one", "both"}, {type, tf_int("N", 2)});
      g.node("Neg", "none", {"x1"}, {type});  // -3
      g.node("Merge", "outer", {"none", "inner"}, {type, tf_int("N", 2)});
      g.node("Identity", "y", {"outer"}, {type});
      EXPECT_THAT(computed(g), ElementsAre(!first ? -3 : second ? 6 : 9)) << first << second;
    }
}

TEST_F(TfControlFlow, SeveralValuesOfOneBranchAreOneIf) {
  GraphDef g;
  g.placeholder("p", TfType::boolean, {}).placeholder("x", TfType::f32, {2});
  const auto type = tf_type("T", TfType::f32);
  g.node("Switch", "s", {"x", "p"}, {type});
  g.node("Exp", "e", {"s:1"}, {type}).node("Neg", "n", {"e"}, {type}).node("Log", "l", {"s"}, {type});
  g.node("Merge", "a", {"l", "e"}, {type, tf_int("N", 2)})
      .node("Merge", "b", {"l", "n"}, {type, tf_int("N", 2)});
  g.node("Add", "y", {"a", "b"}, {type});
  const auto graph = prepare(g);
  EXPECT_EQ(count(*graph, "If"), 1U) << app::to_text(*graph);
}

// Functions of TensorFlow 2.
class TfFunctional : public TfControlFlow {
 protected:
  static TfFunction test(const std::string& name, const std::vector<TfFunction::Argument>& arguments) {
    TfFunction f{name, arguments, {{"more", TfType::boolean}}, {"less:z:0"}, {}};
    f.node("Less", "less", {arguments[0].name, arguments[1].name}, {tf_type("T", TfType::i32)});
    return f;
  }
  // for (i = 0; i < 3; x += i, ++i) list[place] = x * x, where x begins with 1, 2: squares are 1, 4, then 1, 4,
  // then 4, 9. `place` is a node of the body.
  static GraphDef squares(const std::string& place, int32_t size, const TfTensor& shape, bool given = true,
                          bool in_branches = false) {
    GraphDef g;
    const std::vector<TfFunction::Argument> arguments{
        {"i", TfType::i32}, {"n", TfType::i32}, {"x", TfType::f32}, {"list", TfType::variant}};
    TfFunction body{"body",
                    arguments,
                    {{"i_out", TfType::i32},
                     {"n_out", TfType::i32},
                     {"x_out", TfType::f32},
                     {"list_out", TfType::variant}},
                    {"add:z:0", "n", "next:z:0", in_branches ? "set:output:0" : "set:output_handle:0"},
                    {}};
    const TfTensor zero = tf_i32({}, {0}), one = tf_i32({}, {1}), two = tf_i32({}, {2});
    body.node("Const", "zero", {}, {tf_type("dtype", zero.type), tf_tensor_value("value", zero)});
    body.node("Const", "one", {}, {tf_type("dtype", one.type), tf_tensor_value("value", one)});
    body.node("Const", "two", {}, {tf_type("dtype", two.type), tf_tensor_value("value", two)});
    body.node("Sub", "back", {"two:output:0", "i"}, {tf_type("T", TfType::i32)});
    body.node("AddV2", "add", {"i", "one:output:0"}, {tf_type("T", TfType::i32)});
    body.node("Cast", "cast", {"i"}, {tf_type("SrcT", TfType::i32), tf_type("DstT", TfType::f32)});
    body.node("AddV2", "next", {"x", "cast:y:0"}, {tf_type("T", TfType::f32)});
    body.node("Mul", "square", {"x", "x"}, {tf_type("T", TfType::f32)});
    const auto as_float = tf_type("element_dtype", TfType::f32);
    if (in_branches) {  // the later ones are negative
      for (const bool first : {true, false}) {
        TfFunction branch{first ? "first" : "later",
                          {{"list", TfType::variant}, {"i", TfType::i32}, {"x", TfType::f32}},
                          {{"list_out", TfType::variant}},
                          {"put:output_handle:0"},
                          {}};
        branch.node("Neg", "negative", {"x"}, {tf_type("T", TfType::f32)});
        branch.node("TensorListSetItem", "put", {"list", "i", first ? "x" : "negative:y:0"}, {as_float});
        g.function(branch);
      }
      body.node("Less", "is_first", {"i", "one:output:0"}, {tf_type("T", TfType::i32)});
      body.node(
          "StatelessIf", "choice", {"is_first:z:0", "list", place, "square:z:0"},
          {tf_type("Tcond", TfType::boolean), tf_types("Tin", {TfType::variant, TfType::i32, TfType::f32}),
           tf_types("Tout", {TfType::variant}), tf_function("then_branch", "first"),
           tf_function("else_branch", "later")});
      body.node("Identity", "set", {"choice:output:0"}, {tf_type("T", TfType::variant)});
    } else {
      body.node("TensorListSetItem", "set", {"list", place, "square:z:0"}, {as_float});
    }
    g.function(test("cond", arguments)).function(body);
    g.constant("i", tf_i32({}, {0})).constant("n", tf_i32({}, {3}));
    if (given)
      g.constant("x", tf_floats({2}, {1, 2}));
    else
      g.placeholder("x", TfType::f32, {-1});
    g.constant("size", tf_i32({}, {size})).constant("shape", shape).constant("any", tf_i32({}, {-1}));
    g.node("TensorListReserve", "list", {"shape", "size"},
           {tf_type("element_dtype", TfType::f32), tf_type("shape_type", TfType::i32)});
    g.node("StatelessWhile", "while", {"i", "n", "x", "list"},
           {tf_function("cond", "cond"), tf_function("body", "body"),
            tf_types("T", {TfType::i32, TfType::i32, TfType::f32, TfType::variant})});
    g.node("TensorListStack", "y", {"while:3", "any"}, {tf_type("element_dtype", TfType::f32)});
    return g;
  }
};

TEST_F(TfFunctional, AWhileWithAListOfTensors) {
  for (const int32_t size : {3, 5}) {
    std::vector<double> expected{1, 4, 1, 4, 4, 9};
    expected.resize(2 * static_cast<size_t>(size), 0.0);
    EXPECT_EQ(computed(squares("i", size, tf_i32({1}, {2}))), expected);
  }
}

// Recurrent layers of Keras that give their last output write all of them to one place.
TEST_F(TfFunctional, AListOfOneElementIsWhatTheLastIterationWrites) {
  const TfTensor unknown = tf_i32({}, {-1});
  for (const TfTensor& element : {unknown, tf_i32({1}, {-1}), tf_i32({1}, {2})})
    EXPECT_THAT(computed(squares("zero:output:0", 1, element)), ElementsAre(4, 9));
  const auto graph = prepare(squares("zero:output:0", 1, unknown, false));
  EXPECT_EQ(count(*graph, "ScatterUpdate"), 0U) << app::to_text(*graph);
  EXPECT_EQ(shape(*graph).size(), 2U);
  EXPECT_EQ(shape(*graph)[0], Dim(1));
}

TEST_F(TfFunctional, AListIsShapedByWhatALoopWrites) {
  const TfTensor unknown = tf_i32({}, {-1});
  EXPECT_THAT(computed(squares("back:z:0", 3, unknown)), ElementsAre(4, 9, 1, 4, 1, 4));
  EXPECT_THAT(computed(squares("zero:output:0", 2, unknown)), ElementsAre(4, 9, 0, 0));
  EXPECT_THAT(computed(squares("i", 3, unknown, true, true)), ElementsAre(1, 4, -1, -4, -4, -9));
  const auto graph = prepare(squares("back:z:0", 3, unknown, false));
  EXPECT_EQ(shape(*graph).size(), 2U) << app::to_text(*graph);
  EXPECT_EQ(shape(*graph)[0], Dim(3));
}

// The element before is read: no slice of the list, but an element of all of it.
TEST_F(TfFunctional, AListThatIsReadAtOtherPlacesStaysWhole) {
  GraphDef g;
  const std::vector<TfFunction::Argument> arguments{
      {"i", TfType::i32}, {"n", TfType::i32}, {"list", TfType::variant}};
  TfFunction body{"body",
                  arguments,
                  {{"i_out", TfType::i32}, {"n_out", TfType::i32}, {"list_out", TfType::variant}},
                  {"add:z:0", "n", "set:output_handle:0"},
                  {}};
  const TfTensor one = tf_i32({}, {1}), none = tf_i32({0}, {});
  body.node("Const", "one", {}, {tf_type("dtype", one.type), tf_tensor_value("value", one)});
  body.node("Const", "none", {}, {tf_type("dtype", none.type), tf_tensor_value("value", none)});
  body.node("AddV2", "add", {"i", "one:output:0"}, {tf_type("T", TfType::i32)});
  body.node("Sub", "before", {"i", "one:output:0"}, {tf_type("T", TfType::i32)});
  body.node("TensorListGetItem", "get", {"list", "before:z:0", "none:output:0"},
            {tf_type("element_dtype", TfType::f32)});
  body.node("AddV2", "twice", {"get:item:0", "get:item:0"}, {tf_type("T", TfType::f32)});
  body.node("TensorListSetItem", "set", {"list", "i", "twice:z:0"}, {tf_type("element_dtype", TfType::f32)});
  g.function(test("cond", arguments)).function(body);
  g.constant("i", tf_i32({}, {1})).constant("n", tf_i32({}, {4})).constant("x", tf_floats({4}, {3, 0, 0, 0}));
  g.constant("shape", tf_i32({0}, {}));
  g.node("TensorListFromTensor", "list", {"x", "shape"},
         {tf_type("element_dtype", TfType::f32), tf_type("shape_type", TfType::i32)});
  g.node("While", "while", {"i", "n", "list"},
         {tf_function("cond", "cond"), tf_function("body", "body"),
          tf_types("T", {TfType::i32, TfType::i32, TfType::variant})});
  g.node("TensorListStack", "y", {"while:2", "shape"}, {tf_type("element_dtype", TfType::f32)});
  EXPECT_THAT(computed(g), ElementsAre(3, 6, 12, 24));
}

TEST_F(TfFunctional, ElementsThatAreAddedToAListAreCollected) {
  GraphDef g;
  const std::vector<TfFunction::Argument> arguments{
      {"i", TfType::i32}, {"n", TfType::i32}, {"list", TfType::variant}};
  TfFunction body{"body",
                  arguments,
                  {{"i_out", TfType::i32}, {"n_out", TfType::i32}, {"list_out", TfType::variant}},
                  {"add:z:0", "n", "push:output_handle:0"},
                  {}};
  const TfTensor two = tf_i32({}, {2});
  body.node("Const", "two", {}, {tf_type("dtype", two.type), tf_tensor_value("value", two)});
  body.node("AddV2", "add", {"i", "two:output:0"}, {tf_type("T", TfType::i32)});
  body.node("TensorListPushBack", "push", {"list", "i"}, {tf_type("element_dtype", TfType::i32)});
  g.function(test("cond", arguments)).function(body);
  g.constant("i", tf_i32({}, {1}))
      .constant("n", tf_i32({}, {8}))
      .constant("shape", tf_i32({0}, {}))
      .constant("most", tf_i32({}, {-1}));
  g.node("EmptyTensorList", "list", {"shape", "most"},
         {tf_type("element_dtype", TfType::i32), tf_type("shape_type", TfType::i32)});
  g.node("While", "while", {"i", "n", "list"},
         {tf_function("cond", "cond"), tf_function("body", "body"),
          tf_types("T", {TfType::i32, TfType::i32, TfType::variant})});
  g.node("TensorListStack", "y", {"while:2", "shape"}, {tf_type("element_dtype", TfType::i32)});
  EXPECT_THAT(computed(g), ElementsAre(1, 3, 5, 7));
}

// i <= the greatest number && j < 4
TEST_F(TfFunctional, ALimitThatIsNone) {
  GraphDef g;
  const std::vector<TfFunction::Argument> arguments{
      {"i", TfType::i64}, {"j", TfType::i64}, {"x", TfType::i64}};
  const auto i64 = tf_type("T", TfType::i64);
  const auto number = [](TfFunction& f, const char* name, int64_t value) {
    const TfTensor t = tf_i64({}, {value});
    f.node("Const", name, {}, {tf_type("dtype", t.type), tf_tensor_value("value", t)});
  };
  TfFunction test{"cond", arguments, {{"more", TfType::boolean}}, {"both:z:0"}, {}};
  number(test, "greatest", INT64_MAX);
  number(test, "four", 4);
  test.node("LessEqual", "first", {"i", "greatest:output:0"}, {i64});
  test.node("Less", "second", {"j", "four:output:0"}, {i64});
  test.node("LogicalAnd", "both", {"first:z:0", "second:z:0"});
  TfFunction body{"body",
                  arguments,
                  {{"i_out", TfType::i64}, {"j_out", TfType::i64}, {"x_out", TfType::i64}},
                  {"i_next:z:0", "j_next:z:0", "twice:z:0"},
                  {}};
  number(body, "one", 1);
  body.node("AddV2", "i_next", {"i", "one:output:0"}, {i64});
  body.node("AddV2", "j_next", {"j", "one:output:0"}, {i64});
  body.node("AddV2", "twice", {"x", "x"}, {i64});
  g.function(test).function(body).constant("zero", tf_i64({}, {0})).constant("three", tf_i64({}, {3}));
  g.node("While", "while", {"zero", "zero", "three"},
         {tf_function("cond", "cond"), tf_function("body", "body"),
          tf_types("T", {TfType::i64, TfType::i64, TfType::i64})});
  g.node("Identity", "y", {"while:2"}, {i64});
  EXPECT_THAT(computed(g), ElementsAre(48));
}

// Each function has two loops over the next one: 2^30 bodies in 10 KB.
TEST_F(TfFunctional, LoopsInLoopsHaveAnEnd) {
  GraphDef g;
  const std::vector<TfFunction::Argument> arguments{{"i", TfType::i32}, {"n", TfType::i32}};
  const std::vector<TfFunction::Argument> results{{"i_out", TfType::i32}, {"n_out", TfType::i32}};
  const auto loop = [](const std::string& function) {
    return std::vector<TfAttribute>{tf_function("cond", "cond"), tf_function("body", function),
                                    tf_types("T", {TfType::i32, TfType::i32})};
  };
  g.function(test("cond", arguments));
  for (int depth = 0; depth < 30; ++depth) {
    TfFunction f{"f" + std::to_string(depth), arguments, results, {"b:output:0", "b:output:1"}, {}};
    const std::string next = "f" + std::to_string(depth + 1);
    f.node("While", "a", {"i", "n"}, loop(next)).node("While", "b", {"a:output:0", "a:output:1"}, loop(next));
    g.function(f);
  }
  TfFunction last{"f30", arguments, results, {"add:z:0", "n"}, {}};
  g.function(last.node("AddV2", "add", {"i", "i"}, {tf_type("T", TfType::i32)}));
  g.constant("i", tf_i32({}, {1})).constant("n", tf_i32({}, {9}));
  g.node("While", "y", {"i", "n"}, loop("f0"));
  EXPECT_THAT(load_failure(g), HasSubstr("stand for too much"));
}

TEST_F(TfFunctional, IfAndCase) {
  for (const int32_t which : {0, 1, 2, 7}) {
    GraphDef g;
    const std::vector<TfFunction::Argument> arguments{{"x", TfType::i32}}, results{{"y", TfType::i32}};
    for (const char* op : {"Neg", "Square", "Abs"}) {
      TfFunction f{op, arguments, results, {"z:y:0"}, {}};
      f.node(op, "z", {"x"}, {tf_type("T", TfType::i32)});
      g.function(f);
    }
    g.constant("x", tf_i32({2}, {3, -2})).constant("which", tf_i32({}, {which}));
    const auto types = {tf_types("Tin", {TfType::i32}), tf_types("Tout", {TfType::i32})};
    std::vector<TfAttribute> choose(types), branch(types);
    Wire list;
    for (const char* op : {"Neg", "Square", "Abs"}) list.message(9, Wire().text(1, op));
    choose.push_back({"branches", Wire().message(1, list).bytes});
    g.node("Case", "case", {"which", "x"}, choose);
    branch.push_back(tf_function("then_branch", "Square"));
    branch.push_back(tf_function("else_branch", "Neg"));
    branch.push_back(tf_type("Tcond", TfType::i32));
    g.node("If", "if", {"which", "x"}, branch);
    g.node("Identity", "y", {"case"}, {tf_type("T", TfType::i32)});
    g.node("Identity", "z", {"if"}, {tf_type("T", TfType::i32)});
    const auto graph = prepare(g);
    const std::vector<double> negative{-3, 2}, square{9, 4}, absolute{3, 2};
    EXPECT_EQ(values(*graph, 0), which == 0 ? negative : which == 1 ? square : absolute) << which;
    EXPECT_EQ(values(*graph, 1), which == 0 ? negative : square) << which;
  }
}

TEST_F(TfControlFlow, DamagedLoopsAreExplained) {
  const auto i32 = tf_type("T", TfType::i32);
  const auto frame = [&](const char* name) {
    return std::vector<TfAttribute>{i32, tf_text("frame_name", name)};
  };
  GraphDef circle;
  circle.constant("x", tf_i32({}, {1})).node("Add", "a", {"x", "b"}, {i32}).node("Neg", "b", {"a"}, {i32});
  circle.node("Switch", "s", {"x", "x"}, {i32}).node("Identity", "y", {"b"}, {i32});
  EXPECT_THAT(failure_of(circle), HasSubstr("circle"));

  GraphDef endless;
  endless.constant("x", tf_i32({}, {1})).node("Enter", "e", {"x"}, frame("f"));
  endless.node("Merge", "m", {"e", "n"}, {i32, tf_int("N", 2)}).node("NextIteration", "n", {"m"}, {i32});
  endless.node("Exit", "y", {"m"}, {i32});
  EXPECT_THAT(failure_of(endless), HasSubstr("has no LoopCond"));

  GraphDef leaking;
  leaking.constant("x", tf_i32({}, {1})).node("Enter", "e", {"x"}, frame("f"));
  leaking.node("Merge", "m", {"e", "n"}, {i32, tf_int("N", 2)}).node("NextIteration", "n", {"s:1"}, {i32});
  leaking.node("Less", "l", {"m", "m"}, {i32}).node("LoopCond", "c", {"l"});
  leaking.node("Switch", "s", {"m", "c"}, {i32}).node("Neg", "other", {"s:1"}, {i32});
  leaking.node("Exit", "y", {"other"}, {i32});
  EXPECT_THAT(failure_of(leaking), HasSubstr("none of its variables"));
}

// The condition is copied to where the loop begins: what the model left out is not the copy's fault.
TEST_F(TfControlFlow, AComparisonOfALoopThatLacksAnInputIsTheModelsFault) {
  for (const char* op : {"Less", "LogicalAnd", "GreaterEqual"}) {
    GraphDef g;
    g.constant("zero", tf_i32({}, {0}));
    Frame f(g, "loop");
    const std::string i = f.variable("i", "zero");
    f.condition(f.op(op, "test", {i}));
    f.next("i", f.op("Add", "add", {f.inside("i"), f.constant("one", 1, "i")}));
    g.node("Identity", "y", {f.exit("i")}, {tf_type("T", TfType::i32)});
    EXPECT_THAT(failure_of(g),
                AllOf(HasSubstr("MO0502"), HasSubstr("it has 1 inputs, expected 2"), HasSubstr("loop/test")));
  }
}

}  // namespace mo::test
