// For releases whose OneHot does not count indices from the end:
//   OneHot-16(i, depth, on, off) {normalize}  ->  OneHot-1(Select(i < 0, i + depth, i), depth, on, off)
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerOneHot : public Lowering {
 public:
  LowerOneHot() {
    id = "back.lower_one_hot";
    doc = "indices of OneHot that count from the end are counted from the start";
    before = R"(
      %i = Parameter -> i64[3]
      %depth = Const -> i64[] {4}
      %on = Const -> f32[] {1}
      %off = Const -> f32[] {0}
      %y = OneHot@opset16 (%i, %depth, %on, %off) {axis=-1, negative_indices_mode="normalize"}
      Result (%y))";
    after = R"(
      %i = Parameter -> i64[3]
      %depth = Const -> i64[] {4}
      %on = Const -> f32[] {1}
      %off = Const -> f32[] {0}
      %zero = Const -> i64[] {0}
      %l = Less@opset1 (%i, %zero)
      %a = Add@opset1 (%i, %depth)
      %s = Select@opset1 (%l, %a, %i)
      %y = OneHot@opset1 (%s, %depth, %on, %off) {axis=-1}
      Result (%y))";
    lowers("OneHot", {16});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    const auto mode = n.attr<std::string>("negative_indices_mode");
    only_when(mode == "normalize", "its negative_indices_mode is ", mode, ", which OneHot-1 has");
    const OutPort i = b.in(0);
    only_when(i.type() != ElementType::unknown, "the type of its indices is not known");
    const OutPort wrapped = b.op("Add", "opset1", {i, b.convert(b.in(1), i.type())});
    n.in_port(0).set_source(b.select(b.op("Less", "opset1", {i, b.like(i, 0)}), wrapped, i));
    return as_older(n, "opset1", {"negative_indices_mode"});
  }
};

void register_lower_one_hot(Registry& r) { r.transformation<LowerOneHot>(); }

}  // namespace mo::builtin_passes
