#include "tests/plugins/opset/op_case.hpp"

namespace mo::test {
namespace {

MO_OP_TABLE(
    RandomUniform,
    {
        {"RandomUniform@opset8", {"i64[2] {2,3}", "f32[] {0}", "f32[] {1}"}, "output_type=f32", "f32[2,3]"},
        {"RandomUniform@opset8", {"i32[0] {}", "f16[1] {0}", "f16[1] {1}"}, "output_type=f16", "f16[]"},
        {"RandomUniform@opset8", {"shape [1..3,4]", "bf16[]", "bf16[]"}, "output_type=bf16", "bf16[1..3,4]"},
        {"RandomUniform@opset8", {"i64[2] {0,3}", "f64[]", "f64[]"}, "output_type=f64", "f64[0,3]"},
        {"RandomUniform@opset8", {"i64[3]", "f32[]", "f32[]"}, "output_type=f32", "f32[?,?,?]"},
        {"RandomUniform@opset8", {"i64[...]", "f32[...]", "f32[]"}, "output_type=f32", "f32[...]"},
        {"RandomUniform@opset8", {"i64[1] {2}", "i64[] {5}", "i64[] {9}"}, "output_type=i64", "i64[2] 5..8,5..8"},
        {"RandomUniform@opset8", {"i64[1] {1}", "shape [2..5]", "i64[] {9}"}, "output_type=i64", "i64[1] 2..8"},
        {"RandomUniform@opset8", {"i64[1] {1}", "i32[] {5}", "i32[] {6}"}, "output_type=i32", "i32[1]"},
        {"RandomUniform@opset8",
         {"i64[1] {2}", "f32[]", "f32[]"},
         "output_type=f32, alignment=\"PYTORCH\", global_seed=3, op_seed=4",
         "f32[2]"},
        {"RandomUniform@opset8", {"i64[1] {2}", "f32[]", "f32[]"}, "", "error: 'output_type'"},
        {"RandomUniform@opset8", {"i64[1] {2}", "u8[]", "u8[]"}, "output_type=u8", "error: 'output_type' is u8"},
        {"RandomUniform@opset8", {"i64[1] {2}", "f16[]", "f32[]"}, "output_type=f32", "error: minval has element type f16"},
        {"RandomUniform@opset8", {"i64[1] {2}", "f32[]", "f32[2]"}, "output_type=f32", "error: expected 1 elements"},
        {"RandomUniform@opset8", {"i64[1] {-2}", "f32[]", "f32[]"}, "output_type=f32", "error: expected 0 or more"},
        {"RandomUniform@opset8", {"f32[1]", "f32[]", "f32[]"}, "output_type=f32", "error: expected an integer type"},
        {"RandomUniform@opset8", {"i64[1] {2}", "i32[] {5}", "i32[] {5}"}, "output_type=i32", "error: expected a greater one"},
        {"RandomUniform@opset8", {"i64[1]", "f32[]", "f32[]"}, "output_type=f32, op_seed=-1", "error: 'op_seed' is -1"},
        {"RandomUniform@opset8",
         {"i64[1]", "f32[]", "f32[]"},
         "output_type=f32, global_seed=-1",
         "error: 'global_seed' is -1"},
        {"RandomUniform@opset8",
         {"i64[1]", "f32[]", "f32[]"},
         "output_type=f32, alignment=\"JAX\"",
         "error: 'alignment'"},
    });

const std::string draw = "convert_type=i64, with_replacement=true, log_probs=false",
                  once = "convert_type=i32, with_replacement=false, log_probs=true";

MO_OP_TABLE(
    Multinomial,
    {
        {"Multinomial@opset13", {"f32[2,3]", "i64[] {2}"}, draw, "i64[2,2] ..2,..2,..2,..2"},
        {"Multinomial@opset13", {"f16[1,3]", "i32[1] {2}"}, once, "i32[1,2] ..2,..2"},
        {"Multinomial@opset13", {"f32[2,?]", "i64[] {2}"}, draw, "i64[2,2]"},
        {"Multinomial@opset13", {"f32[?,3]", "shape [1..9]"}, once, "i32[?,1..3]"},
        {"Multinomial@opset13", {"f32[?,3]", "shape [1..9]"}, draw, "i64[?,1..9]"},
        {"Multinomial@opset13", {"f32[...]", "i64[]"}, draw, "i64[?,?]"},
        {"Multinomial@opset13", {"f32[0,3]", "i64[] {2}"}, draw, "i64[0,2]"},
        {"Multinomial@opset13", {"f32[3]", "i64[] {2}"}, draw, "error: expected rank 2"},
        {"Multinomial@opset13", {"f32[1,3]", "i64[] {-1}"}, draw, "error: num_samples is -1"},
        {"Multinomial@opset13", {"f32[1,3]", "i64[] {4}"}, once, "error: of which none is drawn twice"},
        {"Multinomial@opset13", {"f32[1,0]", "i64[] {4}"}, draw, "error: there are no classes"},
        {"Multinomial@opset13", {"i32[1,3]", "i64[] {4}"}, draw, "error: floating-point type"},
        {"Multinomial@opset13", {"f32[1,3]", "f32[] {4}"}, draw, "error: expected an integer type"},
        {"Multinomial@opset13", {"f32[1,3]", "i64[2]"}, draw, "error: expected 1 elements"},
        {"Multinomial@opset13", {"f32[1,3]", "i64[]"}, "convert_type=i64, with_replacement=true", "error: 'log_probs'"},
        {"Multinomial@opset13", {"f32[1,3]", "i64[]"}, "convert_type=i64, log_probs=true", "error: 'with_replacement'"},
        {"Multinomial@opset13",
         {"f32[1,3]", "i64[]"},
         "convert_type=f32, with_replacement=true, log_probs=true",
         "error: 'convert_type' is f32"},
    });

MO_OP_TABLE(
    Variables,
    {
        {"ReadValue@opset3", {"f32[1,?]"}, "variable_id=\"v\"", "f32[1,?]"},
        {"ReadValue@opset3", {"i64[1] {4}"}, "variable_id=\"v\"", "i64[1]"},
        {"ReadValue@opset3", {}, "variable_id=\"v\"", "error: it has 0 inputs"},
        {"ReadValue@opset6", {"f32[1,2]"}, "variable_id=\"v\"", "f32[1,2]"},
        {"ReadValue@opset6", {}, "variable_id=\"v\", variable_type=f32, variable_shape=shape[1,?]", "f32[1,?]"},
        {"ReadValue@opset6",
         {"f32[1,2]"},
         "variable_id=\"v\", variable_type=f32, variable_shape=shape[1,?]",
         "f32[1,?]"},
        {"ReadValue@opset6", {"f32[...]"}, "variable_id=\"v\", variable_shape=shape[1,?]", "f32[1,?]"},
        {"ReadValue@opset6", {}, "variable_id=\"v\", variable_type=f32", "error: 'variable_shape' is missing"},
        {"ReadValue@opset6", {}, "variable_id=\"v\", variable_shape=shape[1]", "error: 'variable_type' is missing"},
        {"ReadValue@opset6", {"f32[2]"}, "variable_id=\"v\", variable_type=f16", "error: expected f16"},
        {"ReadValue@opset6", {"f32[2]"}, "variable_id=\"v\", variable_shape=shape[3]", "error: expected [3]"},
        {"ReadValue@opset6", {"f32[2]"}, "", "error: 'variable_id'"},
        {"ReadValue@opset6", {"f32[2]"}, "variable_id=\"\"", "error: 'variable_id' is empty"},
        {"Assign@opset3", {"f32[1,?]"}, "variable_id=\"v\"", "f32[1,?]"},
        {"Assign@opset6", {"i64[1] {4}"}, "variable_id=\"v\"", "i64[1]"},
        {"Assign@opset6", {"f32[...]"}, "variable_id=\"v\"", "f32[...]"},
        {"Assign@opset6", {"f32[2]"}, "", "error: 'variable_id'"},
        {"Assign@opset6", {}, "variable_id=\"v\"", "error: it has 0 inputs"},
    });

MO_OP_TABLE(
    Strings,
    {
        {"StringTensorPack@opset15", {"i64[2]", "i64[2]", "u8[13]"}, "", "string[2]"},
        {"StringTensorPack@opset15", {"i32[?,2]", "i32[1..3,?]", "u8[?]"}, "", "string[1..3,2]"},
        {"StringTensorPack@opset15", {"i32[...]", "i32[...]", "u8[...]"}, "", "string[...]"},
        {"StringTensorPack@opset15", {"i64[0]", "i64[0]", "u8[0]"}, "", "string[0]"},
        {"StringTensorPack@opset15", {"i64[2] {0,5}", "i64[2] {5,13}", "u8[9] {1,2,3,4,5,6,7,8,9}"}, "", "error: string 1 goes from 5 to 13"},
        {"StringTensorPack@opset15", {"i64[1] {3}", "i64[1] {2}", "u8[4] {1,2,3,4}"}, "", "error: string 0 goes from 3 to 2"},
        {"StringTensorPack@opset15", {"i64[1] {-3}", "i64[1] {2}", "u8[4] {1,2,3,4}"}, "", "error: string 0 goes from -3"},
        {"StringTensorPack@opset15", {"i64[2]", "i64[3]", "u8[13]"}, "", "error: expected the same"},
        {"StringTensorPack@opset15", {"i64[2]", "i32[2]", "u8[13]"}, "", "error: expected the same"},
        {"StringTensorPack@opset15", {"i64[2]", "i64[2]", "i8[13]"}, "", "error: expected u8"},
        {"StringTensorPack@opset15", {"i64[2]", "i64[2]", "u8[13,1]"}, "", "error: expected rank 1"},
        {"StringTensorPack@opset15", {"f32[2]", "f32[2]", "u8[13]"}, "", "error: expected an integer type"},
        {"StringTensorUnpack@opset15",
         {"string[2] {\"Intel\",\"OpenVINO\"}"},
         "",
         "i32[2] {0,5}; i32[2] {5,13}; u8[13] {73,110,116,101,108,79,112,101,110,86,73,78,79}",
         3},
        {"StringTensorUnpack@opset15",
         {"string[5] {\"OMZ\",\"\",\"GenAI\",\" \",\"2024\"}"},
         "",
         "i32[5] {0,3,3,8,9}; i32[5] {3,3,8,9,13}; u8[13] {79,77,90,71,101,110,65,73,32,50,48,50,52}",
         3},
        {"StringTensorUnpack@opset15", {"string[1..3,?]"}, "", "i32[1..3,?]; i32[1..3,?]; u8[?]", 3},
        {"StringTensorUnpack@opset15", {"string[...]"}, "", "i32[...]; i32[...]; u8[?]", 3},
        {"StringTensorUnpack@opset15", {"string[0,2]"}, "", "i32[0,2]; i32[0,2]; u8[0]", 3},
        {"StringTensorUnpack@opset15", {"u8[2]"}, "", "error: expected string", 3},
    });

}  // namespace
}  // namespace mo::test
