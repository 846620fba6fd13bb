// Roll: elements shifted along dimensions; what leaves at one end comes in at the other.
#include "support/limits.hpp"
#include "support/movement.hpp"

namespace mo::opset {

namespace rolling {

// One shift for all axes, or one for each; shifts of the same axis add up.
static void check(const Dim& shifts, const Dim& axes) {
  require(shifts.contains(1) || shifts.overlaps(axes), "shift has ", shifts, " entries but axes have ", axes,
          "; expected one, or as many");
}
// A box of each dimension before, and one from, the place where it wraps round.
static Movement movement(const Dims& dims, const Dims& shifts, const Dims& axes) {
  check(Dim(static_cast<int64_t>(shifts.size())), Dim(static_cast<int64_t>(axes.size())));
  Dims by(dims.size(), 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t a = normalize_axis(axes[i], dims.size(), "an axis");
    if (dims[a] == 0) continue;
    const int64_t shift = shifts[shifts.size() == 1 ? 0 : i] % dims[a];
    by[a] = (by[a] + shift + dims[a]) % dims[a];
  }
  const Dims strides = dense_strides(dims);
  Movement m{dims, {Copy{dims, strides, strides, 0, 0}}};
  for (size_t a = 0; a < dims.size(); ++a) {
    if (by[a] == 0) continue;
    std::vector<Copy> halves;
    for (const Copy& c : m.copies) {
      Copy head = c, tail = c;
      head.counts[a] = dims[a] - by[a];
      head.to_start += by[a] * strides[a];
      tail.counts[a] = by[a];
      tail.from_start += (dims[a] - by[a]) * strides[a];
      halves.push_back(std::move(head));
      halves.push_back(std::move(tail));
    }
    m.copies = std::move(halves);
  }
  return m;
}

}  // namespace rolling

struct Roll {
  static constexpr std::string_view type = "Roll", opset = "opset7";
  static void schema(OpSchema& s) {
    s.doc("data, shift, axes")
        .input("data", Role::data)
        .input("shift", Role::any)
        .input("axes", Role::axes)
        .keeps_shape()
        .outputs(1);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n,
                 {{"shift and axes are lists of one length", "2023.3",
                   "ngraph/core/reference/include/ngraph/runtime/reference/roll.hpp:47", [](const Node& l) {
                     const Shape shift = l.in_port(1).shape(), axes = l.in_port(2).shape();
                     return shift.rank() != 0 && axes.rank() != 0 &&
                            (shift.size() != 1 || axes.size() != 1 || shift[0].overlaps(axes[0]));
                   }}});
  }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0);
    rolling::check(vector_length(c, 1, "shift"), vector_length(c, 2, "axes"));
    const auto shifts = c.ints(1), axes = c.ints(2);
    if (in.has_rank() && axes)
      for (const int64_t a : *axes) normalize_axis(a, in.size(), "an axis");
    output_moved(c, 0, in, [&](const Dims& dims) -> std::optional<Movement> {
      if (!shifts || !axes) return std::nullopt;
      return rolling::movement(dims, *shifts, *axes);
    });
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    c.output(0, moved(c, in, rolling::movement(in.dims(), c.input(1).to_ints(), c.input(2).to_ints())));
  }
};

void register_roll(Registry& r) { r.operation<Roll>(); }

}  // namespace mo::opset
