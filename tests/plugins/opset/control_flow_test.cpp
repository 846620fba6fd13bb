#include "tests/plugins/opset/op_case.hpp"

namespace mo::test {
namespace {

std::string body(const std::string& prefix, const std::string& map, const std::string& nodes,
                 const std::string& edges = "") {
  return prefix + "port_map=[" + map + "], " + prefix + "body=graph \"b\" {\n" + nodes + "}" +
         (edges.empty() ? "" : ", " + prefix + "back_edges=[" + edges + "]");
}

std::string if_of(const std::string& then_nodes, const std::string& else_nodes) {
  const std::string map = "\"in 1 -> 0\",\"out 0 <- 0\"";
  return body("then_", map, then_nodes) + ", " + body("else_", map, else_nodes);
}
const std::string same_nodes = "%x = Parameter\nResult (%x)\n";
const std::string twice = "%x = Parameter\n%y = Concat@opset1 (%x, %x) {axis=0}\nResult (%y)\n";
const std::string twice_of = "%x = Parameter\n%y = Add@opset1 (%x, %x)\nResult (%y)\n";
const std::string squeezed =
    "%x = Parameter\n%a = Const -> i64[1] {0}\n%y = Squeeze@opset1 (%x, %a)\nResult (%y)\n";
const std::string negated = "%x = Parameter\n%y = Negative@opset1 (%x)\nResult (%y)\n";
std::string number(const std::string& n) {
  return "%x = Parameter\n%y = Const -> i64[] {" + n + "}\nResult (%y)\n";
}

MO_OP_TABLE(
    If,
    {
        {"If@opset8", {"boolean[] {true}", "i32[2] {1,2}"}, if_of(same_nodes, negated), "i32[2] {1,2}"},
        {"If@opset8", {"boolean[1] {false}", "i32[2] {1,2}"}, if_of(same_nodes, negated), "i32[2] {-1,-2}"},
        {"If@opset8", {"boolean[]", "f32[2,3]"}, if_of(same_nodes, negated), "f32[2,3]"},
        {"If@opset8", {"boolean[]", "f32[2,3]"}, if_of(same_nodes, twice), "f32[2..4,3]"},
        {"If@opset8", {"boolean[]", "f32[2..5,3]"}, if_of(same_nodes, twice), "f32[2..10,3]"},
        {"If@opset8", {"boolean[]", "f32[?,3]"}, if_of(same_nodes, twice), "f32[?,3]"},
        {"If@opset8", {"boolean[]", "f32[1,3]"}, if_of(same_nodes, squeezed), "f32[...]"},
        {"If@opset8", {"boolean[] {true}", "f32[2,3]"}, if_of(same_nodes, squeezed), "f32[2,3]"},
        {"If@opset8", {"boolean[]", "f32[...]"}, if_of(same_nodes, negated), "f32[...]"},
        {"If@opset8", {"boolean[]", "f32[0]"}, if_of(same_nodes, negated), "f32[0]"},
        {"If@opset8", {"boolean[]", "f32[1]"}, if_of(number("3"), number("5")), "i64[] 3..5"},
        {"If@opset8", {"boolean[]", "f32[1]"}, if_of(number("3"), number("3")), "i64[] {3}"},
        {"If@opset8", {"boolean[]", "f32[2,3]"}, if_of(same_nodes, squeezed), "f32[2,3]"},
        {"If@opset8", {"boolean[] {false}", "f32[2,3]"}, if_of(same_nodes, squeezed), "error: expected 1"},
        {"If@opset8", {"boolean[]", "f32[2,3]"}, if_of(squeezed, squeezed), "error: expected 1"},
        {"If@opset8", {"boolean[]", "f32[2]"}, if_of(same_nodes, number("3")), "error: f32 and i64 meet"},
        {"If@opset8", {"boolean[2]", "f32[2]"}, if_of(same_nodes, negated), "error: expected 1 elements"},
        {"If@opset8", {"i32[]", "f32[2]"}, if_of(same_nodes, negated), "error: expected boolean"},
        {"If@opset8",
         {"boolean[]", "f32[2]"},
         body("then_", "\"in 1 -> 0\",\"out 0 <- 0\"", same_nodes),
         "error: 'else_body'"},
        {"If@opset8",
         {"boolean[]", "f32[2]"},
         body("then_", "\"in 1 -> 0\"", same_nodes) + ", " + body("else_", "", same_nodes),
         "error: has entries for 0 of 1 outputs"},
        {"If@opset8",
         {"boolean[]", "f32[2]"},
         body("then_", "\"out 0 <- 0\"", same_nodes) + ", " + body("else_", "", same_nodes),
         "error: has entries for 0 of 1 Parameters"},
        {"If@opset8",
         {"boolean[]", "f32[2]"},
         body("then_", "\"in 2 -> 0\",\"out 0 <- 0\"", same_nodes) + ", " + body("else_", "", same_nodes),
         "error: names input 2 but there are 2"},
        {"If@opset8",
         {"boolean[]", "f32[2]"},
         body("then_", "\"in 0 -> 0\",\"out 0 <- 0\"", same_nodes) + ", " +
             body("else_", "\"in 0 -> 0\",\"out 0 <- 0\"", same_nodes),
         "error: expected a whole input from 1 on"},
    });

const std::string stop = "\"out -1 <- 1 purpose=execution_condition\"",
                  now = "\"in -1 -> 0 purpose=current_iteration\"";

// The sum of an input and the numbers of the iterations, as long as it is below a limit.
const std::string summing = body(
    "", now + ",\"in 2 -> 1\",\"in 3 -> 2\",\"out 0 <- 0\",\"out 1 <- 0 axis=0\"," + stop,
    "%i = Parameter\n%a = Parameter\n%m = Parameter\n%s = Add@opset1 (%a, %i)\n%c = Less@opset1 (%s, %m)\n"
    "Result (%s)\nResult (%c)\n",
    "0,1");
// One more element in each iteration.
const std::string growing = body(
    "", "\"in 2 -> 0\",\"out 0 <- 0\",\"out 1 <- 0 axis=0\"," + stop,
    "%x = Parameter\n%o = Const -> f32[1] {7}\n%y = Concat@opset1 (%x, %o) {axis=0}\n%c = Const -> boolean[] "
    "{true}\nResult (%y)\nResult (%c)\n",
    "0,0");
// The rows of an input, doubled; the condition is the initial one.
const std::string rows =
    body("", "\"in 2 -> 0 axis=0\",\"in 1 -> 1\",\"out 0 <- 0 axis=0\"," + stop,
         "%x = Parameter\n%c = Parameter\n%y = Add@opset1 (%x, %x)\nResult (%y)\nResult (%c)\n", "1,1");
// Twice the value, while it is below 20.
const std::string doubling =
    body("", "\"in 2 -> 0\",\"out 0 <- 0\",\"out 1 <- 0 axis=-1\"," + stop,
         "%x = Parameter\n%m = Const -> i32[] {20}\n%y = Add@opset1 (%x, %x)\n%c = Less@opset1 (%y, %m)\n"
         "Result (%y)\nResult (%c)\n",
         "0,0");

MO_OP_TABLE(
    Loop,
    {
        {"Loop@opset5",
         {"i64[] {4}", "boolean[] {true}", "i64[] {10}", "i64[] {99}"},
         summing,
         "i64[] {16}; i64[4] {10,11,13,16}",
         2},
        {"Loop@opset5",
         {"i64[] {4}", "boolean[] {true}", "i64[] {10}", "i64[] {12}"},
         summing,
         "i64[] {13}; i64[3] {10,11,13}",
         2},
        {"Loop@opset5",
         {"i64[] {4}", "boolean[] {false}", "i64[] {10}", "i64[] {12}"},
         summing,
         "i64[] {10}; i64[0] {}",
         2},
        {"Loop@opset5",
         {"i32[1] {0}", "boolean[1] {true}", "i64[] {10}", "i64[] {12}"},
         summing,
         "i64[] {10}; i64[0] {}",
         2},
        {"Loop@opset5",
         {"i64[] {-1}", "boolean[] {true}", "i32[1] {3}"},
         doubling,
         "i32[1] {24}; i32[3] {6,12,24}",
         2},
        {"Loop@opset5", {"i64[] {-1}", "boolean[] {true}", "i32[1]"}, doubling, "i32[1]; i32[1..]", 2},
        {"Loop@opset5", {"i64[]", "boolean[]", "i32[2]"}, doubling, "i32[2]; i32[?]", 2},
        {"Loop@opset5", {"i64[] {4}", "boolean[] {true}", "i64[]", "i64[]"}, summing, "i64[]; i64[1..4]", 2},
        {"Loop@opset5", {"shape [2..4]", "boolean[]", "i64[]", "i64[]"}, summing, "i64[]; i64[..4]", 2},
        {"Loop@opset5", {"i64[] {3}", "boolean[] {true}", "f32[1]"}, growing, "f32[4]; f32[9]", 2},
        {"Loop@opset5",
         {"i64[] {3}", "boolean[] {true}", "f32[1] {5}"},
         growing,
         "f32[4] {5,7,7,7}; f32[9] {5,7,5,7,7,5,7,7,7}",
         2},
        {"Loop@opset5",
         {"shape [2..5]", "boolean[] {true}", "f32[1..2]"},
         growing,
         "f32[3..7]; f32[5..25]",
         2},
        {"Loop@opset5", {"i64[]", "boolean[] {true}", "f32[1]"}, growing, "f32[1..]; f32[?]", 2},
        {"Loop@opset5",
         {"i64[] {1000}", "boolean[] {true}", "f32[1]"},
         growing,
         "f32[6..]; f32[5990..]",
         2,
         true},
        {"Loop@opset5",
         {"i64[] {3}", "boolean[] {true}", "i32[3,2] {1,2,3,4,5,6}"},
         rows,
         "i32[3,2] {2,4,6,8,10,12}"},
        {"Loop@opset5", {"i64[] {1000000}", "boolean[] {true}", "f32[?,2]"}, rows, "f32[1000000,2]"},
        {"Loop@opset5", {"i64[]", "boolean[] {true}", "f32[...]"}, rows, "f32[...]"},
        {"Loop@opset5", {"f32[]", "boolean[]", "i32[2]"}, doubling, "error: expected an integer type", 2},
        {"Loop@opset5", {"i64[2]", "boolean[]", "i32[2]"}, doubling, "error: expected 1 elements", 2},
        {"Loop@opset5", {"i64[]", "i64[]", "i32[2]"}, doubling, "error: expected boolean", 2},
        {"Loop@opset5",
         {"i64[]", "boolean[]", "f32[2]"},
         body("", "\"in 2 -> 0\",\"out 0 <- 0\"", same_nodes),
         "error: purpose=execution_condition"},
        {"Loop@opset5",
         {"i64[]", "boolean[]", "f32[2]"},
         body("", "\"in 2 -> 0\",\"out 0 <- 0\"", same_nodes, "0"),
         "error: expected pairs"},
        {"Loop@opset5",
         {"i64[]", "boolean[]", "f32[2]"},
         body("", "\"in 2 -> 0\",\"out 0 <- 0\"", same_nodes, "1,0"),
         "error: names Result 1"},
        {"Loop@opset5",
         {"i64[]", "boolean[]", "f32[2]"},
         body("", "\"in 2 -> 0 axis=0\",\"out 0 <- 0\"", same_nodes, "0,0"),
         "error: no whole input"},
        {"Loop@opset5",
         {"i64[]", "boolean[]", "f32[2]"},
         body("", "\"in -1 -> 0\",\"out 0 <- 0\"", same_nodes),
         "error: no input and no purpose"},
        {"Loop@opset5", {"i64[]", "boolean[]"}, "body=graph \"b\" { }", "error: 'port_map'"},
    });

// In each iteration one body or the other.
const std::string nested =
    body("", now + ",\"in 2 -> 1\",\"out 0 <- 0\"," + stop,
         "%i = Parameter\n%a = Parameter\n%k = Const -> i64[] {1}\n%q = Equal@opset1 (%i, %k)\n"
         "%f = If@opset8 \"f\" (%q, %a) {" +
             if_of("%x = Parameter\n%h = Const -> i64[] {100}\n%y = Add@opset1 (%x, %h)\nResult (%y)\n",
                   twice_of) +
             "}\n%c = Const -> boolean[] {true}\nResult (%f)\nResult (%c)\n",
         "0,1");

MO_OP_TABLE(Nested,
            {
                {"Loop@opset5", {"i64[] {3}", "boolean[] {true}", "i64[] {1}"}, nested, "i64[] {204}"},
                {"Loop@opset5", {"i64[] {3}", "boolean[] {true}", "i64[]"}, nested, "i64[]"},
                {"Loop@opset5", {"i64[] {1}", "boolean[] {true}", "i64[2] {1,2}"}, nested, "i64[2] {2,4}"},
                {"Loop@opset5", {"i64[]", "boolean[]", "i64[...]"}, nested, "i64[...]"},
            });

// The running sum of the slices.
std::string iterating(const std::string& slices, const std::string& parts) {
  return body(
      "",
      "\"in 0 -> 0 axis=0 " + slices + "\",\"in 1 -> 1\",\"out 0 <- 0 axis=0 " + parts + "\",\"out 1 <- 0\"",
      "%x = Parameter\n%a = Parameter\n%s = Add@opset1 (%x, %a)\nResult (%s)\n", "0,1");
}
const std::string forward = iterating("", ""),
                  backward = iterating("start=-1 end=0 stride=-1", "start=-1 end=0 stride=-1");
const std::string in_pairs = iterating("stride=2 part_size=2", "stride=2 part_size=2");

MO_OP_TABLE(TensorIterator,
            {
                {"TensorIterator@opset1",
                 {"i32[4] {1,2,3,4}", "i32[1] {0}"},
                 forward,
                 "i32[4] {1,3,6,10}; i32[1] {10}",
                 2},
                {"TensorIterator@opset1",
                 {"i32[4] {1,2,3,4}", "i32[1] {0}"},
                 backward,
                 "i32[4] {10,9,7,4}; i32[1] {10}",
                 2},
                {"TensorIterator@opset1",
                 {"i32[6] {1,2,3,4,5,6}", "i32[2] {0,0}"},
                 in_pairs,
                 "i32[6] {1,2,4,6,9,12}; i32[2] {9,12}",
                 2},
                {"TensorIterator@opset1",
                 {"i32[4] {1,2,3,4}", "i32[1] {0}"},
                 iterating("start=1 end=-2", ""),
                 "i32[2] {2,5}; i32[1] {5}",
                 2},
                {"TensorIterator@opset1", {"i32[0]", "i32[1]"}, forward, "i32[0]; i32[1]", 2},
                {"TensorIterator@opset1", {"f32[25,3]", "f32[1,3]"}, forward, "f32[25,3]; f32[1,3]", 2},
                {"TensorIterator@opset1", {"f32[2..5,3]", "f32[1,3]"}, forward, "f32[2..5,3]; f32[1,3]", 2},
                {"TensorIterator@opset1", {"f32[?,3]", "f32[1,3]"}, backward, "f32[?,3]; f32[1,3]", 2},
                {"TensorIterator@opset1", {"f32[4..9,3]", "f32[2,3]"}, in_pairs, "f32[4..8,3]; f32[2,3]", 2},
                {"TensorIterator@opset1",
                 {"f32[4..9,3]", "f32[1,3]"},
                 iterating("start=1 end=-2", ""),
                 "f32[2..7,3]; f32[1,3]",
                 2},
                {"TensorIterator@opset1",
                 {"f32[4..9,3]", "f32[1,3]"},
                 iterating("start=-3 end=-2", ""),
                 "f32[2,3]; f32[1,3]",
                 2},
                {"TensorIterator@opset1", {"f32[3,1]", "f32[1,4]"}, forward, "f32[3,4]; f32[1,4]", 2},
                {"TensorIterator@opset1", {"f32[...]", "f32[1,3]"}, forward, "f32[...]; f32[...]", 2},
                {"TensorIterator@opset1",
                 {"f32[2]", "f32[1]"},
                 iterating("start=2", ""),
                 "error: do not lie within 2",
                 2},
                {"TensorIterator@opset1",
                 {"f32[2]", "f32[1]"},
                 iterating("stride=0", ""),
                 "error: a stride other than 0",
                 2},
                {"TensorIterator@opset1",
                 {"f32[2]", "f32[1]"},
                 iterating("part_size=-1", ""),
                 "error: parts of 1 or more",
                 2},
                {"TensorIterator@opset1", {"f32[]", "f32[1]"}, forward, "error: the axis of a slice is 0", 2},
                {"TensorIterator@opset1",
                 {"f32[2]", "f32[3]"},
                 body("", "\"in 0 -> 0 axis=0\",\"in 1 -> 1 axis=0\",\"out 0 <- 0\"",
                      "%x = Parameter\n%a = Parameter\nResult (%x)\n"),
                 "error: the numbers of slices: 2 does not equal 3"},
            });

}  // namespace
}  // namespace mo::test
