#include "support/suppression.hpp"

namespace mo::tflite {

Selection suppressed(const Build& b, const Suppression& s) {
  Ports inputs{s.boxes, s.scores, s.limit, s.overlap, s.least};
  if (s.soft_sigma) inputs.push_back(s.soft_sigma);
  const Node n = b.node("NonMaxSuppression", "opset5", inputs, 3);
  n.set("box_encoding", "corner").set("sort_result_descending", true).set("output_type", ElementType::i32);
  n.out_port(0).set_shape(ElementType::i32, Shape::of_rank(2));
  n.out_port(1).set_shape(ElementType::f32, Shape::of_rank(2));
  return {n.out_port(0), n.out_port(1)};
}

OutPort padded_to(const Build& b, const OutPort& list, const OutPort& size, ElementType type) {
  const OutPort zero = b.constant(Tensor::filled(b.context(), type, {0}, {}));
  const OutPort longer = b.concat({list, b.broadcast(zero, size)});
  const Node cut = b.node("StridedSlice", "opset1", {longer, b.list({0}), size, b.list({1})});
  cut.set("begin_mask", Ints{1}).set("end_mask", Ints{0});
  cut.out_port().set_shape(type, Shape::of_rank(1));
  return cut.out_port();
}

}  // namespace mo::tflite
