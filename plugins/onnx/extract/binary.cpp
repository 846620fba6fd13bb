// Operators with two inputs that are broadcast as numpy does it. Before version 7 they had rules of their
// own, see front/legacy_broadcast.cpp.
#include "support/extract.hpp"

namespace mo::onnx {

// Integers are divided with truncation.
static void extract_div(SourceNode& n) {
  n.set_op("Divide", "opset1");
  n.set("m_pythondiv", false);
}

// With more inputs, or one, it becomes a chain: front/variadic.cpp.
template <Name Type>
static void of_two(SourceNode& n) {
  if (n.in_count() == 2) n.set_op(Type, "opset1");
}

void register_binary(Registry& r) {
  extract<becomes<"Add">>(r, "Add", 7);
  extract<becomes<"Subtract">>(r, "Sub", 7);
  extract<becomes<"Multiply">>(r, "Mul", 7);
  extract<extract_div>(r, "Div", 7);
  extract<becomes<"Power">>(r, "Pow", 7, 11);  // from 12 on the types may differ: front/pow.cpp
  extract<becomes<"LogicalAnd">>(r, "And", 7);
  extract<becomes<"LogicalOr">>(r, "Or", 7);
  extract<becomes<"LogicalXor">>(r, "Xor", 7);
  extract<becomes<"Equal">>(r, "Equal", 7);
  extract<becomes<"Greater">>(r, "Greater", 7);
  extract<becomes<"Less">>(r, "Less", 7);
  extract<becomes<"GreaterEqual">>(r, "GreaterOrEqual");
  extract<becomes<"LessEqual">>(r, "LessOrEqual");
  extract<becomes<"Select">>(r, "Where");
  extract<of_two<"Maximum">>(r, "Max");
  extract<of_two<"Minimum">>(r, "Min");
  extract<of_two<"Add">>(r, "Sum");
}

}  // namespace mo::onnx
