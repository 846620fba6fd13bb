// Look-ups by sparse places, as tf.nn.safe_embedding_lookup_sparse and embedding_lookup_sparse write them.
// Expected numbers are those of numpy for the formula of TensorFlow's documentation: sums of rows, by their
// count or its root.
#include "core/infer/execute.hpp"
#include "tensorflow_fixture.hpp"

namespace mo::test {

using testing::DoubleNear;
using testing::Pointwise;

struct LookupForm {
  std::string op = "SparseSegmentSum";
  bool unique = true, retains = true, fills = true, zeros = true;
  bool identities = false;  // between the rows and their sum, as for variables in parts
  int64_t column = 0;       // of the places, that says the row
};

// Five rows of two numbers; row 1 of the sparse matrix has a number below zero only, row 2 nothing.
static GraphDef lookup_graph(const LookupForm& f, const std::vector<std::string>& also = {}) {
  GraphDef g;
  const TfAttribute by_i64 = tf_type("T", TfType::i64);
  g.placeholder("places", TfType::i64, {-1, 2}).placeholder("values", TfType::i64, {-1});
  g.placeholder("shape", TfType::i64, {2});
  g.constant("table", tf_floats({5, 2}, {1, 2, 3, 5, 7, 11, 13, 17, 19, 23}));
  g.constant("axis", tf_i32({}, {0})).constant("none", tf_i64({}, {0})).constant("flat", tf_i32({1}, {-1}));
  std::string places = "places", values = "values", rows;
  const auto gather = [&](const char* name, const std::string& x, const std::string& which, TfType type) {
    g.node("GatherV2", name, {x, which, "axis"},
           {tf_type("Tparams", type), tf_type("Tindices", TfType::i64), tf_type("Taxis", TfType::i32)});
  };
  if (f.retains) {
    g.node("GreaterEqual", "valid", {"values", "none"}, {by_i64});
    g.node("Where", "where", {"valid"}).node("Reshape", "kept", {"where", "flat"}, {by_i64});
    gather("kept_places", "places", "kept", TfType::i64);
    gather("kept_values", "values", "kept", TfType::i64);
    places = "kept_places";
    values = "kept_values";
  }
  if (f.fills) {
    g.node("Identity", "spread", {"shape"}, {by_i64});
    g.constant("default", tf_i64({}, {f.zeros ? 0 : 2}));
    g.node("SparseFillEmptyRows", "fill", {places, values, "spread", "default"}, {by_i64});
    places = "fill";
    values = "fill:1";
  }
  g.constant("begin", tf_i32({2}, {0, static_cast<int32_t>(f.column)}));
  g.constant("end", tf_i32({2}, {0, static_cast<int32_t>(f.column) + 1}));
  g.constant("steps", tf_i32({2}, {1, 1}));
  g.node("StridedSlice", "column", {places, "begin", "end", "steps"},
         {by_i64, tf_int("begin_mask", 1), tf_int("end_mask", 1), tf_int("shrink_axis_mask", 2)});
  g.node("Cast", "rows", {"column"}, {tf_type("SrcT", TfType::i64), tf_type("DstT", TfType::i32)});
  std::string data = "table", ids = values;
  if (f.unique) {
    g.node("Unique", "unique", {values}, {by_i64, tf_type("out_idx", TfType::i32)});
    gather("looked_up", "table", "unique", TfType::f32);
    data = "looked_up";
    ids = "unique:1";
  }
  if (f.identities) {
    g.node("Identity", "part", {data}, {t_float}).node("Identity", "part_1", {"part"}, {t_float});
    data = "part_1";
  }
  g.node(f.op, "sum", {data, ids, "rows"}, {t_float, tf_type("Tidx", f.unique ? TfType::i32 : TfType::i64)});
  if (f.fills && f.zeros) {
    g.constant("rows_shape", tf_i32({2}, {-1, 1})).constant("one", tf_i32({}, {1}));
    g.node("Reshape", "empty", {"fill:2", "rows_shape"}, {tf_type("T", TfType::boolean)});
    g.node("Shape", "sum_shape", {"sum"}, {t_float});
    g.constant("at", tf_i32({1}, {1})).constant("to", tf_i32({1}, {2})).constant("step", tf_i32({1}, {1}));
    g.node("StridedSlice", "width", {"sum_shape", "at", "to", "step"},
           {tf_type("T", TfType::i32), tf_int("shrink_axis_mask", 1)});
    g.node("Pack", "often", {"one", "width"}, {tf_type("T", TfType::i32), tf_int("N", 2)});
    g.node("Tile", "all_empty", {"empty", "often"}, {tf_type("T", TfType::boolean)});
    g.node("ZerosLike", "zeros", {"sum"}, {t_float});
    g.node("Select", "y", {"all_empty", "zeros", "sum"}, {t_float});
  } else {
    g.node("Identity", "y", {"sum"}, {t_float});
  }
  for (const std::string& name : also) g.node("Neg", "also_" + name, {name}, {t_float});
  return g;
}

class EmbeddingLookups : public Tensorflow {
 protected:
  void expect(core::Graph& g, const std::vector<int64_t>& ids, const std::vector<double>& expected,
              size_t result = 0) {
    const std::vector<int64_t> places{0, 0, 0, 1, 1, 0, 3, 0, 3, 2}, shape{4, 3};
    const auto bytes = [](const std::vector<int64_t>& v) {
      return std::string(reinterpret_cast<const char*>(v.data()), v.size() * sizeof v[0]);
    };
    core::Session& session = *sessions_.back();
    session.executing = true;
    std::map<std::string, core::TensorRef> by_name{
        {"places", core::make_tensor_from_bytes(ElementType::i64, {5, 2}, bytes(places))},
        {"values", core::make_tensor_from_bytes(ElementType::i64, {5}, bytes(ids))},
        {"shape", core::make_tensor_from_bytes(ElementType::i64, {2}, bytes(shape))}};
    std::vector<core::TensorRef> inputs;
    for (const core::NodeId p : g.parameters()) inputs.push_back(by_name.at(std::string(g.name(p))));
    const auto results = core::execute(session, g, inputs);
    EXPECT_THAT(values_of(results.at(result)), Pointwise(DoubleNear(1e-5), expected));
  }
  static bool is_fused(const core::Graph& g) {
    return count(g, "SparseFillEmptyRows") + count(g, "Unique") + count(g, "NonZero") + count(g, "Select") ==
           0;
  }
};

static const std::vector<int64_t> valid_ids{1, 3, 0, 4, 2}, some_invalid{1, 3, -1, 4, 2};

TEST_F(EmbeddingLookups, RowsWithoutNumbersAreZeros) {
  const std::vector<std::pair<const char*, std::vector<double>>> combiners{
      {"SparseSegmentSum", {16, 22, 0, 0, 0, 0, 26, 34}},
      {"SparseSegmentMean", {8, 11, 0, 0, 0, 0, 13, 17}},
      {"SparseSegmentSqrtN", {11.3137085, 15.5563492, 0, 0, 0, 0, 18.3847763, 24.0416306}}};
  for (const auto& [op, expected] : combiners)
    for (const bool identities : {false, true}) {
      LookupForm f;
      f.op = op;
      f.identities = identities;
      const auto g = prepare(lookup_graph(f));
      // Numbers below zero choose the row of zeros behind the table, which needs a Select.
      EXPECT_EQ(count(*g, "SparseFillEmptyRows") + count(*g, "Unique") + count(*g, "NonZero"), 0U);
      EXPECT_EQ(count(*g, "EmbeddingSegmentsSum"), op == std::string("SparseSegmentSum") ? 1U : 2U);
      EXPECT_NE(g->find("y"), core::no_node);
      expect(*g, some_invalid, expected);
      f.retains = false;
      const auto whole = prepare(lookup_graph(f));
      EXPECT_TRUE(is_fused(*whole));
      auto with_row = expected;
      with_row[2] = 1;
      with_row[3] = 2;
      expect(*whole, valid_ids, with_row);
    }
}

TEST_F(EmbeddingLookups, RowsWithoutNumbersAreARowOfTheTable) {
  LookupForm f;
  f.zeros = false;
  const auto g = prepare(lookup_graph(f));
  EXPECT_EQ(count(*g, "SparseFillEmptyRows") + count(*g, "Unique"), 0U);
  expect(*g, some_invalid, {16, 22, 7, 11, 7, 11, 26, 34});
  f.op = "SparseSegmentMean";
  f.retains = f.unique = false;
  const auto mean = prepare(lookup_graph(f));
  EXPECT_TRUE(is_fused(*mean));
  expect(*mean, valid_ids, {8, 11, 1, 2, 7, 11, 13, 17});
}

TEST_F(EmbeddingLookups, OlderReleasesReadIt) {
  options_ = {{"target", std::string("2021.4")}};
  const std::string written = app::to_text(*prepare(lookup_graph({})));
  for (int newer = 8; newer <= 16; ++newer)
    EXPECT_EQ(written.find(text("@opset", newer)), std::string::npos) << written;
}

TEST_F(EmbeddingLookups, EqualNumbersNeedNoListOfTheirOwn) {
  LookupForm f;
  f.fills = f.retains = false;
  const auto g = prepare(lookup_graph(f));
  EXPECT_TRUE(is_fused(*g));
  EXPECT_EQ(count(*g, "Gather"), 1U);  // of the last segment
  expect(*g, valid_ids, {16, 22, 1, 2, 0, 0, 26, 34});
}

TEST_F(EmbeddingLookups, WhatReadsTheSumItselfSeesTheRowThatIsFilledIn) {
  const auto g = prepare(lookup_graph({}, {"sum"}));
  EXPECT_EQ(count(*g, "SparseFillEmptyRows"), 1U);  // says which rows are empty
  expect(*g, some_invalid, {16, 22, 0, 0, 0, 0, 26, 34});
  expect(*g, some_invalid, {-16, -22, -1, -2, -1, -2, -26, -34}, 1);
}

TEST_F(EmbeddingLookups, SumsByAnotherColumnStay) {
  LookupForm f;
  f.column = 1;
  f.zeros = false;
  const auto g = prepare(lookup_graph(f), core::Stage::front);
  EXPECT_EQ(count(*g, "SparseFillEmptyRows"), 1U);
  EXPECT_EQ(count(*g, "NonZero"), 1U);
}

TEST_F(EmbeddingLookups, OtherConditionsStay) {
  GraphDef model;
  model.placeholder("condition", TfType::boolean, {4}).placeholder("x", TfType::f32, {5, 2});
  model.constant("ids", tf_i32({4}, {0, 1, 2, 3})).constant("rows", tf_i32({4}, {0, 0, 1, 3}));
  model.node("SparseSegmentSum", "sum", {"x", "ids", "rows"}, {t_float});
  model.node("ZerosLike", "zeros", {"sum"}, {t_float});
  model.node("Select", "y", {"condition", "zeros", "sum"}, {t_float});
  const auto g = prepare(model);
  EXPECT_EQ(count(*g, "Select"), 1U);
  EXPECT_EQ(count(*g, "EmbeddingSegmentsSum"), 1U);
}

}  // namespace mo::test
