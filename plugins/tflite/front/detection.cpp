// TFLite_Detection_PostProcess: (offsets [1, n, 4], scores [1, n, classes], anchors [n, 4]) become the best
// boxes, their classes and scores, and how many they are. Offsets and anchors are y, x, height, width.
//
// The operator has four outputs, and by default suppresses boxes whatever their classes are. DetectionOutput
// has one output and suppresses within classes, so both ways are made of NonMaxSuppression.
#include "support/suppression.hpp"

#include <cmath>

namespace mo::tflite {

namespace detection {

static OutPort columns(const Build& b, const OutPort& x, int64_t first) {
  return gather(b, x, b.list({first, first + 1}), -1);
}

// Corners [1, n, 4].
static OutPort decoded(const Build& b, const SourceNode& n) {
  const auto scale = [&](const char* first, const char* second) {
    return b.constant(Tensor::filled(b.context(), ElementType::f32,
                                     {n.native<double>(first), n.native<double>(second)}, {2}));
  };
  const OutPort x = b.in(0), anchors = b.in(2);
  const OutPort sizes = columns(b, anchors, 2);
  const OutPort offset = op1(b, "Divide", {columns(b, x, 0), scale("y_scale", "x_scale")});
  const OutPort centre = op1(b, "Add", {op1(b, "Multiply", {offset, sizes}), columns(b, anchors, 0)});
  const OutPort growth = op1(b, "Exp", {op1(b, "Divide", {columns(b, x, 2), scale("h_scale", "w_scale")})});
  const OutPort half = op1(b, "Multiply", {op1(b, "Multiply", {growth, sizes}), number(b, 0.5)});
  return b.concat({op1(b, "Subtract", {centre, half}), op1(b, "Add", {centre, half})}, -1);
}

// Scores that reach the limit count; those of NonMaxSuppression are above it.
static double below(double limit) {
  return limit == 0 ? -1e-6 : std::nextafter(static_cast<float>(limit), std::numeric_limits<float>::lowest());
}

struct Found {
  OutPort boxes, classes, scores;  // numbers of boxes and of classes, i32; f32
};

static OutPort column(const Build& b, const OutPort& rows, int64_t index, ElementType type) {
  const OutPort list = gather(b, rows, b.integer(index), 1);
  list.set_shape(type, Shape::of_rank(1));
  return list;
}

// Boxes count by their best class.
static Found whatever_class(const Build& b, Suppression s, const OutPort& scores) {
  const Node top = b.node("TopK", "opset3", {scores, b.integer(1)}, 2);  // [1, n, classes]
  top.set("axis", 2).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i32);
  s.scores = b.transpose(top.out_port(0), {0, 2, 1});
  const Selection found = suppressed(b, s);
  const OutPort boxes = column(b, found.rows, 2, ElementType::i32);
  const OutPort classes = gather(b, b.reshape(top.out_port(1), b.list({-1})), boxes, 0);
  classes.set_shape(ElementType::i32, Shape::of_rank(1));
  return {boxes, classes, column(b, found.scores, 2, ElementType::f32)};
}

static Found by_class(const Build& b, Suppression s, const OutPort& scores) {
  s.scores = b.transpose(scores, {0, 2, 1});
  const Selection found = suppressed(b, s);
  return {column(b, found.rows, 2, ElementType::i32), column(b, found.rows, 1, ElementType::i32),
          column(b, found.scores, 2, ElementType::f32)};
}

}  // namespace detection

static Ports post_process(Build& b, const SourceNode& n) {
  using namespace detection;
  const auto most = n.native<int64_t>("max_detections"), classes = n.native<int64_t>("num_classes");
  const bool regular = n.native("use_regular_nms", false);
  const int64_t all = stated_dim(n, 1, 2);
  require(most > 0 && most <= INT32_MAX / 4 && classes > 0 && classes <= all, "it has ", most,
          " detections and ", classes, " classes of ", all);
  require(regular || n.native("max_classes_per_detection", 1) == 1,
          "attribute 'max_classes_per_detection' is more than 1, which is not supported");
  // The background comes first.
  Ints wanted;
  for (int64_t k = all - classes; k < all; ++k) wanted.push_back(k);
  const OutPort scores = all == classes ? b.in(1) : gather(b, b.in(1), b.list(wanted), 2);
  const OutPort corners = decoded(b, n);
  Suppression s{corners,
                {},
                b.integer(regular ? n.native("detections_per_class", 100) : most),
                number(b, n.native<double>("nms_iou_threshold")),
                number(b, below(n.native<double>("nms_score_threshold")))};
  const Found found = regular ? by_class(b, s, scores) : whatever_class(b, s, scores);
  const OutPort size = b.list({most});
  const auto finished = [&](const OutPort& list, const Ints& shape) {
    return b.reshape(padded_to(b, list, size, ElementType::f32), b.list(shape));
  };
  const OutPort chosen = gather(b, b.reshape(corners, b.list({-1, 4})), found.boxes, 0);
  const OutPort flat = b.reshape(chosen, b.list({-1}));
  const OutPort boxes =
      b.reshape(padded_to(b, flat, b.list({most * 4}), ElementType::f32), b.list({1, most, 4}));
  const OutPort count = op1(b, "Minimum", {b.shape_of(found.boxes), size});
  Ports outputs{boxes, finished(b.convert(found.classes, ElementType::f32), {1, most}),
                finished(found.scores, {1, most}), b.convert(count, ElementType::f32)};
  outputs.resize(std::min<size_t>(n.out_count(), 4));
  return outputs;
}

void register_detection(Registry& r) {
  replace<post_process>(
      r, {"TFLite_Detection_PostProcess", "TFLite_Detection_PostProcess(offsets, scores, anchors)",
          "NonMaxSuppression-5(decoded boxes, scores), and what it selects"});
}

}  // namespace mo::tflite
