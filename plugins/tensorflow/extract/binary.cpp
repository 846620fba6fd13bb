// Operators with two inputs of one type that are broadcast as numpy does it.
#include "support/extract.hpp"

namespace mo::tensorflow {

// The quotient of integers is rounded towards zero.
static void extract_divide(SourceNode& n) {
  n.set_op("Divide", "opset1");
  n.set("m_pythondiv", false);
}

// Texts are joined, which the IR cannot do.
static void extract_add(SourceNode& n) {
  require(n.in_count() != 2 || n.in_port(0).type() != ElementType::string,
          "it joins strings, for which the IR has no operation");
  n.set_op("Add", "opset1");
}

// Of strings a transformation compares the bytes.
static void extract_equality(SourceNode& n) {
  if (n.in_count() == 2 && n.in_port(0).type() == ElementType::string) decline("it compares strings");
  const std::string type = n.op();
  n.set_op(type, "opset1");
}

void register_binary(Registry& r) {
  extract<extract_add>(r, "Add");
  extract<extract_add>(r, "AddV2");
  extract<becomes<"Subtract">>(r, "Sub");
  extract<becomes<"Multiply">>(r, "Mul");
  extract<extract_divide>(r, "Div");
  extract<extract_divide>(r, "RealDiv");
  extract<extract_divide>(r, "TruncateDiv");
  // The remainder has the sign of the dividend, except for FloorMod.
  extract<becomes<"Mod">>(r, "Mod");
  extract<becomes<"Mod">>(r, "TruncateMod");
  extract<becomes<"FloorMod">>(r, "FloorMod");
  extract<becomes<"Power">>(r, "Pow");
  extract<becomes<"Maximum">>(r, "Maximum");
  extract<becomes<"Minimum">>(r, "Minimum");
  extract<becomes<"SquaredDifference">>(r, "SquaredDifference");
  extract<extract_equality>(r, "Equal");
  extract<extract_equality>(r, "NotEqual");
  extract<becomes<"Greater">>(r, "Greater");
  extract<becomes<"GreaterEqual">>(r, "GreaterEqual");
  extract<becomes<"Less">>(r, "Less");
  extract<becomes<"LessEqual">>(r, "LessEqual");
  extract<becomes<"LogicalAnd">>(r, "LogicalAnd");
  extract<becomes<"LogicalOr">>(r, "LogicalOr");
  extract<becomes<"BitwiseAnd", "opset13">>(r, "BitwiseAnd");
  extract<becomes<"BitwiseOr", "opset13">>(r, "BitwiseOr");
  extract<becomes<"BitwiseXor", "opset13">>(r, "BitwiseXor");
  extract<becomes<"BitwiseLeftShift", "opset15">>(r, "LeftShift");
  extract<becomes<"BitwiseRightShift", "opset15">>(r, "RightShift");
  extract<becomes<"Select">>(r, "SelectV2");
}

}  // namespace mo::tensorflow
