// Operators with one input and no attributes.
#include "support/extract.hpp"

namespace mo::tensorflow {

static void extract_round(SourceNode& n) {
  n.set_op("Round", "opset5");
  n.set("mode", "half_to_even");
}

void register_unary(Registry& r) {
  extract<becomes<"Abs">>(r, "Abs");
  extract<becomes<"Acos">>(r, "Acos");
  extract<becomes<"Acosh", "opset4">>(r, "Acosh");
  extract<becomes<"Asin">>(r, "Asin");
  extract<becomes<"Asinh", "opset4">>(r, "Asinh");
  extract<becomes<"Atan">>(r, "Atan");
  extract<becomes<"Atanh", "opset4">>(r, "Atanh");
  extract<becomes<"Ceiling">>(r, "Ceil");
  extract<becomes<"Cos">>(r, "Cos");
  extract<becomes<"Cosh">>(r, "Cosh");
  extract<becomes<"Erf">>(r, "Erf");
  extract<becomes<"Exp">>(r, "Exp");
  extract<becomes<"Floor">>(r, "Floor");
  extract<becomes<"BitwiseNot", "opset13">>(r, "Invert");
  extract<becomes<"Log">>(r, "Log");
  extract<becomes<"LogicalNot">>(r, "LogicalNot");
  extract<becomes<"Negative">>(r, "Neg");
  extract<becomes<"Sigmoid">>(r, "Sigmoid");
  extract<becomes<"Sign">>(r, "Sign");
  extract<becomes<"Sin">>(r, "Sin");
  extract<becomes<"Sinh">>(r, "Sinh");
  extract<becomes<"Sqrt">>(r, "Sqrt");
  extract<becomes<"Tan">>(r, "Tan");
  extract<becomes<"Tanh">>(r, "Tanh");
  extract<extract_round>(r, "Round");
  extract<extract_round>(r, "Rint");
}

}  // namespace mo::tensorflow
