#include "tests/plugins/opset/op_case.hpp"

namespace mo::test {
namespace {

MO_OP_TABLE(
    Reduce,
    {
        {"ReduceSum@opset1", {"f32[2,3] {1,2,3,4,5,6}", "i64[1] {1}"}, "", "f32[2] {6,15}"},
        {"ReduceSum@opset1", {"i32[2,3] {1,2,3,4,5,6}", "i64[1] {0}"}, "keep_dims=true", "i32[1,3] {5,7,9}"},
        {"ReduceSum@opset1", {"f32[2,3] {1,2,3,4,5,6}", "i64[2] {-1,0}"}, "", "f32[] {21}"},
        {"ReduceSum@opset1", {"f32[2] {1,2}", "i64[0] {}"}, "", "f32[2] {1,2}"},
        {"ReduceSum@opset1", {"f32[0,2]", "i64[] {0}"}, "", "f32[2]"},
        {"ReduceMean@opset1", {"f32[2,2] {1,2,3,5}", "i64[1] {1}"}, "", "f32[2] {1.5,4}"},
        {"ReduceMean@opset1", {"i32[2] {-3,0}", "i64[1] {0}"}, "", "i32[] {-1}"},
        {"ReduceProd@opset1", {"i64[3] {2,3,4}", "i64[1] {0}"}, "keep_dims=true", "i64[1] {24}"},
        {"ReduceL1@opset4", {"f32[3] {-1,2,-3}", "i64[1] {0}"}, "", "f32[] {6}"},
        {"ReduceL2@opset4", {"f32[2] {3,-4}", "i64[1] {0}"}, "", "f32[] {5}"},
        {"ReduceMax@opset1", {"i8[2,2] {-1,-2,-3,-4}", "i64[1] {0}"}, "", "i8[2] {-1,-2}"},
        {"ReduceMin@opset1", {"f32[2,2] {1,2,3,4}", "i64[1] {1}"}, "", "f32[2] {1,3}"},
        // of nothing
        {"ReduceMax@opset1", {"f32[2,0] {}", "i64[1] {1}"}, "", "f32[2] {-inf,-inf}"},
        {"ReduceMin@opset1", {"f16[0] {}", "i64[1] {0}"}, "", "f16[] {inf}"},
        {"ReduceMax@opset1", {"i8[2,0] {}", "i64[1] {1}"}, "", "i8[2] {-128,-128}"},
        {"ReduceLogicalAnd@opset1",
         {"boolean[2,2] {true,true,false,true}", "i64[1] {1}"},
         "",
         "boolean[2] {1,0}"},
        {"ReduceLogicalOr@opset1",
         {"boolean[2,2] {false,false,false,true}", "i64[1] {1}"},
         "",
         "boolean[2] {0,1}"},
        // partly known
        {"ReduceSum@opset1", {"f32[?,3,1..4]", "i64[1] {1}"}, "", "f32[?,1..4]"},
        {"ReduceSum@opset1", {"f32[2,3,4]", "i64[1]"}, "", "f32[2..3,3..4]"},
        {"ReduceSum@opset1", {"f32[2,3,4]", "i64[1]"}, "keep_dims=true", "f32[1..2,1..3,1..4]"},
        {"ReduceSum@opset1", {"f32[2,3,4]", "i64[3]"}, "keep_dims=true", "f32[1,1,1]"},
        {"ReduceSum@opset1", {"f32[2,3,4]", "i64[?]"}, "", "f32[...]"},
        {"ReduceSum@opset1", {"f32[...]", "i64[1] {1}"}, "", "f32[...]"},
        {"ReduceProd@opset1", {"shape [1..3,4]", "i64[1] {0}"}, "", "i64[] 4..12"},
        {"ReduceSum@opset1", {"shape [1..3,4]", "i64[1] {0}"}, "", "i64[] 5..7"},
        {"ReduceMax@opset1", {"shape [1..6,4]", "i64[1] {0}"}, "", "i64[] 4..6"},
        {"ReduceMin@opset1", {"shape [1..6,4]", "i64[1] {0}"}, "", "i64[] 1..4"},
        {"ReduceMean@opset1", {"shape [1..6,4]", "i64[1] {0}"}, "keep_dims=true", "i64[1] 2..5"},
        {"ReduceL1@opset4", {"shape [1..6,4]", "i64[1] {0}"}, "", "i64[] 5..10"},
        // errors
        {"ReduceSum@opset1", {"f32[2,3]", "i64[1] {2}"}, "", "error: axes is 2 but the rank is 2"},
        {"ReduceSum@opset1", {"f32[2,3]", "i64[2] {1,-1}"}, "", "error: names dimension 1 twice"},
        {"ReduceSum@opset1", {"f32[2,3]", "i64[3]"}, "", "error: axes have 3 entries but the rank is 2"},
        {"ReduceSum@opset1", {"f32[2,3]", "f32[1]"}, "", "error: expected an integer type"},
        {"ReduceSum@opset1", {"boolean[2,3]", "i64[1]"}, "", "error: expected a number"},
        {"ReduceLogicalOr@opset1", {"f32[2,3]", "i64[1]"}, "", "error: expected boolean"},
    });

}  // namespace
}  // namespace mo::test
