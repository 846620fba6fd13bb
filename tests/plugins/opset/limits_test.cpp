// What releases of the runtime ask beyond the specification: limits.tsv has each rule that was read, with
// what is done here about it; what is refused is refused by the rows below, for the right releases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "apps/views/text.hpp"
#include "built.hpp"
#include "core/host/host_tables.hpp"
#include "core/infer/infer.hpp"
#include "core/ir/emitter.hpp"
#include "load.hpp"

namespace mo::test {
namespace {

using namespace mo::core;

struct LimitCase {
  std::string name;  // as limits.tsv calls it
  std::string graph;
  std::string refuses;           // the last release that refuses it, or "all"
  std::string takes;             // the first one that takes it; "" = none
  std::string message;           // a part
  std::string first = "2021.4";  // the first release that has the operation
};

void PrintTo(const LimitCase& c, std::ostream* out) { *out << c.name; }

const LimitCase cases[] = {
    {"NormalizeL2", R"(%x = Parameter -> f32[2,3]
       %a = Const -> i64[1] {-1}
       %y = NormalizeL2@opset1 (%x, %a) {eps=0.1, eps_mode="add"}
       Result (%y))",
     "2023.3", "2024.0", "axes count from the start"},
    {"LRN", R"(%x = Parameter -> f32[1,3,2,2]
       %a = Const -> i64[1] {-3}
       %y = LRN@opset1 (%x, %a) {alpha=0.1, beta=0.5, bias=1.0, size=3}
       Result (%y))",
     "all", "", "axes are a list that counts from the start"},
    {"Interpolate linear_onnx", R"(%x = Parameter -> f32[1,2,3,4]
       %s = Const -> i64[1] {8}
       %f = Const -> f32[1] {2}
       %a = Const -> i64[1] {3}
       %y = Interpolate@opset4 (%x, %s, %f, %a) {mode="linear_onnx", shape_calculation_mode="sizes"}
       Result (%y))",
     "all", "", "all of them or the spatial ones"},
    {"Interpolate types", R"(%x = Parameter -> f32[1,2,3,4]
       %s = Const -> i32[2] {6,8}
       %f = Const -> f32[2] {2,2}
       %a = Const -> i64[2] {2,3}
       %y = Interpolate@opset4 (%x, %s, %f, %a) {mode="nearest", shape_calculation_mode="sizes"}
       Result (%y))",
     "2023.3", "2024.0", "sizes and axes are i64"},
    {"Interpolate axes", R"(%x = Parameter -> f32[1,2,3,4]
       %s = Const -> i64[1] {8}
       %f = Const -> f32[1] {2}
       %a = Const -> i64[1] {-1}
       %y = Interpolate@opset4 (%x, %s, %f, %a) {mode="nearest", shape_calculation_mode="sizes"}
       Result (%y))",
     "all", "", "axes count from the start"},
    {"StridedSlice", R"(%x = Parameter -> f32[2]
       %b = Const -> i64[2] {0,1}
       %e = Const -> i64[2] {0,2}
       %s = Const -> i64[2] {1,1}
       %y = StridedSlice@opset1 (%x, %b, %e, %s) {begin_mask=[0,0], end_mask=[0,0], ellipsis_mask=[1,0]}
       Result (%y))",
     "2024.6", "2025.0", "an ellipsis stands for a dimension"},
    {"Pad", R"(%x = Parameter -> f32[1,7,1]
       %b = Const -> i64[3] {0,1,0}
       %y = Pad@opset1 (%x, %b, %b) {pad_mode="reflect"}
       Result (%y))",
     "all", "", "two elements or more"},
    {"Roll", R"(%x = Parameter -> f32[2,3]
       %s = Const -> i64[] {1}
       %a = Const -> i64[2] {0,1}
       %y = Roll@opset7 (%x, %s, %a)
       Result (%y))",
     "2023.3", "2024.0", "lists of one length"},
    {"Tile", R"(%x = Parameter -> f32[2,3]
       %r = Const -> i32[2] {1,2}
       %y = Tile@opset1 (%x, %r)
       Result (%y))",
     "2025.4", "2026.0", "repeats are i64"},
    {"BatchToSpace", R"(%x = Parameter -> f32[4,2,3,1]
       %b = Const -> i32[4] {1,2,1,1}
       %c = Const -> i64[4] {0,0,0,0}
       %y = BatchToSpace@opset2 (%x, %b, %c, %c)
       Result (%y))",
     "all", "", "are i64"},
    {"SpaceToBatch", R"(%x = Parameter -> f32[4,2,3,1]
       %b = Const -> i64[4] {1,2,1,1}
       %c = Const -> i32[4] {0,0,0,0}
       %y = SpaceToBatch@opset2 (%x, %b, %c, %c)
       Result (%y))",
     "all", "", "are i64"},
    {"Unsqueeze", R"(%x = Parameter -> f32[2,3]
       %a = Const -> i64[] {0}
       %y = Unsqueeze@opset1 (%x, %a)
       Result (%y))",
     "2022.3", "2023.0", "axes are a list"},
    {"Einsum result", R"(%x = Parameter -> f32[2,3]
       %y = Einsum@opset7 (%x) {equation="ij"}
       Result (%y))",
     "2022.3", "2023.0", "says what the result is"},
    {"Einsum ellipsis", R"(%x = Parameter -> f32[2,3]
       %y = Einsum@opset7 (%x) {equation="...i->i"}
       Result (%y))",
     "all", "", "an ellipsis of an input"},
    {"GatherElements", R"(%x = Parameter -> f32[2,3]
       %i = Const -> i64[2,1] {-1,0}
       %y = GatherElements@opset6 (%x, %i) {axis=1}
       Result (%y))",
     "2023.3", "2024.0", "indices count from the start"},
    {"ScatterNDUpdate", R"(%x = Parameter -> f32[4]
       %i = Const -> i64[1,1] {-1}
       %u = Parameter -> f32[1]
       %y = ScatterNDUpdate@opset4 (%x, %i, %u)
       Result (%y))",
     "2022.3", "2023.0", "indices count from the start"},
    {"ScatterElementsUpdate", R"(%x = Parameter -> f32[4]
       %i = Const -> i64[1] {-1}
       %u = Parameter -> f32[1]
       %a = Const -> i64[] {0}
       %y = ScatterElementsUpdate@opset3 (%x, %i, %u, %a)
       Result (%y))",
     "2025.4", "2026.0", "indices count from the start"},
    {"ScatterUpdate", R"(%x = Parameter -> f32[4]
       %i = Const -> i64[1] {-1}
       %u = Parameter -> f32[1]
       %a = Const -> i64[] {0}
       %y = ScatterUpdate@opset3 (%x, %i, %u, %a)
       Result (%y))",
     "2023.3", "2024.0", "indices count from the start"},
    {"NonMaxSuppression inputs", R"(%b = Parameter -> f32[1,4,4]
       %s = Parameter -> f32[1,1,4]
       %n = Const -> i64[] {2}
       %y = NonMaxSuppression@opset4 (%b, %s, %n)
       Result (%y))",
     "2022.3", "2023.0", "both thresholds are inputs"},
    {"LSTMSequence", R"(%x = Parameter -> f32[1,2,3]
       %h = Parameter -> f32[1,1,2]
       %n = Const -> i64[1] {2}
       %w = Const -> f32[1,8,3] {0...}
       %r = Const -> f32[1,8,2] {0...}
       %b = Const -> f32[1,8] {0...}
       %y = LSTMSequence@opset1 (%x, %h, %h, %n, %w, %r, %b) {hidden_size=2, direction="forward"} -> (_, _, _)
       Result (%y:0))",
     "2024.6", "2025.0", "peepholes are an input"},
    {"CumSum", R"(%x = Parameter -> f32[2,3]
       %y = CumSum@opset3 (%x) {exclusive=false, reverse=false}
       Result (%y))",
     "all", "", "the axis is an input"},
    {"TopK", R"(%x = Parameter -> f32[2,3]
       %k = Const -> i64[] {0}
       %a = Const -> i64[1] {1}
       %y = TopK@opset3 (%x, %k) {axis=1, mode="max", sort="value"} -> (_, _)
       %z = ReduceSum@opset1 (%y:0, %a) {keep_dims=true}
       Result (%z))",
     "2022.3", "2023.0", "k is 1 or more"},
    {"Transpose", R"(%x = Parameter -> f32[2,3]
       %o = Const -> i64[2] {-1,0}
       %y = Transpose@opset1 (%x, %o)
       Result (%y))",
     "2022.3", "2023.0", "the order counts from the start"},
    {"Reverse", R"(%x = Parameter -> f32[2,3]
       %a = Const -> i64[1] {-1}
       %y = Reverse@opset1 (%x, %a) {mode="index"}
       Result (%y))",
     "2022.3", "2023.0", "axes count from the start"},
    {"ShuffleChannels", R"(%x = Parameter -> f32[2,4]
       %y = ShuffleChannels@opset3 (%x) {axis=1, group=2}
       Result (%y))",
     "2021.4", "2022.1", "the rank is 4 or more"},
    {"PriorBoxClustered", R"(%x = Const -> i64[2] {2,2}
       %i = Const -> i64[2] {32,32}
       %y = PriorBoxClustered@opset1 (%x, %i) {width=[4.0], height=[4.0], step=16.0, offset=0.5, variance=[0.1]}
       Result (%y))",
     "2021.4", "2022.1", "four variances"},
    {"PriorBox", R"(%x = Const -> i64[2] {2,2}
       %i = Const -> i64[2] {32,32}
       %y = PriorBox@opset1 (%x, %i) {fixed_size=[8.0], fixed_ratio=[1.0,2.0], density=[2.0], offset=0.5, step=16.0}
       Result (%y))",
     "all", "", "one fixed_ratio"},
    {"port map", R"(%x = Parameter -> f32[2,3]
       %y = TensorIterator@opset1 (%x) {port_map=["in 0 -> 0 axis=-1", "out 0 <- 0 axis=1"], body=graph {
         %a = Parameter -> f32[2,1]
         %c = Exp@opset1 (%a)
         Result (%c) }}
       Result (%y))",
     "all", "", "slices are counted from the start"},
    {"unread body input", R"(%x = Parameter -> f32[2,3]
       %u = Parameter -> f32[2]
       %y = TensorIterator@opset1 (%x, %u) {port_map=["in 0 -> 0 axis=1", "in 1 -> 1", "out 0 <- 0 axis=1"], body=graph {
         %a = Parameter -> f32[2,1]
         %b = Parameter -> f32[2]
         %c = Exp@opset1 (%a)
         Result (%c) }}
       Result (%y))",
     "2021.4", "2022.1", "the body reads each of its inputs"},
    {"Loop slices", R"(%n = Const -> i64[] {3}
       %go = Const -> boolean[] {true}
       %x = Parameter -> f32[2,3]
       %y = Loop@opset5 (%n, %go, %x) {port_map=["in 2 -> 0 axis=1 start=-1 end=0 stride=-1", "out 0 <- 0 axis=1", "out -1 <- 1 purpose=execution_condition"], body=graph {
         %a = Parameter -> f32[2,1]
         %c = Exp@opset1 (%a)
         %d = Const -> boolean[] {true}
         Result (%c)
         Result (%d) }}
       Result (%y))",
     "2022.3", "2023.0", "single elements from the first to the last"},
    {"TensorIterator inside", R"(%x = Parameter -> f32[2,3]
       %y = TensorIterator@opset1 (%x) {port_map=["in 0 -> 0 axis=1", "out 0 <- 0 axis=1"], body=graph {
         %a = Parameter -> f32[2,1]
         %c = TensorIterator@opset1 (%a) {port_map=["in 0 -> 0 axis=0", "out 0 <- 0 axis=0"], body=graph {
           %b = Parameter -> f32[1,1]
           %d = Exp@opset1 (%b)
           Result (%d) }}
         Result (%c) }}
       Result (%y))",
     "all", "", "does not lie in the body of another"},
    {"LRN bias", R"(%x = Parameter -> f32[1,3,2,2]
       %a = Const -> i64[1] {1}
       %y = LRN@opset1 (%x, %a) {alpha=0.1, beta=0.5, bias=1.5, size=3}
       Result (%y))",
     "all", "", "its bias is an integer"},
    {"sink", R"(%q = Parameter -> f32[1,2,3,4]
       %m = Const -> f32[] {0}
       %s = Const -> f32[] {0.5}
       %t = Parameter -> f32[1,2,1,1]
       %y = ScaledDotProductAttention@opset13 (%q, %q, %q, %m, %s, %t) {causal=false}
       Result (%y))",
     "2025.3", "2025.4", "there is no sink", "2023.3"},
    {"first state", R"(%i = Const -> f32[2] {0,1}
       %r = ReadValue@opset3 (%i) {variable_id="v"}
       %a = Assign@opset3 (%r) {variable_id="v"}
       %y = Exp@opset1 (%r)
       Result (%y))",
     "2023.2", "2023.3", "begins with zeros"},
    {"growing state", R"(%i = Parameter -> f32[2,?]
       %z = Const -> f32[] {0}
       %s = Const -> i64[2] {2,1}
       %b = Broadcast@opset3 (%z, %s) {mode="numpy"}
       %r = ReadValue@opset6 (%b) {variable_id="v", variable_type=f32, variable_shape=shape[2,?]}
       %c = Concat@opset1 (%r, %i) {axis=1}
       %a = Assign@opset6 (%c) {variable_id="v"}
       Result (%c))",
     "2023.2", "2023.3", "one size for all runs", "2022.1"},
    {"pdpd", R"(%x = Parameter -> f32[2,3,4]
       %b = Parameter -> f32[1,3]
       %y = Less@opset1 (%x, %b) {auto_broadcast="pdpd", axis=0}
       Result (%y))",
     "all", "", "no device computes auto_broadcast pdpd"},
    {"pdpd Select", R"(%c = Parameter -> boolean[1]
       %x = Parameter -> f32[2,3]
       %y = Select@opset1 (%c, %x, %x) {auto_broadcast="pdpd"}
       Result (%y))",
     "all", "", "no device computes auto_broadcast pdpd"},
    {"pdpd FakeQuantize", R"(%x = Parameter -> f32[2,3]
       %l = Parameter -> f32[3]
       %h = Parameter -> f32[]
       %y = FakeQuantize@opset1 (%x, %l, %h, %l, %h) {levels=256, auto_broadcast="pdpd"}
       Result (%y))",
     "all", "", "no device computes auto_broadcast pdpd"},
    {"pdpd bits", R"(%x = Parameter -> i32[2,3]
       %b = Parameter -> i32[3]
       %y = BitwiseAnd@opset13 (%x, %b) {auto_broadcast="pdpd"}
       Result (%y))",
     "all", "", "no device computes auto_broadcast pdpd", "2023.2"},
    {"Broadcast pdpd", R"(%x = Parameter -> f32[3]
       %s = Const -> i64[2] {2,3}
       %y = Broadcast@opset1 (%x, %s) {mode="pdpd"}
       Result (%y))",
     "all", "", "no device computes the mode pdpd"},
    {"Interpolate data", R"(%x = Parameter -> f64[1,2,3,4]
       %s = Const -> i64[2] {6,8}
       %f = Const -> f32[2] {2,2}
       %a = Const -> i64[2] {2,3}
       %y = Interpolate@opset4 (%x, %s, %f, %a) {mode="nearest", shape_calculation_mode="sizes"}
       Result (%y))",
     "all", "", "the data are f32, f16, bf16"},
    {"Interpolate scales", R"(%x = Parameter -> f32[1,2,3,4]
       %s = Const -> i64[2] {6,8}
       %f = Const -> f64[2] {2,2}
       %a = Const -> i64[2] {2,3}
       %y = Interpolate@opset4 (%x, %s, %f, %a) {mode="nearest", shape_calculation_mode="scales"}
       Result (%y))",
     "all", "", "scales are f32, f16 or bf16"},
    {"DFT data", R"(%x = Parameter -> f64[4,2]
       %a = Const -> i64[1] {0}
       %y = DFT@opset7 (%x, %a)
       Result (%y))",
     "all", "", "the data are f32, f16 or bf16"},
    {"DFT axes", R"(%x = Parameter -> f32[4,2]
       %a = Const -> u64[1] {0}
       %y = IDFT@opset7 (%x, %a)
       Result (%y))",
     "all", "", "axes and sizes are i32 or i64"},
    {"ScatterNDUpdate indices", R"(%x = Parameter -> f32[4]
       %i = Parameter -> u8[1,1]
       %u = Parameter -> f32[1]
       %y = ScatterNDUpdate@opset4 (%x, %i, %u)
       Result (%y))",
     "all", "", "indices are i32 or i64"},
    {"GatherElements indices", R"(%x = Parameter -> f32[4]
       %i = Parameter -> u8[1]
       %y = GatherElements@opset6 (%x, %i) {axis=0}
       Result (%y))",
     "all", "", "indices are i32 or i64"},
    {"CumSum axis", R"(%x = Parameter -> f32[4]
       %a = Const -> u8[] {0}
       %y = CumSum@opset3 (%x, %a) {exclusive=false, reverse=false}
       Result (%y))",
     "all", "", "the axis is i32 or i64"},
    {"EmbeddingBag indices", R"(%x = Parameter -> f32[5,2]
       %i = Parameter -> i32[4]
       %o = Parameter -> i64[2]
       %y = EmbeddingBagOffsetsSum@opset3 (%x, %i, %o)
       Result (%y))",
     "all", "", "all i32 or all i64"},
    {"EmbeddingBagPacked indices", R"(%x = Parameter -> f32[5,2]
       %i = Parameter -> u8[4,1]
       %y = EmbeddingBagPackedSum@opset3 (%x, %i)
       Result (%y))",
     "all", "", "indices are i32 or i64"},
    {"EmbeddingSegments indices", R"(%x = Parameter -> f32[5,2]
       %i = Parameter -> i32[4]
       %n = Const -> i64[] {2}
       %y = EmbeddingSegmentsSum@opset3 (%x, %i, %i, %n)
       Result (%y))",
     "all", "", "all i32 or all i64"},
    {"pooling of nothing", R"(%x = Parameter -> f32[1,2,4,4]
       %b = Const -> i64[1] {0}
       %e = Const -> i64[1] {0}
       %t = Const -> i64[1] {1}
       %z = StridedSlice@opset1 (%x, %b, %e, %t) {begin_mask=[0], end_mask=[0]}
       %p = AvgPool@opset1 (%z) {strides=[1,1], kernel=[2,2], pads_begin=[0,0], pads_end=[0,0], exclude-pad=true, rounding_type="floor"}
       %y = ShapeOf@opset3 (%p) {output_type=i64}
       Result (%y))",
     "all", "", "batch and channels are 1 or more"},
    {"RandomUniform shape", R"(%s = Parameter -> i16[1]
       %l = Const -> f32[] {0}
       %h = Const -> f32[] {1}
       %y = RandomUniform@opset8 (%s, %l, %h) {output_type=f32, global_seed=1, op_seed=1}
       Result (%y))",
     "all", "", "the shape is i32 or i64", "2022.1"},
    {"Eye", R"(%n = Parameter -> i16[]
       %z = Const -> i16[] {0}
       %y = Eye@opset9 (%n, %n, %z) {output_type=f32}
       Result (%y))",
     "all", "", "the inputs are i32 or i64", "2022.2"},
    {"FakeConvert", R"(%x = Parameter -> f64[4]
       %s = Const -> f64[] {1}
       %y = FakeConvert@opset13 (%x, %s) {destination_type="f8e4m3"}
       Result (%y))",
     "all", "", "data are f32, f16 or bf16", "2023.3"},
    {"Col2Im", R"(%x = Parameter -> f32[1,4,9]
       %s = Const -> u8[2] {4,4}
       %k = Const -> u8[2] {2,2}
       %y = Col2Im@opset15 (%x, %s, %k) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]}
       Result (%y))",
     "all", "", "output_size and kernel_size are i32 or i64", "2024.2"},
    {"SegmentMax", R"(%x = Parameter -> f32[4]
       %i = Parameter -> u8[4]
       %n = Const -> u8[] {3}
       %y = SegmentMax@opset16 (%x, %i, %n) {fill_mode="ZERO"}
       Result (%y))",
     "all", "", "segment_ids and num_segments are i32 or i64", "2025.1"},
    {"infinite attribute", R"(%x = Parameter -> f32[2,3]
       %y = Clamp@opset1 (%x) {min=0.5, max=inf}
       Result (%y))",
     "all", "", "is infinite or no number"},
    {"newer opset", R"(%x = Parameter -> f32[2,3]
       %y = SoftSign@opset9 (%x)
       Result (%y))",
     "2022.1", "2022.2", "the first release that has it is 2022.2"},
    {"empty input", R"(%x = Parameter -> f32[2,0]
       %y = Exp@opset1 (%x)
       Result (%y))",
     "2023.2", "2023.3", "no input or output with a dimension of 0"},
    {"open dimension", R"(%x = Parameter -> f32[2,?]
       %y = Exp@opset1 (%x)
       Result (%y))",
     "2021.4", "2022.1", "needs static shapes"},
    {"u4", R"(%x = Parameter -> u4[2]
       %y = Convert@opset1 (%x) {destination_type=f32}
       Result (%y))",
     "2021.4", "2022.1", "runtimes disagree about the order"},
};

class Limits : public testing::TestWithParam<LimitCase> {
 protected:
  // What is said when the graph is written for a release; empty when it can be.
  static std::string problem(const std::string& graph, std::string_view release) {
    Session session{host_table()};
    load_only(session, {builtin("opset")});
    session.set_option("target", std::string(release));
    const GraphPtr g = app::parse_text(text("mo-graph 1\ngraph \"m\" {\n", graph, "\n}\n"), session.space());
    infer_all(session, *g);
    EmitOptions options;
    options.ir_version = core::find_release(release)->ir_version;
    try {
      check_ir(session, *g, options);
    } catch (const Failure& f) {
      return f.render();
    }
    return {};
  }
};

TEST_P(Limits, AreThoseOfTheRelease) {
  const LimitCase& c = GetParam();
  const std::string last = c.refuses == "all" ? std::string(core::newest_release.name) : c.refuses;
  EXPECT_THAT(problem(c.graph, last), testing::HasSubstr(c.message));
  EXPECT_THAT(problem(c.graph, c.first), testing::HasSubstr(c.message));
  if (!c.takes.empty()) {
    EXPECT_EQ(problem(c.graph, c.takes), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Limits, testing::ValuesIn(cases));

// op, opset, restriction, source, whether newer releases keep it, effect, and what is done here: "limit NAME"
// of a row above, "pass ID" with a golden file, or "no: REASON".
TEST(LimitTable, EachRowSaysWhatIsDone) {
  std::ifstream in(std::string(MO_SOURCE_DIR) + "/tests/plugins/opset/limits.tsv");
  ASSERT_TRUE(in.good());
  std::set<std::string> known, used;
  for (const LimitCase& c : cases) known.insert(c.name);
  std::string line;
  std::getline(in, line);  // the heading
  size_t rows = 0;
  while (std::getline(in, line)) {
    ++rows;
    const size_t tab = line.rfind('\t');
    ASSERT_EQ(std::count(line.begin(), line.end(), '\t'), 6) << line;
    std::string rest = line.substr(tab + 1);
    ASSERT_FALSE(rest.empty()) << line;
    if (rest.starts_with("no: ")) {
      EXPECT_GT(rest.size(), 20U) << line;
      continue;
    }
    for (size_t at = 0; at < rest.size();) {
      const size_t end = std::min(rest.find("; ", at), rest.size());
      const std::string word = rest.substr(at, end - at);
      at = end + 2;
      if (word.starts_with("limit ")) {
        EXPECT_TRUE(known.contains(word.substr(6))) << word;
        used.insert(word.substr(6));
      } else {
        ASSERT_TRUE(word.starts_with("pass ")) << word;
        EXPECT_TRUE(std::filesystem::exists(
            std::string(MO_SOURCE_DIR) + "/tests/plugins/builtin_passes/golden/" + word.substr(5) + ".txt"))
            << word;
      }
    }
  }
  EXPECT_EQ(rows, 86U);
  EXPECT_EQ(used, known);
}

}  // namespace
}  // namespace mo::test
