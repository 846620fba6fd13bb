// Bounds that follow from what an operation can answer at all, or from constants beside them.
#include "tests/plugins/opset/op_case.hpp"

namespace mo::test {
namespace {

MO_OP_TABLE(
    NarrowBounds,
    {
        {"Bucketize@opset3", {"f32[2]", "f32[3]"}, "", "i64[2] 0..3,0..3"},
        {"Bucketize@opset3", {"f32[1]", "f32[1..4]"}, "output_type=i32", "i32[1] 0..4"},
        {"Bucketize@opset3", {"f32[?]", "f32[3]"}, "", "i64[?]"},
        {"Bucketize@opset3", {"f32[1]", "f32[0]"}, "", "i64[1]"},
        {"Bucketize@opset3", {"shape [1..9]", "i64[2] {2,5}"}, "", "i64[1] 0..2"},
        {"Bucketize@opset3", {"shape [3..9]", "i64[2] {3,9}"}, "with_right_bound=false", "i64[1] 1..2"},
        {"Bucketize@opset3", {"f32 shape [3..4]", "f32[2] {2.5,3.5}"}, "", "i64[1] 1..2"},

        {"TopK@opset3",
         {"f32[1,3]", "i64[] {2}"},
         "axis=1, mode=\"max\", sort=\"value\"",
         "f32[1,2]; i32[1,2] 0..2,0..2",
         2},
        {"TopK@opset3", {"f32[1]", "i64[] {1}"}, "axis=0, mode=\"max\", sort=\"none\"", "f32[1]; i32[1]", 2},
        {"TopK@opset3",
         {"shape [1..3,2..5,4]", "i64[] {2}"},
         "axis=0, mode=\"max\", sort=\"value\"",
         "i64[2] 4..5,2..4; i32[2] 0..2,0..2",
         2,
         true},
        {"TopK@opset3",
         {"f32 shape [1..3,2..5,4]", "i64[] {2}"},
         "axis=0, mode=\"min\", sort=\"index\"",
         "f32[2] 1..4,1..4; i32[2] 0..2,0..2",
         2,
         true},

        {"CumSum@opset3", {"shape [1..3,2,4..5]", "i64[] {0}"}, "", "i64[3] 1..3,3..5,7..10"},
        {"CumSum@opset3",
         {"shape [1..3,2,4..5]", "i64[] {-1}"},
         "exclusive=true, reverse=true",
         "i64[3] 6..7,4..5,0"},
        {"CumSum@opset3", {"f32 shape [1..3,2]", "i64[] {0}"}, "", "f32[2] 1..3,3..5"},
        {"CumSum@opset3", {"shape [1..3,2]", "i64[]"}, "", "i64[2]", 1, true},

        {"GatherElements@opset6", {"shape [2..3,7]", "i64[3] {1,0,0}"}, "axis=0", "i64[3] 7,2..3,2..3"},
        {"GatherElements@opset6", {"shape [2..3,7]", "i64[1]"}, "axis=0", "i64[1]"},
        {"GatherElements@opset6", {"shape [2..3,7]", "i64[1] {2}"}, "axis=0", "error: index 2 is outside"},
        {"GatherND@opset8", {"shape [2..3,7]", "i64[2,1] {1,0}"}, "", "i64[2] 7,2..3"},
        {"GatherND@opset5", {"f32 shape [2..3,7]", "i32[1] {-1}"}, "", "f32[] 7"},
        {"GatherND@opset8", {"shape [2..3,7]", "i64[1,1] {2}"}, "", "error: index 2 is outside"},
        {"Gather@opset8", {"f32[2..4,3,2..8]", "i64[3]", "i64[]"}, "", "f32[2..4,3,2..8]"},
        {"Gather@opset8", {"f32[4,5,6]", "i64[4,2]", "i64[]"}, "batch_dims=1", "f32[4,2..5,2..6]"},

        {"MatMul@opset1", {"shape [2..3,4]", "i64[2] {10,1}"}, "", "i64[] 24..34"},
        {"MatMul@opset1", {"i64[2,2] {1,2,3,4}", "shape [2..3,4]"}, "", "i64[2] 10..11,22..25"},
        {"MatMul@opset1",
         {"i64[2,2] {1,2,3,4}", "shape [2..3,4]"},
         "transpose_a=true",
         "i64[2] 14..15,20..22"},
        {"MatMul@opset1",
         {"shape [2..3,4]", "i64[3,2] {1,2,3,4,5,6}"},
         "transpose_b=true",
         "i64[3] 10..11,22..25,34..39"},

        {"Squeeze@opset1", {"f32[1,2..4,3]", "i64[1]"}, "", "f32[2..4,3]"},
        {"Squeeze@opset1", {"f32[1,1..4,3]", "i64[1]"}, "", "f32[1..4,3]"},
        {"Squeeze@opset1", {"f32[1,3,1,5]", "i64[2]"}, "", "f32[3,5]"},
        {"Squeeze@opset1", {"f32[2,3]", "i64[1]"}, "", "error: only 0 dimensions can be 1"},

        {"PReLU@opset1", {"f32[2..3,?]", "f32[7]"}, "", "f32[2..3,7]"},
        {"PReLU@opset1",
         {"f32[2,?,?]", "f32[7]"},
         "",
         "f32[2,?,?]"},  // of channels, or of the last dimension
        {"PReLU@opset1", {"f32[2,?,5]", "f32[7]"}, "", "f32[2,7,5]"},
        {"PReLU@opset1", {"f32[2,3,?]", "f32[7]"}, "", "f32[2,3,7]"},
        {"PReLU@opset1", {"f32[?,?]", "f32[4,1]"}, "", "f32[4,?]"},
        {"PReLU@opset1", {"f32[2,1]", "f32[2]"}, "", "error: slope of shape [2] does not fit"},

        {"RandomUniform@opset8",
         {"i64[1] {2}", "f32[] {5}", "f32[] {1.5}"},
         "output_type=f32",
         "error: minval is 5 and maxval 1.5; expected a greater one"},
        {"RandomUniform@opset8", {"i64[1] {2}", "f32[] {1}", "f32[]"}, "output_type=f32", "f32[2]"},
    });

}  // namespace
}  // namespace mo::test
