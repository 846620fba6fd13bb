// CPUs of all releases from 2023.0 to 2026.4 pad with 0 where the number is computed and all else is known: what is inside is
// chosen from a padding with 0, and the number around it.
//   Pad(x, begins, ends, number)  ->  Select(inside, Pad(x, begins, ends, 0), number)
#include <mo/build.hpp>

namespace mo::builtin_passes {

class ChoosePadding : public FrontReplacementOp {
 public:
  ChoosePadding() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.choose_padding";
    doc = "a padding whose number is computed is chosen around what is padded with 0";
    before = R"(
      %x = Parameter -> f32[2,3]
      %b = Const -> i64[2] {0,1}
      %e = Const -> i64[2] {0,2}
      %number = Parameter -> f32[]
      %y = Pad@opset1 (%x, %b, %e, %number) {pad_mode="constant"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %inside = Const -> boolean[1,6] {false,true,true,true,false,false}
      %b = Const -> i64[2] {0,1}
      %e = Const -> i64[2] {0,2}
      %zero = Const -> f32[] {0}
      %p = Pad@opset1 (%x, %b, %e, %zero) {pad_mode="constant"}
      %number = Parameter -> f32[]
      %y = Select@opset1 (%inside, %p, %number)
      Result (%y))";
    ops = {"opset1::Pad", "opset12::Pad"};
    run_before = {"back.lower_pad"};
    force_shape_inference = true;
  }

  std::vector<OutPort> replace_op(Graph g, Node n) override {
    only_when(n.attr<std::string>("pad_mode") == "constant" && n.is_in_port_connected(3) &&
                  !n.in_node(3).is("Const"),
              "the number around it is known");
    const Build b(g, n);
    const auto begins = b.ints(1), ends = b.ints(2);
    only_when(begins && ends && begins->size() == ends->size(), "how much is padded is not known");
    const Shape x = b.in(0).shape(), y = n.out_port().shape();
    only_when(x.is_static() && y.is_static() && y.size() == begins->size(), "the shape ", x,
              " is not known, where devices pad right");
    OutPort inside;
    for (size_t axis = 0; axis < y.size(); ++axis) {
      const int64_t low = (*begins)[axis], high = (*ends)[axis];
      if (low <= 0 && high <= 0) continue;
      only_when(y[axis].value() <= longest, "dimension ", axis, " would be longer than ", longest);
      const OutPort along = within(b, y, axis, low, y[axis].value() - high);
      inside = inside ? b.op("LogicalAnd", "opset1", {inside, along}) : along;
    }
    only_when(static_cast<bool>(inside), "nothing is around it");
    const OutPort number = b.in(3);
    const Node padded = clone_with_new_inputs(
        n, {b.in(0), n.in_port(1).get_source(), n.in_port(2).get_source(), b.like(b.in(0), 0)},
        text(n.name(), "/padded"));
    const OutPort chosen = b.select(inside, padded.out_port(), number);
    copy_runtime_info({n}, {padded, chosen.node()});
    return {chosen};
  }

 private:
  static constexpr int64_t longest = 1 << 20;

  // From `low` to `high` along one dimension, broadcast to the others.
  static OutPort within(const Build& b, const Shape& y, size_t axis, int64_t low, int64_t high) {
    std::vector<double> flags;
    for (int64_t i = 0; i < y[axis].value(); ++i) flags.push_back(i >= low && i < high ? 1 : 0);
    Ints dims(y.size(), 1);
    dims[axis] = y[axis].value();
    return b.constant(Tensor::filled(b.context(), ElementType::boolean, flags, dims));
  }
};

void register_choose_padding(Registry& r) { r.transformation<ChoosePadding>(); }

}  // namespace mo::builtin_passes
