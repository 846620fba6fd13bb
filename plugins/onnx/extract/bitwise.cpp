// Operations on the bits of integers.
#include "support/extract.hpp"

namespace mo::onnx {

static void extract_bit_shift(SourceNode& n) {
  const auto direction = n.native<std::string>("direction");
  require(direction == "LEFT" || direction == "RIGHT", "attribute 'direction' is '", direction,
          "', expected LEFT or RIGHT");
  n.set_op(direction == "LEFT" ? "BitwiseLeftShift" : "BitwiseRightShift", "opset15");
}

void register_bitwise(Registry& r) {
  extract<extract_bit_shift>(r, "BitShift");
  extract<becomes<"BitwiseAnd", "opset13">>(r, "BitwiseAnd");
  extract<becomes<"BitwiseOr", "opset13">>(r, "BitwiseOr");
  extract<becomes<"BitwiseXor", "opset13">>(r, "BitwiseXor");
  extract<becomes<"BitwiseNot", "opset13">>(r, "BitwiseNot");
}

}  // namespace mo::onnx
