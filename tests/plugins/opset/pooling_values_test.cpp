// Values of pooling, computed with numpy or taken from the specification.
#include "tests/plugins/opset/op_case.hpp"

namespace mo::test {
namespace {

MO_OP_TABLE(
    PoolingValues,
    {
        {"MaxPool@opset1", {"f32[1,2,5] {1,-2,3,0,0,1,-2,3,-3,-2}"}, "kernel=[2], strides=[2], pads_begin=[0], pads_end=[1]", "f32[1,2,3] {1,3,0,1,3,-2}"},
        {"MaxPool@opset1", {"f32[1,1,4,5] {3,-1,-1,-3,3,1,-3,1,-3,0,-1,3,0,1,1,2,-3,-3,2,-3}"}, "kernel=[3,2], strides=[2,2], pads_begin=[1,0], pads_end=[1,1]", "f32[1,1,2,3] {3,1,3,3,2,1}"},
        {"MaxPool@opset1", {"i8[1,1,4,5] {0,2,-3,-1,-3,-2,3,3,1,3,-2,0,0,-3,0,-3,-2,-3,-3,3}"}, "kernel=[3,2], strides=[2,3], pads_begin=[1,0], pads_end=[0,0], rounding_type=\"ceil\"", "i8[1,1,2,2] {3,3,3,3}"},
        {"MaxPool@opset1", {"u16[1,1,4,5] {7,7,3,0,7,7,7,0,5,4,3,1,3,1,3,4,3,1,5,1}"}, "kernel=[3,2], strides=[2,3], pads_begin=[1,0], pads_end=[0,0], auto_pad=\"same_lower\"", "u16[1,1,2,2] {7,7,7,5}"},
        {"MaxPool@opset1", {"f16[1,1,2,3,3] {-1,0,-1,-1,2,0,0,-1,-3,1,2,0,-2,-2,1,0,3,3}"}, "kernel=[2,2,2], strides=[1,1,1], pads_begin=[0,1,0], pads_end=[0,0,0], auto_pad=\"explicit\"", "f16[1,1,1,3,2] {2,2,2,2,3,3}"},
        {"MaxPool@opset8", {"f32[1,2,5] {1,1,2,1,0,0,-3,1,0,-3}"}, "kernel=[2], strides=[2], pads_begin=[1], pads_end=[0]", "f32[1,2,3] {1,2,1,0,1,0}; i64[1,2,3] {0,2,3,5,7,8}", 2},
        {"MaxPool@opset8", {"f32[1,2,4,4] {2,6,4,-2,-6,3,3,6,-1,-3,-3,3,-2,8,1,6,-4,-5,0,0,-9,-7,3,-3,-1,-7,1,5,8,-3,1,8}"}, "kernel=[2,2], strides=[1,2], pads_begin=[0,1], pads_end=[1,0], dilations=[2,1], axis=2, index_element_type=i32", "f32[1,2,3,2] {2,6,-2,8,-1,-3,-1,1,8,3,-1,1}; i32[1,2,3,2] {0,1,12,13,8,9,8,10,12,6,8,10}", 2},
        {"MaxPool@opset8", {"i32[2,2,3,3] {-4,6,8,3,0,-1,6,-4,0,-5,3,0,2,-3,-8,2,3,3,4,-5,-2,0,-3,6,2,7,-4,-6,4,-9,-8,4,-1,5,4,0}"}, "kernel=[2,2], strides=[2,2], pads_begin=[0,0], pads_end=[0,0], rounding_type=\"ceil\", axis=1", "i32[2,2,2,2] {6,8,6,0,3,0,3,3,4,6,7,-4,4,-1,5,0}; i64[2,2,2,2] {1,2,6,8,10,11,16,17,0,5,7,8,10,14,15,17}", 2},
        {"MaxPool@opset8", {"f64[2,1,2,2,2] {1,-9,-7,7,-3,0,0,4,2,-8,5,7,7,8,5,-8}"}, "kernel=[1,2,2], strides=[1,1,1], pads_begin=[0,0,0], pads_end=[0,0,0], axis=-1", "f64[2,1,2,1,1] {7,4,7,8}; i64[2,1,2,1,1] {1,1,1,1}", 2},
        {"MaxPool@opset14", {"f32[1,2,5] {2,0,-1,-3,2,-1,-1,3,1,-1}"}, "kernel=[2], strides=[2], pads_begin=[1], pads_end=[1], rounding_type=\"ceil\"", "f32[1,2,4] {2,0,2,-inf,-1,3,1,-inf}; i64[1,2,4] {0,1,4,-1,5,7,8,-1}", 2},
        {"AvgPool@opset1", {"f32[1,2,5] {0,1,-3,-2,1,-2,1,3,0,3}"}, "kernel=[2], strides=[2], pads_begin=[0], pads_end=[1], exclude-pad=false", "f32[1,2,3] {0.5,-2.5,0.5,-0.5,1.5,1.5}"},
        {"AvgPool@opset1", {"f32[1,1,4,5] {-4,4,-8,-12,-4,4,-12,-12,4,-8,12,-12,-4,-12,0,8,8,-12,-8,0}"}, "kernel=[2,2], strides=[2,2], pads_begin=[1,1], pads_end=[1,0], exclude-pad=false", "f32[1,1,3,3] {-1,-1,-4,4,-10,-4,2,-1,-2}"},
        {"AvgPool@opset1", {"f32[1,1,4,5] {-12,-36,-36,12,24,12,0,24,-24,24,36,-12,12,-36,12,-12,-12,-36,36,36}"}, "kernel=[2,2], strides=[2,2], pads_begin=[1,1], pads_end=[1,0], exclude-pad=true", "f32[1,1,3,3] {-12,-36,18,24,6,-6,-12,-24,36}"},
        {"AvgPool@opset1", {"f16[1,1,4,5] {36,24,0,-24,24,-36,0,-24,-12,-36,-24,0,0,12,36,24,0,-24,24,36}"}, "kernel=[2,2], strides=[2,3], pads_begin=[1,0], pads_end=[1,0], rounding_type=\"ceil\", exclude-pad=true", "f16[1,1,3,2] {30,0,-15,0,12,30}"},
        {"AvgPool@opset1", {"f64[1,1,4,5] {36,12,0,12,-36,-24,-12,-12,-36,12,0,-24,-36,12,36,-24,36,-36,24,-12}"}, "kernel=[2,2], strides=[2,3], pads_begin=[1,0], pads_end=[1,0], rounding_type=\"ceil\", exclude-pad=false", "f64[1,1,3,2] {12,-6,-15,6,3,3}"},
        {"AvgPool@opset1", {"i32[1,1,4,5] {5,5,5,5,0,-10,-5,-15,10,-5,-10,15,-5,10,10,10,15,10,-15,-5}"}, "kernel=[2,2], strides=[2,2], pads_begin=[0,0], pads_end=[0,0], auto_pad=\"same_upper\", exclude-pad=false", "i32[1,1,2,3] {-1,1,-1,8,0,1}"},
        {"AvgPool@opset1", {"f32[1,1,2,3,3] {36,36,12,36,36,24,-12,12,36,-36,24,0,0,-36,36,12,24,-36}"}, "kernel=[2,2,2], strides=[1,1,1], pads_begin=[0,1,0], pads_end=[0,0,1], exclude-pad=true", "f32[1,1,1,3,3] {15,18,6,12,16.5,18,9,12,15}"},
        {"AvgPool@opset14", {"f32[1,2,5] {24,-24,12,36,36,36,-12,24,36,-24}"}, "kernel=[3], strides=[2], pads_begin=[1], pads_end=[1], rounding_type=\"ceil\", exclude-pad=true", "f32[1,2,3] {0,8,36,12,16,6}"},
        {"AvgPool@opset14", {"f32[1,2,5] {36,-24,0,12,-36,0,24,36,12,-36}"}, "kernel=[3], strides=[2], pads_begin=[1], pads_end=[1], rounding_type=\"floor\", exclude-pad=false", "f32[1,2,3] {4,-4,-8,8,24,-8}"},
        {"AvgPool@opset16", {"f32[1,2,6] {12,-24,24,-12,0,0,12,-36,24,0,24,24}"}, "kernel=[2], strides=[2], pads_begin=[1], pads_end=[1], rounding_type=\"floor\", exclude-pad=true", "f32[1,2,4] {12,0,-6,0,12,-6,12,24}"},
        {"AdaptiveAvgPool@opset8", {"f32[1,2,6] {24,36,0,36,24,-12,0,36,-24,-24,-36,12}", "i64[1] {4}"}, "", "f32[1,2,4] {30,18,30,6,18,6,-30,-12}"},
        {"AdaptiveAvgPool@opset8", {"f32[2,1,4,6] {-12,-12,0,0,-24,-12,-36,-36,24,-36,12,-24,-12,0,12,-36,-12,-24,0,-24,24,24,36,-36,-24,0,0,0,-12,12,-12,-36,-12,36,12,-24,-36,-12,-36,36,-12,24,-12,36,12,0,-24,12}", "i64[2] {2,3}"}, "", "f32[2,1,2,3] {-24,-3,-12,-9,6,-9,-18,6,-3,-6,3,0}"},
        {"AdaptiveAvgPool@opset8", {"f16[1,1,3,4,2] {24,12,24,36,-24,-24,-24,12,-36,12,-12,12,36,24,0,0,24,-12,36,36,36,12,0,-12}", "i64[3] {2,2,1}"}, "", "f16[1,1,2,2,1] {9,0,7.5,12}"},
        {"AdaptiveMaxPool@opset8", {"f32[1,2,5] {3,-4,5,-4,2,-7,7,0,-7,1}", "i64[1] {3}"}, "", "f32[1,2,3] {3,5,2,7,7,1}; i64[1,2,3] {0,2,4,1,1,4}", 2},
        {"AdaptiveMaxPool@opset8", {"f64[1,2,4,5] {-5,-6,-5,-1,-2,1,7,-7,-2,1,-1,-5,-9,8,7,8,7,1,-9,-7,6,8,1,-9,-9,-7,-6,0,-6,-3,4,2,2,-5,-7,-2,0,1,-1,-3}", "i64[2] {3,2}"}, "index_element_type=i32", "f64[1,2,3,2] {7,1,7,8,8,8,8,1,4,2,4,2}; i32[1,2,3,2] {6,9,6,13,15,13,1,2,10,12,10,12}", 2},
        {"AdaptiveMaxPool@opset8", {"f32[1,1,2,3,4] {8,7,-2,-5,5,-6,7,5,3,-5,7,-1,-9,-2,2,-4,3,-8,8,-3,2,-4,-5,-9}", "i64[3] {2,2,2}"}, "", "f32[1,1,2,2,2] {8,7,5,7,3,8,3,8}; i64[1,1,2,2,2] {0,6,4,6,16,18,16,18}", 2},
    });

const std::string ones = "kernel=[2,2], strides=[1,1]", twos = "kernel=[2,2], strides=[2,2]";

MO_OP_TABLE(
    PoolingForms,
    {
        // The examples of the specification. The first has -6 for max(3, -6), which is not meant.
        {"MaxPool@opset8", {"f32[1,1,3,3] {-1,2,3,4,5,-6,-7,8,9}"}, ones + ", pads_begin=[1,1], pads_end=[1,1]", "f32[1,1,4,4] {-1,2,3,3,4,5,5,3,4,8,9,9,-7,8,9,9}; i64[1,1,4,4] {0,1,2,2,3,4,4,2,3,7,8,8,6,7,8,8}", 2},
        {"MaxPool@opset8", {"f32[1,1,7] {-1,2,3,5,-7,9,1}"}, "kernel=[3], strides=[1], pads_begin=[0], pads_end=[0], auto_pad=\"valid\"", "f32[1,1,5] {3,5,5,9,9}; i64[1,1,5] {2,3,3,5,5}", 2},
        {"MaxPool@opset8", {"f32[1,1,3,3] {-1,2,3,4,5,-6,-7,8,9}"}, ones + ", pads_begin=[0,0], pads_end=[0,0], auto_pad=\"same_lower\"", "f32[1,1,3,3] {-1,2,3,4,5,5,4,8,9}; i64[1,1,3,3] {0,1,2,3,4,4,3,7,8}", 2},
        {"MaxPool@opset8", {"f32[1,2,3,3] {-1,2,3,4,5,-6,-7,8,9,2,-1,5,6,-7,1,8,2,-3}"}, ones + ", pads_begin=[0,0], pads_end=[0,0], auto_pad=\"same_upper\"", "f32[1,2,3,3] {5,5,3,8,9,9,8,9,9,6,5,5,8,2,1,8,2,-3}; i64[1,2,3,3] {4,4,2,7,8,8,7,8,8,12,11,11,15,16,14,15,16,17}", 2},
        {"MaxPool@opset14", {"f32[1,1,3,3] {1,2,3,4,5,6,7,8,9}"}, twos + ", pads_begin=[1,1], pads_end=[1,1], rounding_type=\"ceil_torch\"", "f32[1,1,2,2] {1,3,7,9}; i64[1,1,2,2] {0,2,6,8}", 2},
        {"MaxPool@opset14", {"f32[1,1,3,3] {-1,2,3,4,5,-6,-7,8,9}"}, twos + ", pads_begin=[0,0], pads_end=[0,0], auto_pad=\"valid\", rounding_type=\"ceil\"", "f32[1,1,2,2] {5,3,8,9}; i64[1,1,2,2] {4,2,7,8}", 2},
        {"MaxPool@opset8", {"f32[1,1,3,3] {1,2,3,4,5,6,7,8,9}"}, ones + ", dilations=[2,2], pads_begin=[1,1], pads_end=[1,1]", "f32[1,1,3,3] {5,6,5,8,9,8,5,6,5}; i64[1,1,3,3] {4,5,4,7,8,7,4,5,4}", 2},
        {"MaxPool@opset8", {"f32[1,2,3,3] {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18}"}, ones + ", pads_begin=[0,0], pads_end=[0,0], axis=2", "f32[1,2,2,2] {5,6,8,9,14,15,17,18}; i64[1,2,2,2] {4,5,7,8,4,5,7,8}", 2},

        {"MaxPool@opset8", {"f32[1,3,10,10]"}, twos + ", pads_begin=[0,0], pads_end=[0,0], rounding_type=\"ceil_torch\"", "error: 'rounding_type'", 2},
        {"MaxPool@opset14", {"f32[1,3,2..9,7]"}, twos + ", pads_begin=[1,1], pads_end=[1,1], rounding_type=\"ceil_torch\"", "f32[1,3,2..5,4]; i64[1,3,2..5,4]", 2},
        {"MaxPool@opset14", {"f32[...]"}, twos + ", pads_begin=[1,1], pads_end=[1,1], index_element_type=i32", "f32[?,?,1..,1..]; i32[?,?,1..,1..]", 2},
        {"MaxPool@opset14", {"f32[1,3]"}, twos + ", pads_begin=[1,1], pads_end=[1,1]", "error: expected rank 3 to 5", 2},
        {"MaxPool@opset14", {"f32[1,3,4,4]"}, twos + ", pads_begin=[1,1], pads_end=[1,1], axis=-5", "error: attribute 'axis' is -5", 2},
        {"MaxPool@opset8", {"f32[1,1,4] {1,2,3,4}"}, "kernel=[1], strides=[1], pads_begin=[2], pads_end=[0]", "f32[1,1,6] {-inf,-inf,1,2,3,4}; i64[1,1,6] {-1,-1,0,1,2,3}", 2},
        {"MaxPool@opset1", {"f32[1,0,4] {}"}, "kernel=[1], strides=[1], pads_begin=[0], pads_end=[0]", "f32[1,0,4] {}"},
        {"MaxPool@opset1", {"f32[1,1,1] {3}"}, "kernel=[4611686018427387904], strides=[1], pads_begin=[4611686018427387903], pads_end=[0]", "f32[1,1,1] {3}"},
        {"MaxPool@opset1", {"f32[1,1,1] {3}"}, "kernel=[1], strides=[1], pads_begin=[4611686018427387903], pads_end=[0]", "error: larger than any memory"},
        {"AvgPool@opset14", {"f32[1,1,3..8]"}, "kernel=[2], strides=[2], pads_begin=[1], pads_end=[1], exclude-pad=true, rounding_type=\"ceil_torch\"", "f32[1,1,2..5]"},
        {"AvgPool@opset14", {"f32[1,1,3] {1,2,3}"}, "kernel=[2], strides=[2], pads_begin=[1], pads_end=[1], exclude-pad=true, rounding_type=\"ceil_torch\"", "f32[1,1,2] {1,2.5}"},
        {"AvgPool@opset1", {"f32[1,1,3]"}, "kernel=[2], strides=[2], pads_begin=[1], pads_end=[1], exclude-pad=true, rounding_type=\"ceil_torch\"", "error: 'rounding_type'"},
        {"AvgPool@opset16", {"f32[1,3,32,32]"}, "kernel=[5,5], strides=[2,2], dilations=[2,2], pads_begin=[1,1], pads_end=[1,1], exclude-pad=false", "f32[1,3,13,13]"},
        {"AvgPool@opset16", {"f32[1,1,5] {1,2,3,4,5}"}, "kernel=[2], strides=[1], dilations=[3], pads_begin=[1], pads_end=[0], exclude-pad=true", "f32[1,1,3] {3,2.5,3.5}"},
        {"AvgPool@opset16", {"f32[1,1,5] {1,2,3,4,5}"}, "kernel=[2], strides=[1], dilations=[3], pads_begin=[1], pads_end=[0], exclude-pad=false", "f32[1,1,3] {1.5,2.5,3.5}"},
        {"AvgPool@opset16", {"f32[1,1,5]"}, "kernel=[2], strides=[1], dilations=[0], pads_begin=[1], pads_end=[0], exclude-pad=false", "error: attribute 'dilations' is [0]"},
        {"AvgPool@opset16", {"f32[...]"}, "kernel=[2], strides=[1], pads_begin=[1], pads_end=[0], exclude-pad=false", "f32[?,?,1..]"},
        {"AvgPool@opset16", {"f32[1,1,5]"}, "kernel=[2], strides=[1], pads_begin=[4], pads_end=[0], exclude-pad=true", "error: expected less than the kernel, 2"},

        {"AdaptiveAvgPool@opset8", {"f32[1,3,32,32]", "i64[2] {16,8}"}, "", "f32[1,3,16,8]"},
        {"AdaptiveAvgPool@opset8", {"f32[1..2,3,?]", "shape [4..6]"}, "", "f32[1..2,3,4..6]"},
        {"AdaptiveAvgPool@opset8", {"f32[...]", "i64[2] {16,8}"}, "", "f32[?,?,16,8]"},
        {"AdaptiveAvgPool@opset8", {"f32[...]", "i64[?]"}, "", "f32[...]"},
        {"AdaptiveAvgPool@opset8", {"f32[2,3,4,5]", "i32[2]"}, "", "f32[2,3,?,?]"},
        {"AdaptiveAvgPool@opset8", {"f32[2,3,4,5]", "i64[1] {3}"}, "", "error: the output size has 1 entries; expected 2"},
        {"AdaptiveAvgPool@opset8", {"f32[2,3]", "i64[1] {3}"}, "", "error: expected rank 3 to 5"},
        {"AdaptiveAvgPool@opset8", {"f32[2,3,4]", "i64[1] {-3}"}, "", "error: expected 0 or more"},
        {"AdaptiveAvgPool@opset8", {"i32[2,3,4]", "i64[1] {3}"}, "", "error: expected a floating-point type"},
        {"AdaptiveAvgPool@opset8", {"f32[2,3,4]", "i64[4] {1,1,1,1}"}, "", "error: expected 1 to 3"},
        {"AdaptiveAvgPool@opset8", {"f32[1,1,2] {1,2}", "i64[1] {0}"}, "", "f32[1,1,0] {}"},
        {"AdaptiveAvgPool@opset8", {"f32[1,1,2] {1,2}", "i64[1] {1000000000000}"}, "", "f32[1,1,1000000000000]"},
        {"AdaptiveMaxPool@opset8", {"f32[1,3,32,32]", "i64[2] {16,8}"}, "index_element_type=i32", "f32[1,3,16,8]; i32[1,3,16,8]", 2},
        {"AdaptiveMaxPool@opset8", {"f32[1,3,2..9]", "shape [2..3]"}, "", "f32[1,3,2..3]; i64[1,3,2..3]", 2},
        {"AdaptiveMaxPool@opset8", {"f32[1,3,9]", "i64[1] {3}"}, "index_element_type=u8", "error: expected i32 or i64", 2},
    });

}  // namespace
}  // namespace mo::test
