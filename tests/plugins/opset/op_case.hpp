// One operation by a row of text: inputs and attributes in, outputs or an error out. Every row is also
// checked with less known about its inputs: what is said then must cover what is said here.
//
//     Concat@opset1 (f32[1,3,?]; f32[1,3,2]) {axis=2} -> f32[1,3,2..]
//     TopK@opset3 (f32[4]; i64[1]) -> 2 outputs, error: expected 1 elements
//
// The nodes of a body are separated by ";". The rows are in the files of rows/.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace mo::test {

struct OpCase {
  std::string op;  // "Concat@opset1"
  // "f32[1,3,?]" a Parameter; "i64[2] {1,2}" a Const; "shape [1..8,3]" the i64 shape of a Parameter, "f32
  // shape [1..8,3]" the same as f32; "_" not connected
  std::vector<std::string> inputs;
  std::string attributes;  // as in the text form: "axis=1, pads=[0,0]"
  // "f32[2,3]", "i64[2] {1,2}" with a value, "i64[2] 1..8,3" with bounds (of
  // floats: rounded outwards); several outputs with "; " between
  // them. "error: …" is a part of the message.
  std::string expected;
  unsigned outputs = 1;
  bool loose = false;  // "loose" before the row: something that follows is not said, see IsAsTightAsItCanBe
  std::string place = {};  // "rows/concat.txt:12"
};

inline void PrintTo(const OpCase& c, std::ostream* out) {
  *out << c.place << ": " << c.op << " (";
  for (const auto& i : c.inputs) *out << (&i == c.inputs.data() ? "" : "; ") << i;
  *out << ") {" << c.attributes << "}";
}

// Infers the row; the outputs in the form of `expected`.
std::string infer_case(const OpCase& c);

}  // namespace mo::test
