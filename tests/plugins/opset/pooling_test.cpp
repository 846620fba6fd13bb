#include "tests/plugins/opset/op_case.hpp"

namespace mo::test {
namespace {

const std::string pool = "kernel=[3,2], strides=[2,2], pads_begin=[0,0], pads_end=[0,0]";

MO_OP_TABLE(
    Pooling,
    {
        {"MaxPool@opset1", {"f32[1,3,10,10]"}, pool, "f32[1,3,4,5]"},
        {"MaxPool@opset1", {"f32[1,3,10,10]"}, pool + ", rounding_type=\"ceil\"", "f32[1,3,5,5]"},
        {"MaxPool@opset1", {"f32[1,3,10,10]"}, pool + ", auto_pad=\"same_lower\"", "f32[1,3,5,5]"},
        {"MaxPool@opset1", {"i8[1,3,10,10]"}, pool + ", auto_pad=\"valid\"", "i8[1,3,4,5]"},
        {"MaxPool@opset1", {"f32[?,3,5..12,2..]"}, pool, "f32[?,3,2..5,1..]"},
        {"MaxPool@opset1", {"f32[1,3,1..12,7]"}, pool, "f32[1,3,1..5,3]"},
        {"MaxPool@opset1", {"f32[...]"}, pool, "f32[?,?,1..,1..]"},
        {"MaxPool@opset1", {"f32[1,3,2,10]"}, pool, "error: the window spans 3 elements"},
        {"MaxPool@opset1", {"f32[1,3,10]"}, pool, "error: attribute 'kernel' is [3,2]; expected 1 numbers"},
        {"MaxPool@opset1", {"f32[1,3]"}, pool, "error: expected rank 3 to 5"},
        {"MaxPool@opset1",
         {"boolean[1,3,5,5]"},
         pool,
         "error: input 0 has element type boolean; expected a number"},
        {"MaxPool@opset1",
         {"f32[1,3,10,10]"},
         "kernel=[0,2], strides=[2,2], pads_begin=[0,0], pads_end=[0,0]",
         "error: attribute 'kernel' is [0,2]; expected numbers of at least 1"},
        {"MaxPool@opset1",
         {"f32[1,3,10,10]"},
         "kernel=[2,2], strides=[2,2], pads_begin=[-1,0], pads_end=[0,0]",
         "error: attribute 'pads_begin' is [-1,0]"},
        {"MaxPool@opset1",
         {"f32[1,3,10,10]"},
         "kernel=[2,2], strides=[2,2], pads_begin=[0,0]",
         "error: 'pads_end'"},

        {"MaxPool@opset8",
         {"f32[1,3,10,10]"},
         pool + ", dilations=[2,1], index_element_type=i32, axis=2",
         "f32[1,3,3,5]; i32[1,3,3,5]",
         2},
        {"MaxPool@opset8", {"f32[1,3,4..6,10]"}, pool, "f32[1,3,1..2,5]; i64[1,3,1..2,5]", 2},
        {"MaxPool@opset8",
         {"f32[1,3,10,10]"},
         pool + ", axis=4",
         "error: attribute 'axis' is 4 but the rank is 4",
         2},
        {"MaxPool@opset8",
         {"f32[1,3,10,10]"},
         pool + ", index_element_type=f32",
         "error: expected i32 or i64",
         2},
        {"MaxPool@opset8", {"f32[1,3,10,10]"}, pool, "error: 1 outputs, expected 2"},

        {"AvgPool@opset1", {"f32[1,3,10,10]"}, pool + ", exclude-pad=true", "f32[1,3,4,5]"},
        {"AvgPool@opset1",
         {"f32[1,3,10,10]"},
         "kernel=[2,2], strides=[1,1], pads_begin=[2,0], pads_end=[0,0], exclude-pad=false",
         "f32[1,3,11,9]"},
        {"AvgPool@opset1",
         {"f32[1,3,10,10]"},
         "kernel=[2,2], strides=[1,1], pads_begin=[2,0], pads_end=[0,0], exclude-pad=true",
         "error: expected less than the kernel, 2"},
        {"AvgPool@opset1", {"f32[1,3,10,10]"}, pool, "error: 'exclude-pad'"},
    });

}  // namespace
}  // namespace mo::test
