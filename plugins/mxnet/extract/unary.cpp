// Operators with one input and no attributes.
#include "support/registering.hpp"

namespace mo::mxnet {

void register_unary(Registry& r) {
  extract<becomes<"Abs">>(r, "abs");
  extract<becomes<"Acos">>(r, "arccos");
  extract<becomes<"Acosh", "opset4">>(r, "arccosh");
  extract<becomes<"Asin">>(r, "arcsin");
  extract<becomes<"Asinh", "opset4">>(r, "arcsinh");
  extract<becomes<"Atan">>(r, "arctan");
  extract<becomes<"Atanh", "opset4">>(r, "arctanh");
  extract<becomes<"Ceiling">>(r, "ceil");
  extract<becomes<"Cos">>(r, "cos");
  extract<becomes<"Cosh">>(r, "cosh");
  extract<becomes<"Erf">>(r, "erf");
  extract<becomes<"Exp">>(r, "exp");
  extract<becomes<"Floor">>(r, "floor");
  extract<becomes<"Log">>(r, "log");
  extract<becomes<"Mish", "opset4">>(r, "mish");
  extract<becomes<"Negative">>(r, "negative _np_negative");
  extract<becomes<"ReLU">>(r, "relu _npx_relu");
  extract<becomes<"Sigmoid">>(r, "sigmoid _npx_sigmoid");
  extract<becomes<"Sign">>(r, "sign");
  extract<becomes<"Sin">>(r, "sin");
  extract<becomes<"Sinh">>(r, "sinh");
  extract<becomes<"Sqrt">>(r, "sqrt");
  extract<becomes<"Tan">>(r, "tan");
  extract<becomes<"Tanh">>(r, "tanh");
}

}  // namespace mo::mxnet
