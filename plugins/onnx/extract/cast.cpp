#include "support/extract.hpp"

#include "loader/schema.hpp"

#include <mo/small_floats.hpp>

namespace mo::onnx {

// To floats of 8 and 4 bits, and to types that the IR does not have: front/saturated_cast.cpp.
static void extract_cast(SourceNode& n) {
  const auto to = n.native<int64_t>("to");
  const ElementType type = element_type_of_onnx(to);
  only_when(!is_small_float(type) && value_type_of_onnx(to).held == Held::none,
            "it is cut off or rounded to fit");
  n.set_op("Convert", "opset1");
  require(type != ElementType::unknown, "attribute 'to' is ", data_type_name(to), " (", to,
          "), which the IR does not have");
  n.set("destination_type", type);
}

// Up to version 5 the type is a name: "FLOAT".
static void extract_cast_by_name(SourceNode& n) {
  n.set_op("Convert", "opset1");
  const auto to = n.native<std::string>("to");
  std::string lower;
  for (const char c : to) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const auto number = data_type_of_name(lower);
  const ElementType type = element_type_of_onnx(number);
  require(type != ElementType::unknown, "attribute 'to' is '", to, "', which the IR does not have");
  n.set("destination_type", type);
}

void register_cast(Registry& r) {
  extract<extract_cast>(r, "Cast", 6);
  extract<extract_cast_by_name>(r, "Cast", 1, 5);
}

}  // namespace mo::onnx
