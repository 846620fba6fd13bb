// NON_MAX_SUPPRESSION_V4 and V5: boxes [n, 4], scores [n], the most boxes, IoU, least score, and a sigma.
#include "support/suppression.hpp"

namespace mo::tflite {

static Ports non_max_suppression(Build& b, const SourceNode& n) {
  const auto scalar = [&](size_t i, ElementType type) {
    return b.reshape(b.convert(b.in(i), type), b.list({}));
  };
  Suppression s{b.unsqueeze(b.in(0), b.list({0})), b.unsqueeze(b.in(1), b.list({0, 1})),
                scalar(2, ElementType::i64), scalar(3, ElementType::f32), scalar(4, ElementType::f32)};
  const bool soft = n.is("NON_MAX_SUPPRESSION_V5");
  if (soft) s.soft_sigma = scalar(5, ElementType::f32);
  const Selection found = suppressed(b, s);
  const auto column = [&](const OutPort& rows, ElementType type) {
    const OutPort list = b.gather(rows, b.integer(2), 1);
    list.set_shape(type, Shape::of_rank(1));
    return list;
  };
  const OutPort boxes = column(found.rows, ElementType::i32), size = b.reshape(s.limit, b.list({1}));
  const OutPort count = b.convert(b.reshape(b.shape_of(boxes), b.list({})), ElementType::i32);
  Ports outputs{padded_to(b, boxes, size, ElementType::i32)};
  if (soft) outputs.push_back(padded_to(b, column(found.scores, ElementType::f32), size, ElementType::f32));
  outputs.push_back(count);
  return outputs;
}

void register_suppression(Registry& r) {
  replace<non_max_suppression>(r, {"NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V4(boxes, scores, limits)",
                                   "NonMaxSuppression-5(boxes, scores, limits), padded"});
  replace<non_max_suppression>(r, {"NON_MAX_SUPPRESSION_V5", "NON_MAX_SUPPRESSION_V5(boxes, scores, limits)",
                                   "NonMaxSuppression-5(boxes, scores, limits), padded"});
}

}  // namespace mo::tflite
