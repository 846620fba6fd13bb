// Operators with one operand, one result and no attributes, in both formats.
#include "support/operator.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

void register_unary(Registry& r) {
  extract<becomes<"Abs">>(r, "abs");
  extract<becomes<"Acos">>(r, "acos");
  extract<becomes<"Acosh", "opset4">>(r, "acosh");
  extract<becomes<"Asin">>(r, "asin");
  extract<becomes<"Asinh", "opset4">>(r, "asinh");
  extract<becomes<"Atan">>(r, "atan");
  extract<becomes<"Atanh", "opset4">>(r, "atanh");
  extract<becomes<"BitwiseNot", "opset13">>(r, "bitwise_not");
  extract<becomes<"Ceiling">>(r, "ceil");
  extract<becomes<"Cos">>(r, "cos");
  extract<becomes<"Cosh">>(r, "cosh");
  extract<becomes<"Erf">>(r, "erf");
  extract<becomes<"Exp">>(r, "exp");
  extract<becomes<"Floor">>(r, "floor");
  extract<becomes<"Log">>(r, "log");
  extract<becomes<"LogicalNot">>(r, "logical_not");
  extract<becomes<"Mish", "opset4">>(r, "mish");
  extract<becomes<"ReLU">>(r, "relu");
  extract<becomes<"Sigmoid">>(r, "sigmoid");
  extract<becomes<"Sign">>(r, "sign");
  extract<becomes<"Sin">>(r, "sin");
  extract<becomes<"Sinh">>(r, "sinh");
  extract<becomes<"SoftSign", "opset9">>(r, "softsign");
  extract<becomes<"Sqrt">>(r, "sqrt");
  extract<becomes<"Swish", "opset4">>(r, "silu");
  extract<becomes<"Tan">>(r, "tan");
  extract<becomes<"Tanh">>(r, "tanh");
}

}  // namespace mo::paddle
