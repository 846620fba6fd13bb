// Operators with one input and no attributes.
#include "support/items.hpp"

namespace mo::mxnet {

void register_unary(Items& items) {
  items.extract<becomes<"Abs">>("abs");
  items.extract<becomes<"Acos">>("arccos");
  items.extract<becomes<"Acosh", "opset4">>("arccosh");
  items.extract<becomes<"Asin">>("arcsin");
  items.extract<becomes<"Asinh", "opset4">>("arcsinh");
  items.extract<becomes<"Atan">>("arctan");
  items.extract<becomes<"Atanh", "opset4">>("arctanh");
  items.extract<becomes<"Ceiling">>("ceil");
  items.extract<becomes<"Cos">>("cos");
  items.extract<becomes<"Cosh">>("cosh");
  items.extract<becomes<"Erf">>("erf");
  items.extract<becomes<"Exp">>("exp");
  items.extract<becomes<"Floor">>("floor");
  items.extract<becomes<"Log">>("log");
  items.extract<becomes<"Negative">>("negative _np_negative");
  items.extract<becomes<"ReLU">>("relu _npx_relu");
  items.extract<becomes<"Sigmoid">>("sigmoid _npx_sigmoid");
  items.extract<becomes<"Sign">>("sign");
  items.extract<becomes<"Sin">>("sin");
  items.extract<becomes<"Sinh">>("sinh");
  items.extract<becomes<"Sqrt">>("sqrt");
  items.extract<becomes<"Tan">>("tan");
  items.extract<becomes<"Tanh">>("tanh");
}

}  // namespace mo::mxnet
