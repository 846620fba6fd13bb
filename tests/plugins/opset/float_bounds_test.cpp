// Sizes on their way through floats: Shape -> Cast -> arithmetic -> Cast -> Resize, as exporters write it.
// Expected bounds are the arithmetic of IEEE 754 on the ends, rounded outwards.
#include "tests/plugins/opset/op_case.hpp"

namespace mo::test {
namespace {

MO_OP_TABLE(
    FloatBounds,
    {
        {"Convert@opset1", {"shape [8..16,640]"}, "destination_type=f32", "f32[2] 8..16,640"},
        {"Convert@opset1", {"f32 shape [8..16,640]"}, "destination_type=i64", "i64[2] 8..16,640"},
        {"Convert@opset1", {"f32 shape [8..16,640]"}, "destination_type=f16", "f16[2] 8..16,640"},
        {"Convert@opset1", {"f32 shape [..2,5]"}, "destination_type=boolean", "boolean[2] 0..1,1"},
        // 2^24 + 1 is a tie between two floats, 2049 one between two halves; 70000 is beyond what halves hold
        {"Convert@opset1",
         {"shape [16777217..33554433]"},
         "destination_type=f32",
         "f32[1] 16777216..33554432"},
        {"Convert@opset1", {"shape [2049..2051]"}, "destination_type=f16", "f16[1] 2048..2052"},
        {"Convert@opset1", {"shape [1..70000]"}, "destination_type=f16", "f16[1] 1.."},
        {"Convert@opset1", {"shape [70000..80000]"}, "destination_type=f16", "f16[1]"},
        {"Convert@opset1", {"f32 shape [?,3]"}, "destination_type=i32", "i32[2] 0..,3"},
        {"ConvertLike@opset1", {"shape [2..3]", "f64[]"}, "", "f64[1] 2..3"},

        {"Multiply@opset1", {"f32 shape [8..16,640]", "f32[] {2}"}, "", "f32[2] 16..32,1280"},
        {"Multiply@opset1", {"f32 shape [3..5]", "f32[] {0.5}"}, "", "f32[1] 1..3"},
        {"Multiply@opset1", {"f32 shape [2..5]", "f32[] {-1.5}"}, "", "f32[1] -8..-3"},
        {"Multiply@opset1", {"f32 shape [2..3]", "f32 shape [4..5]"}, "", "f32[1] 8..15"},
        {"Multiply@opset1", {"f32 shape [3..]", "f32[] {2}"}, "", "f32[1] 6.."},
        {"Multiply@opset1", {"f32 shape [3..]", "f32[] {0}"}, "", "f32[1]"},  // infinity times 0
        {"Multiply@opset1", {"f32 shape [2..3,4]", "f32[2]"}, "", "f32[2]"},
        {"Multiply@opset1",
         {"f32 shape [2..3]", "f32[] {1e38}"},
         "",
         "f32[1] 4611686018427387904..",
         1,
         true},
        {"Divide@opset1", {"f32 shape [7..9,640]", "f32[] {2}"}, "", "f32[2] 3..5,320"},
        {"Divide@opset1", {"f32[] {1}", "f32 shape [2..4]"}, "", "f32[1] 0..1"},
        {"Divide@opset1", {"f32[] {12}", "f32 shape [3..]"}, "", "f32[1] 0..4"},
        {"Divide@opset1", {"f32[] {12}", "f32 shape [..3]"}, "", "f32[1]"},  // 12 / 0
        {"Divide@opset1", {"f32 shape [6..]", "f32 shape [2..3]"}, "", "f32[1] 2.."},
        {"Add@opset1", {"f32 shape [2..3,4]", "f32[2] {0.25,-1}"}, "", "f32[2] 2..4,3"},
        {"Subtract@opset1", {"f32 shape [5..7]", "f32 shape [1..2]"}, "", "f32[1] 3..6"},
        {"Subtract@opset1", {"f32[1] {0.5}", "f32 shape [2..3]"}, "", "f32[1] -3..-1"},
        {"Minimum@opset1", {"f32 shape [2..9]", "f32[] {4.5}"}, "", "f32[1] 2..5"},
        {"Maximum@opset1", {"f32 shape [2..9]", "f32[] {4.5}"}, "", "f32[1] 4..9"},
        {"Maximum@opset1", {"f32 shape [..9]", "f32[1] {inf}"}, "", "f32[1]", 1, true},
        {"Minimum@opset1", {"f32 shape [2..9]", "f32[1]"}, "", "f32[1]"},  // may be NaN
        {"Power@opset1", {"f32 shape [2..3]", "f32[] {2}"}, "", "f32[1] 4..9"},
        {"Power@opset1", {"f32 shape [4..9]", "f32[] {0.5}"}, "", "f32[1] 2..3"},
        {"Mod@opset1", {"f32 shape [33..40]", "f32[] {64}"}, "", "f32[1] 33..40"},
        {"FloorMod@opset1", {"f32 shape [..9]", "f32[] {4.5}"}, "", "f32[1] 0..5", 1, true},
        {"Sqrt@opset1", {"f32 shape [4..10]"}, "", "f32[1] 2..4"},
        {"Sqrt@opset1", {"f64 shape [16]"}, "", "f64[1] {4}"},
        {"Log@opset1", {"f32 shape [1..8]"}, "", "f32[1] 0..3"},
        {"Exp@opset1", {"f32 shape [..1]"}, "", "f32[1] 1..3"},
        {"Floor@opset1", {"f32 shape [3..5]"}, "", "f32[1] 3..5"},
        {"Ceiling@opset1", {"f32 shape [3..]"}, "", "f32[1] 3.."},
        {"Round@opset5", {"f32 shape [3..5]"}, "", "f32[1] 3..5"},
        {"Negative@opset1", {"f32 shape [2..5]"}, "", "f32[1] -5..-2"},
        {"ReLU@opset1", {"f32 shape [2..5]"}, "", "f32[1] 2..5"},
        {"Clamp@opset1", {"f32 shape [..9]"}, "min=1.5, max=4.5", "f32[1] 1..5"},
        {"Less@opset1", {"f32 shape [2..3,2..3]", "f32[2] {3.5,2}"}, "", "boolean[2] {1,0}"},
        {"GreaterEqual@opset1", {"f32 shape [2..4]", "f32[] {2.5}"}, "", "boolean[1]", 1, true},
        {"Equal@opset1", {"f32 shape [2..4]", "f32[] {2.5}"}, "", "boolean[1]", 1, true},
        {"Select@opset1", {"boolean[1]", "f32 shape [2..4]", "f32[1] {6.5}"}, "", "f32[1] 2..7", 1, true},

        {"ReduceProd@opset1", {"f32 shape [2..3,4,5]", "i64[1] {0}"}, "", "f32[] 40..60"},
        {"ReduceSum@opset1", {"f32 shape [2..3,4]", "i64[1] {0}"}, "keep_dims=true", "f32[1] 6..7"},
        {"ReduceMean@opset1", {"f32 shape [2..3,4]", "i64[1] {0}"}, "", "f32[] 3..4"},
        {"ReduceMax@opset1", {"f32 shape [2..9,4]", "i64[1] {0}"}, "", "f32[] 4..9"},
        {"ReduceMin@opset1", {"f32 shape [2..9,4]", "i64[1] {0}"}, "", "f32[] 2..4"},
        {"ReduceL1@opset4", {"f32 shape [2..9,4]", "i64[1] {0}"}, "", "f32[] 6..13"},
        {"ReduceL2@opset4", {"f32 shape [3..5,4]", "i64[1] {0}"}, "", "f32[] 5..7"},
        {"ReduceL2@opset4", {"shape [3..5,4]", "i64[1] {0}"}, "", "i64[] 5..6"},

        {"Concat@opset1", {"f32[2] {1,0.5}", "f32 shape [2..3]"}, "axis=0", "f32[3] 1,0..1,2..3"},
        {"Gather@opset8", {"f32 shape [2..3,7]", "i64[] {1}", "i64[] {0}"}, "", "f32[] 7"},
        {"Slice@opset8",
         {"f32 shape [1,3,8..16,640]", "i64[1] {2}", "i64[1] {4}", "i64[1] {1}"},
         "",
         "f32[2] 8..16,640"},
        {"Reshape@opset1", {"f32 shape [2..3,7]", "i64[2] {2,1}"}, "special_zero=true", "f32[2,1] 2..3,7"},
        {"Range@opset4", {"f32[] {0}", "f32 shape [3..5]", "f32[] {0.5}"}, "output_type=f32", "f32[6..10]"},
        {"Range@opset4", {"f32 shape [3..5]", "f32[] {0}", "f32[] {-2}"}, "output_type=f32", "f32[2..3]"},
        {"Range@opset4", {"i64[] {0}", "f32 shape [3..]", "i64[] {1}"}, "output_type=i64", "i64[3..]"},
        {"Interpolate@opset11",
         {"f32[1,3,8,8]", "f32 shape [1,1,2..3,2]"},
         "mode=\"nearest\", shape_calculation_mode=\"scales\"",
         "f32[1,3,16..24,16]"},
        {"Interpolate@opset4",
         {"f32[1,3,4..8,8]", "i64[2]", "f32 shape [2..,3]", "i64[2] {2,3}"},
         "mode=\"nearest\", shape_calculation_mode=\"scales\"",
         "f32[1,3,8..,24]"},
    });

}  // namespace
}  // namespace mo::test
