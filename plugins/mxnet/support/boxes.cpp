#include "support/boxes.hpp"

#include "support/numbers.hpp"

namespace mo::mxnet {

OutPort columns(const Build& b, const OutPort& x, int64_t begin, int64_t count) {
  const Node s = b.node("StridedSlice", "opset1",
                        {x, b.list({0, 0, begin}), b.list({0, 0, begin + count}), b.list({1, 1, 1})});
  s.set("begin_mask", Ints{1, 1, 0}).set("end_mask", Ints{1, 1, 0});
  return s.out_port();
}

OutPort to_corners(const Build& b, const OutPort& boxes) {
  const OutPort center = columns(b, boxes, 0, 2),
                half = b.multiply(columns(b, boxes, 2, 2), b.like(boxes, 0.5));
  return b.concat({b.subtract(center, half), b.add(center, half)}, 2);
}
OutPort to_centers(const Build& b, const OutPort& boxes) {
  const OutPort from = columns(b, boxes, 0, 2), to = columns(b, boxes, 2, 2);
  return b.concat({b.multiply(b.add(from, to), b.like(boxes, 0.5)), b.subtract(to, from)}, 2);
}

}  // namespace mo::mxnet
