// Cells and sequences that TensorFlow has as one operator. Expected numbers: the formulas of TensorFlow's
// documentation, in numpy.
#include "tensorflow_fixture.hpp"

namespace mo::test {

class TfRecurrent : public Tensorflow {
 protected:
  static void near(const std::vector<double>& actual, const std::vector<double>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-6) << i;
  }
  // x [batch 1, 2], state of one number.
  static GraphDef operands(const std::vector<float>& peepholes = {0, 0, 0}) {
    GraphDef g;
    g.constant("cs", tf_floats({1, 1}, {0.25F})).constant("h", tf_floats({1, 1}, {-0.5F}));
    g.constant(
        "w", tf_floats({3, 4}, {0.1F, 0.2F, 0.3F, 0.4F, -0.4F, 0.3F, -0.2F, 0.1F, 0.7F, -0.6F, 0.5F, -0.4F}));
    g.constant("b", tf_floats({4}, {0.05F, -0.05F, 0.1F, -0.1F}));
    const char* const names[] = {"wci", "wcf", "wco"};
    for (size_t i = 0; i < 3; ++i) g.constant(names[i], tf_floats({1}, {peepholes[i]}));
    return g;
  }
  static void outputs(GraphDef& g, const std::string& node, const std::vector<int>& numbers) {
    for (const int i : numbers)
      g.node("Identity", "y" + std::to_string(i), {node + ":" + std::to_string(i)},
             {tf_type("T", TfType::f32)});
  }
  std::vector<double> all(const GraphDef& g) {
    const auto graph = prepare(g);
    std::vector<double> list;
    for (size_t i = 0; i < graph->results().size(); ++i)
      for (const double v : values(*graph, i)) list.push_back(v);
    return list;
  }
};

// i, cs, f, o, ci, co, h
TEST_F(TfRecurrent, LstmBlockCell) {
  for (const bool peephole : {true, false}) {
    GraphDef g = operands({0.1F, 0.2F, 0.3F});
    g.constant("x", tf_floats({1, 2}, {0.5F, -1.0F}));
    g.node("LSTMBlockCell", "cell", {"x", "cs", "h", "w", "wci", "wcf", "wco", "b"},
           {tf_type("T", TfType::f32), tf_bool("use_peephole", peephole),
            tf_float("cell_clip", peephole ? 0.2F : -1.0F)});
    outputs(g, "cell", {0, 1, 2, 3, 4, 5, 6});
    if (peephole)
      near(all(g), {0.54363869, 0.2, 0.77729986, 0.56463629, 0.049958375, 0.19737532, 0.11144527});
    else
      near(all(g), {0.53742985, 0.21898032, 0.76852478, 0.549834, 0.049958375, 0.21554597, 0.1185145});
  }
}

TEST_F(TfRecurrent, GruBlockCell) {
  GraphDef g;
  g.constant("x", tf_floats({1, 2}, {0.5F, -1.0F})).constant("h", tf_floats({1, 1}, {-0.5F}));
  g.constant("w_ru", tf_floats({3, 2}, {0.1F, 0.2F, -0.4F, 0.3F, 0.7F, -0.6F}));
  g.constant("w_c", tf_floats({3, 1}, {0.5F, -0.25F, 0.75F}));
  g.constant("b_ru", tf_floats({2}, {0.05F, -0.05F})).constant("b_c", tf_floats({1}, {0.1F}));
  g.node("GRUBlockCell", "cell", {"x", "h", "w_ru", "w_c", "b_ru", "b_c"}, {tf_type("T", TfType::f32)});
  outputs(g, "cell", {0, 1, 2, 3});
  near(all(g), {0.53742985, 0.51249740, 0.37863377, -0.07166375});
}

TEST_F(TfRecurrent, BlockLstm) {
  GraphDef g = operands();
  g.constant("x", tf_floats({3, 1, 2}, {0.5F, -1.0F, 1.5F, 0.25F, -0.75F, 2.0F}))
      .constant("n", tf_i64({}, {3}));
  g.node("BlockLSTM", "lstm", {"n", "x", "cs", "h", "w", "wci", "wcf", "wco", "b"},
         {tf_type("T", TfType::f32), tf_float("cell_clip", -1.0F)});
  outputs(g, "lstm", {1, 6});
  near(all(g), {0.21898032, 0.31655643, 0.2951864, 0.1185145, 0.18909761, 0.12380461});
}

// The second version has another order of gates, no bias of its own, and here one step more than it computes.
TEST_F(TfRecurrent, BlockLstmOfTheSecondVersion) {
  GraphDef g = operands();
  g.constant("x", tf_floats({3, 1, 2}, {0.5F, -1.0F, 1.5F, 0.25F, -0.75F, 2.0F}))
      .constant("n", tf_i64({}, {2}));
  g.node("BlockLSTMV2", "lstm", {"n", "x", "cs", "h", "w", "wci", "wcf", "wco", "b"},
         {tf_type("T", TfType::f32)});
  outputs(g, "lstm", {6});
  near(all(g), {0.12646717, 0.23987397, 0});
}

TEST_F(TfRecurrent, BlockLstmOverASequenceIsATensorIterator) {
  GraphDef g = operands();
  g.placeholder("x", TfType::f32, {3, 1, 2}).constant("n", tf_i64({}, {3}));
  g.node("BlockLSTM", "lstm", {"n", "x", "cs", "h", "w", "wci", "wcf", "wco", "b"},
         {tf_type("T", TfType::f32)});
  outputs(g, "lstm", {6});
  const auto graph = prepare(g);
  EXPECT_EQ(count(*graph, "TensorIterator"), 1U) << app::to_text(*graph);
  EXPECT_EQ(graph->node(graph->nodes_of("TensorIterator")[0]).inputs.size(), 3U);
  EXPECT_EQ(shape(*graph), Shape({3, 1, 1}));
}

// One step of BasicLSTMCell, as TensorFlow 1 unrolls it. The gates of its weights are i, j, f, o.
static GraphDef basic_cell(const char* last) {
  GraphDef g;
  const auto type = tf_type("T", TfType::f32);
  g.placeholder("x", TfType::f32, {1, 1})
      .placeholder("h", TfType::f32, {1, 1})
      .placeholder("c", TfType::f32, {1, 1});
  g.constant("w", tf_floats({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}))
      .constant("b", tf_floats({4}, {0.5F, 0.25F, 2, 4}));
  g.constant("axis", tf_i32({}, {1})).constant("one", tf_floats({}, {1}));
  g.node("ConcatV2", "xh", {"x", "h", "axis"}, {type, tf_int("N", 2), tf_type("Tidx", TfType::i32)});
  g.node("MatMul", "product", {"xh", "w"}, {type}).node("BiasAdd", "sum", {"product", "b"}, {type});
  g.node("Split", "gates", {"axis", "sum"}, {type, tf_int("num_split", 4)});
  g.node("Sigmoid", "i", {"gates"}, {type}).node("Tanh", "j", {"gates:1"}, {type});
  g.node("Add", "biased", {"gates:2", "one"}, {type}).node("Sigmoid", "f", {"biased"}, {type});
  g.node("Sigmoid", "o", {"gates:3"}, {type});
  g.node("Mul", "kept", {"c", "f"}, {type}).node("Mul", "added", {"i", "j"}, {type});
  g.node("Add", "next_c", {"kept", "added"}, {type}).node(last, "squashed", {"next_c"}, {type});
  g.node("Mul", "next_h", {"squashed", "o"}, {type});
  g.node("Identity", "y0", {"next_h"}, {type}).node("Identity", "y1", {"next_c"}, {type});
  return g;
}

TEST_F(TfRecurrent, ABasicLstmCellIsOneOperation) {
  const auto graph = prepare(basic_cell("Tanh"));
  ASSERT_EQ(count(*graph, "LSTMCell"), 1U) << app::to_text(*graph);
  EXPECT_EQ(count(*graph, "MatMul") + count(*graph, "Sigmoid") + count(*graph, "Tanh"), 0U);
  const core::NodeId cell = graph->nodes_of("LSTMCell")[0];
  const auto input = [&](uint32_t i) { return values_of(graph->out(graph->source({cell, i})).tensor.value); };
  EXPECT_EQ(input(3), (std::vector<double>{3, 1, 2, 4}));
  EXPECT_EQ(input(4), (std::vector<double>{7, 5, 6, 8}));
  EXPECT_EQ(input(5), (std::vector<double>{3, 0.5, 0.25, 4}));
  EXPECT_EQ(graph->results().size(), 2U);
  EXPECT_EQ(output(*graph, 0).port, 0U);
  EXPECT_EQ(output(*graph, 1).port, 1U);
}

TEST_F(TfRecurrent, ACellWithOtherActivationsStays) {
  EXPECT_EQ(count(*prepare(basic_cell("Relu")), "LSTMCell"), 0U);
}

}  // namespace mo::test
