#include <mo/slices.hpp>

namespace mo::tflite {

namespace {

OutPort padded(const Build& b, const OutPort& x, const Ports& begin_end_value) {
  const Node p = b.node("Pad", "opset1", {x, begin_end_value[0], begin_end_value[1], begin_end_value[2]});
  p.set("pad_mode", "constant");
  return p.out_port();
}

}  // namespace

OutPort without_ends(const Build& b, const OutPort& x, const Ints& before, const Ints& after,
                     const Ints& steps) {
  Ints end, begin_mask, end_mask;
  for (size_t axis = 0; axis < before.size(); ++axis) {
    end.push_back(-after[axis]);
    begin_mask.push_back(before[axis] == 0 ? 1 : 0);
    end_mask.push_back(after[axis] == 0 ? 1 : 0);
  }
  const Node s = b.node("StridedSlice", "opset1", {x, b.list(before), b.list(end), b.list(steps)});
  s.set("begin_mask", begin_mask).set("end_mask", end_mask);
  return s.out_port();
}

OutPort updated(const Build& b, const OutPort& x, const OutPort& y, const OutPort& begin) {
  const OutPort size = b.shape_of(y), room = op1(b, "Subtract", {b.shape_of(x), size});
  const OutPort before = op1(b, "Maximum", {op1(b, "Minimum", {begin, room}), b.integer(0)});
  const OutPort after = op1(b, "Subtract", {room, before});
  const OutPort ones = broadcast(b, b.constant(Tensor::filled(b.context(), ElementType::i32, {1}, {})), size);
  const OutPort zero = b.constant(Tensor::filled(b.context(), ElementType::i32, {0}, {}));
  const OutPort inside = op1(b, "NotEqual", {padded(b, ones, {before, after, zero}), zero});
  return b.select(inside, padded(b, y, {before, after, b.like(y, 0)}), x);
}

// [2, 3] with a hole in its columns: [2, 3, 1], [2, 3, 2], [2, 6], [2, 5].
OutPort spread_out(const Build& b, OutPort x, const Ints& holes, const OutPort& value) {
  for (size_t axis = 0; axis < holes.size(); ++axis) {
    if (holes[axis] == 0) continue;
    require(holes[axis] > 0, "it has ", holes[axis], " elements between two of dimension ", axis);
    const auto at = static_cast<int64_t>(axis);
    const OutPort shape = b.shape_of(x);
    Ints end(holes.size() + 1, 0);
    end[axis + 1] = holes[axis];
    const OutPort apart =
        padded(b, b.unsqueeze(x, b.list({at + 1})), {b.list(Ints(end.size(), 0)), b.list(end), value});
    Ports dims;
    if (axis != 0) dims.push_back(b.part(shape, 0, at));
    dims.push_back(b.list({-1}));
    if (axis + 1 < holes.size()) dims.push_back(b.part(shape, at + 1, INT64_MAX));
    const Ints none(holes.size(), 0);
    Ints last = none;
    last[axis] = holes[axis];
    x = without_ends(b, b.reshape(apart, b.concat(dims)), none, last, Ints(holes.size(), 1));
  }
  return x;
}

}  // namespace mo::tflite
