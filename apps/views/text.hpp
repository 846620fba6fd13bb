// The text form of a graph: dumps, tests, patterns in documentation and error reports. Parses back without
// loss.
//
//   mo-graph 1
//   graph "net" {framework="x"} {
//     %0 = Parameter@opset1 "x" -> f32[1,3,?,1..8] names("x","y")
//     %1 = Const@opset1 "w" -> f32[2] {1,2.5}
//     %2 = Const@opset1 "big" -> f32[64,3] file("/models/m.bin", 1234, 768)
//     %3 = Split@opset1 "s" (%0, %1, _) {num_splits=2} rt {fused_names="a,b"} -> (f32[1], f32[1]) native 12
//     %4 = Result@opset1 "r" (%3:1) marked
//   }
//
// One node per line in order of creation; whatever has a default is left out. Written by hand, this does:
//
//   %x = Parameter -> f32[1,3,?,?]
//   %y = Relu@opset1 (%x)         # what an output is like may be left to inference
//   Result (%y)
//
// file     ["mo-graph" 1] graph, or nodes alone
// graph    "graph" ["name"] [attributes] "{" node* "}"
// node     ["%" label "="] op ["@" opset] ["name"] ["(" input, … ")"] [attributes] ["rt" attributes]
//          ["->" output, or "->" "(" output, … ")"] ["native" tag] ["marked"]
//          Without "->": one output; none for a Result. Without a name: the label when it is a word, else op.
// input    "_" (not connected), "%label" or "%label:port"; a label may be used before its node
// output   "_" (nothing known), or type shape [literal]; then any of "value" tensor (when its type or shape
//          differ), "from_shape", "bounds" shape, names("a","b"), "attributes" {…}, and to(%label:in-port, …)
//          when destinations were connected in another order than they are written
// shape    "[" dimension, … "]", "[]" (a scalar), "[...]" (rank not known)
// dimension  as in options and IRs: 7, ?, 1..8, 2.. or ..8
// tensor   type shape literal
// literal  "{" element, … "}", "{" element "..." "}" (all alike), hex "00ff" (its bytes) or
//          file("path", offset, bytes)
// values   {int=1, float=1.0, bool=true, string="x", type=f32, shape=shape[1,?], tensor=f32[2] {1,2},
//          body=graph {…}, bytes=bytes "…", list=[1,2], none=ints[]}: a list is as its first element; an
//          empty one says of what: ints floats bools strings types shapes tensors graphs
// strings  escapes \" \\ \n \r \t \xNN
// words    of letters, digits, "_", "." and inner "-"; other ops, opsets and keys are "quoted"
#pragma once

#include "core/graph/graph.hpp"

namespace mo::app {

struct TextOptions {
  // What inference found. Without it, outputs are written for Parameter and Const only, names for all.
  bool tensors = true;
  size_t literal_bytes = 256;  // bigger values are references: to their file, or to `side_file`
  // Values without a file of their own are appended here, 64-byte aligned, and referred to by the bare name
  // of the file; empty: they become long literals.
  std::string side_file;
};

std::string to_text(const core::Graph&, const TextOptions& = {});
// Errors (mo::Error) carry line and column, the line, and what was expected. `base_folder`: where relative
// file references start.
core::GraphPtr parse_text(std::string_view text, std::shared_ptr<core::GraphSpace> space,
                          const std::string& base_folder = {});

}  // namespace mo::app
