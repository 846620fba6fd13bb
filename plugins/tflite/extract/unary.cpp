// Operators with one input and no options.
#include "support/extract.hpp"

namespace mo::tflite {

static void extract_round(SourceNode& n) {
  n.set_op("Round", "opset5");
  n.set("mode", "half_to_even");
}

void register_unary(Registry& r) {
  extract<becomes<"Abs">>(r, "ABS");
  extract<becomes<"Ceiling">>(r, "CEIL");
  extract<becomes<"Cos">>(r, "COS");
  extract<becomes<"Exp">>(r, "EXP");
  extract<becomes<"Floor">>(r, "FLOOR");
  extract<becomes<"HSwish", "opset4">>(r, "HARD_SWISH");
  extract<becomes<"Log">>(r, "LOG");
  extract<becomes<"LogicalNot">>(r, "LOGICAL_NOT");
  extract<becomes<"Negative">>(r, "NEG");
  extract<becomes<"ReLU">>(r, "RELU");
  extract<becomes<"Sigmoid">>(r, "LOGISTIC");
  extract<becomes<"Sign">>(r, "SIGN");
  extract<becomes<"Sin">>(r, "SIN");
  extract<becomes<"Sqrt">>(r, "SQRT");
  extract<becomes<"Tanh">>(r, "TANH");
  extract<extract_round>(r, "ROUND");
}

}  // namespace mo::tflite
