// For releases without the operations on bits: of boolean tensors they are the logical ones, and ~x is -1 -
// x:
//   BitwiseAnd(a, b)  ->  LogicalAnd(a, b)
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerBitwise : public Lowering {
 public:
  LowerBitwise() {
    id = "back.lower_bitwise";
    doc = "logical operations for operations on the bits of boolean tensors";
    before = R"(
      %a = Parameter -> boolean[2,3]
      %b = Parameter -> boolean[3]
      %y = BitwiseAnd@opset13 (%a, %b) {auto_broadcast="numpy"}
      Result (%y))";
    after = R"(
      %a = Parameter -> boolean[2,3]
      %b = Parameter -> boolean[3]
      %y = LogicalAnd@opset1 (%a, %b) {auto_broadcast="numpy"}
      Result (%y))";
    for (const char* type : {"BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot"}) lowers(type, {13});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    const ElementType type = b.in(0).type();
    if (type == ElementType::boolean) {
      n.set_op("Logical" + n.op().substr(std::string_view("Bitwise").size()), "opset1");
      return {};
    }
    only_when(n.is("BitwiseNot") && is_signed_integer(type), n.op(), " of ", name(type),
              " has no older counterpart: booleans have one, and BitwiseNot of integers with a sign");
    return {b.op("Subtract", "opset1", {b.like(b.in(0), -1), b.in(0)})};
  }
  static bool is_signed_integer(ElementType t) {
    return t == ElementType::i8 || t == ElementType::i16 || t == ElementType::i32 || t == ElementType::i64;
  }
};

void register_lower_bitwise(Registry& r) { r.transformation<LowerBitwise>(); }

}  // namespace mo::builtin_passes
