// The Inception blocks of the documents: three in a row, each a scope of its own.
#pragma once

#include "tests/core/schedule/lab.hpp"

namespace mo::test {

struct InceptionCopy {
  static constexpr std::string_view type = "Copy", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1); }
  static void infer(InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
};
struct InceptionConv {  // as many channels as the first dimension of its weights
  static constexpr std::string_view type = "Conv", opset = "test";
  static void schema(OpSchema& s) { s.inputs(2); }
  static void infer(InferContext& c) {
    Shape out = c.shape(0);
    out[1] = c.shape(1)[0];
    c.output(0, c.type(0), out);
  }
};
struct InceptionJoin {
  static constexpr std::string_view type = "Join", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1, 8); }
  static void infer(InferContext& c) {
    Shape out = c.shape(0);
    for (size_t i = 1; i < c.inputs(); ++i) out[1] = out[1] + c.shape(i)[1];
    c.output(0, c.type(0), out);
  }
};
inline void register_inception(Registry& r) {
  r.operation<InceptionCopy>();
  r.operation<InceptionConv>();
  r.operation<InceptionJoin>();
}

// Branches are made in the order in which the document lists them.
inline std::string inception_block(const std::string& scope, const std::string& label,
                                   const std::string& input) {
  const auto conv = [&](const std::string& branch) {
    return "%" + label + "w" + branch + " = Const \"" + scope + "/Branch_" + branch +
           "/weights\" -> f32[4,4,1,1] {1 ...}\n" + "%" + label + "c" + branch + " = Conv@test \"" + scope +
           "/Branch_" + branch + "/Conv2d_0a_1x1/Conv2D\" (%" + input + ", %" + label + "w" + branch + ")\n";
  };
  return conv("2") + "%" + label + "p = Copy@test \"" + scope + "/Branch_3/AvgPool_0a_3x3/AvgPool\" (%" +
         input + ")\n" + conv("1") + conv("0") + "%" + label + " = Join@test \"" + scope + "/concat\" (%" +
         label + "c0, %" + label + "c1, %" + label + "c2, %" + label + "p)\n";
}

inline std::string inception() {
  return "%x = Parameter \"input\" {element_type=f32, shape=shape[1,4,8,8]} -> f32[1,4,8,8]\n"
         "%a = Copy@test \"InceptionV4/Mixed_5a/concat\" (%x)\n" +
         inception_block("InceptionV4/Mixed_5b", "b", "a") +
         inception_block("InceptionV4/Mixed_5c", "c", "b") +
         inception_block("InceptionV4/Mixed_5d", "d", "c") + "Result \"output\" (%d)\n";
}

}  // namespace mo::test
