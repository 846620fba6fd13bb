// Operators of StableHLO that have one operation of the same meaning.
#include "support/extract.hpp"

namespace mo::tflite {

static void extract_compare(SourceNode& n) {
  const auto direction = n.native<std::string>("comparison_direction");
  n.set_op(direction == "EQ"   ? "Equal"
           : direction == "NE" ? "NotEqual"
           : direction == "GE" ? "GreaterEqual"
           : direction == "GT" ? "Greater"
           : direction == "LE" ? "LessEqual"
                               : "Less",
           "opset1");
}

static void extract_concatenate(SourceNode& n) {
  const auto axis = n.native("dimension", 0);
  n.set_op("Concat", "opset1");
  n.set("axis", axis);
}

static void extract_convert(SourceNode& n) {
  const ElementType type = n.out_port().type();
  n.set_op("Convert", "opset1");
  n.set("destination_type", type);
}

template <Name Logical, Name Bitwise>
static void bits_or_booleans(SourceNode& n) {
  if (n.out_port().type() == ElementType::boolean)
    n.set_op(Logical, "opset1");
  else
    n.set_op(Bitwise, "opset13");
}

void register_stablehlo(Registry& r) {
  extract<becomes<"Sigmoid">>(r, "STABLEHLO_LOGISTIC");
  extract<becomes<"Add">>(r, "STABLEHLO_ADD");
  extract<becomes<"Multiply">>(r, "STABLEHLO_MULTIPLY");
  extract<becomes<"Subtract">>(r, "STABLEHLO_SUBTRACT");
  extract<becomes<"Maximum">>(r, "STABLEHLO_MAXIMUM");
  extract<becomes<"Minimum">>(r, "STABLEHLO_MINIMUM");
  extract<becomes<"Power">>(r, "STABLEHLO_POWER");
  extract<becomes<"Abs">>(r, "STABLEHLO_ABS");
  extract<becomes<"Cos">>(r, "STABLEHLO_COSINE");
  extract<becomes<"Exp">>(r, "STABLEHLO_EXPONENTIAL");
  extract<becomes<"Floor">>(r, "STABLEHLO_FLOOR");
  extract<becomes<"Log">>(r, "STABLEHLO_LOG");
  extract<becomes<"Negative">>(r, "STABLEHLO_NEGATE");
  extract<becomes<"Tanh">>(r, "STABLEHLO_TANH");
  extract<becomes<"Select">>(r, "STABLEHLO_SELECT");
  extract<bits_or_booleans<"LogicalAnd", "BitwiseAnd">>(r, "STABLEHLO_AND");
  extract<bits_or_booleans<"LogicalOr", "BitwiseOr">>(r, "STABLEHLO_OR");
  extract<extract_compare>(r, "STABLEHLO_COMPARE");
  extract<extract_concatenate>(r, "STABLEHLO_CONCATENATE");
  extract<extract_convert>(r, "STABLEHLO_CONVERT");
}

}  // namespace mo::tflite
