// Operators with two inputs, broadcast as numpy does, and no options.
#include "support/extract.hpp"

namespace mo::tflite {

void register_binary(Registry& r) {
  extract<becomes<"Maximum">>(r, "MAXIMUM");
  extract<becomes<"Minimum">>(r, "MINIMUM");
  extract<becomes<"Power">>(r, "POW");
  extract<becomes<"FloorMod">>(r, "FLOOR_MOD");
  extract<becomes<"SquaredDifference">>(r, "SQUARED_DIFFERENCE");
  extract<becomes<"LogicalAnd">>(r, "LOGICAL_AND");
  extract<becomes<"LogicalOr">>(r, "LOGICAL_OR");
  extract<becomes<"Equal">>(r, "EQUAL");
  extract<becomes<"NotEqual">>(r, "NOT_EQUAL");
  extract<becomes<"Less">>(r, "LESS");
  extract<becomes<"LessEqual">>(r, "LESS_EQUAL");
  extract<becomes<"Greater">>(r, "GREATER");
  extract<becomes<"GreaterEqual">>(r, "GREATER_EQUAL");
}

}  // namespace mo::tflite
