// TFLite_Detection_PostProcess: (offsets [1, n, 4], scores [1, n, classes], anchors [n, 4]) become the best
// boxes, their classes and scores, and how many they are. Offsets and anchors are y, x, height, width.
//
// With use_regular_nms boxes are suppressed within their classes: a DetectionOutput, whose rows are put in
// order, unless the number of boxes of one class is limited, which DetectionOutput does before it suppresses.
// By default they are suppressed whatever their classes are, as NonMaxSuppression does of one class.
#include "support/suppression.hpp"

#include <cmath>

namespace mo::tflite {

namespace detection {

static OutPort columns(const Build& b, const OutPort& x, int64_t first) {
  return b.gather(x, b.list({first, first + 1}), -1);
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
  const OutPort half = op1(b, "Multiply", {op1(b, "Multiply", {growth, sizes}), b.number(0.5)});
  return b.concat({op1(b, "Subtract", {centre, half}), op1(b, "Add", {centre, half})}, -1);
}

// Scores that reach the limit count; those of NonMaxSuppression are above it.
static double below(double limit) {
  return limit == 0 ? -1e-6 : std::nextafter(static_cast<float>(limit), std::numeric_limits<float>::lowest());
}

// [1, n, 4] with y and x, and height and width, in the other order.
static OutPort turned(const Build& b, const OutPort& x) { return b.gather(x, b.list({1, 0, 3, 2}), -1); }

// Corners of the anchors, and behind them what the offsets are multiplied by: [1, 2, n * 4].
static OutPort priors(const Build& b, const SourceNode& n) {
  const OutPort anchors = b.reshape(turned(b, b.in(2)), b.list({1, -1, 4}));
  const OutPort centre = columns(b, anchors, 0),
                half = op1(b, "Multiply", {columns(b, anchors, 2), b.number(0.5)});
  const OutPort corners = b.concat({op1(b, "Subtract", {centre, half}), op1(b, "Add", {centre, half})}, -1);
  std::vector<double> factors;
  for (const char* scale : {"x_scale", "y_scale", "w_scale", "h_scale"})
    factors.push_back(1 / n.native<double>(scale));
  const OutPort all = b.broadcast(
      b.constant(Tensor::filled(b.context(), ElementType::f32, factors, {1, 1, 4})), b.shape_of(corners));
  const OutPort row = b.list({1, 1, -1});
  return b.concat({b.reshape(corners, row), b.reshape(all, row)}, 1);
}

// The four outputs, of rows [picture, class, score, x0, y0, x1, y1] that end with picture -1.
static Ports detected(const Build& b, const SourceNode& n, const OutPort& scores, int64_t classes,
                      int64_t most) {
  const OutPort flat = b.list({1, -1});
  const Node d = b.node("DetectionOutput", "opset1",
                        {b.reshape(turned(b, b.in(0)), flat), b.reshape(scores, flat), priors(b, n)});
  d.set("num_classes", classes).set("background_label_id", -1).set("top_k", -1).set("keep_top_k", Ints{most});
  d.set("code_type", "caffe.PriorBoxParameter.CENTER_SIZE").set("share_location", true);
  d.set("variance_encoded_in_target", false).set("normalized", true).set("decrease_label_id", false);
  d.set("nms_threshold", n.native<double>("nms_iou_threshold"));
  d.set("confidence_threshold", below(n.native<double>("nms_score_threshold")));
  d.set("clip_before_nms", false).set("clip_after_nms", false).set("objectness_score", 0.0);
  d.set("input_height", 1).set("input_width", 1);
  const OutPort rows = b.reshape(d.out_port(), b.list({most, 7}));
  const auto column = [&](const OutPort& x, int64_t k) { return b.gather(x, b.integer(k), 1); };
  const OutPort ends = b.convert(op1(b, "Less", {column(rows, 0), b.number(0)}), ElementType::f32);
  const Node ended = b.node("CumSum", "opset3", {ends, b.integer(0)});
  ended.set("exclusive", false).set("reverse", false);
  const OutPort there = op1(b, "Less", {ended.out_port(), b.number(0.5)});
  const Node top =
      b.node("TopK", "opset11", {b.select(there, column(rows, 2), b.number(-1)), b.integer(most)}, 2);
  top.set("axis", 0).set("mode", "max").set("sort", "value").set("stable", true);
  top.set("index_element_type", ElementType::i32);
  const OutPort sorted =
      b.gather(b.select(b.unsqueeze(there, b.list({1})), rows, b.number(0)), top.out_port(1), 0);
  const auto list = [&](int64_t k) { return b.reshape(column(sorted, k), b.list({1, most})); };
  const OutPort boxes = b.reshape(b.gather(sorted, b.list({4, 3, 6, 5}), 1), b.list({1, most, 4}));
  return {boxes, list(1), list(2),
          b.reduce("ReduceSum", b.convert(there, ElementType::f32), b.list({0}), true)};
}

struct Found {
  OutPort boxes, classes, scores;  // numbers of boxes and of classes, i32; f32
};

static OutPort column(const Build& b, const OutPort& rows, int64_t index, ElementType type) {
  const OutPort list = b.gather(rows, b.integer(index), 1);
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
  const OutPort classes = b.gather(b.reshape(top.out_port(1), b.list({-1})), boxes, 0);
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
  const OutPort scores = all == classes ? b.in(1) : b.gather(b.in(1), b.list(wanted), 2);
  Ports outputs;
  if (regular && n.native("detections_per_class", 100) >= most) {
    outputs = detected(b, n, scores, classes, most);
    outputs.resize(std::min<size_t>(n.out_count(), 4));
    return outputs;
  }
  const OutPort corners = decoded(b, n);
  Suppression s{corners,
                {},
                b.integer(regular ? n.native("detections_per_class", 100) : most),
                b.number(n.native<double>("nms_iou_threshold")),
                b.number(below(n.native<double>("nms_score_threshold")))};
  const Found found = regular ? by_class(b, s, scores) : whatever_class(b, s, scores);
  const OutPort size = b.list({most});
  const auto finished = [&](const OutPort& list, const Ints& shape) {
    return b.reshape(padded_to(b, list, size, ElementType::f32), b.list(shape));
  };
  const OutPort chosen = b.gather(b.reshape(corners, b.list({-1, 4})), found.boxes, 0);
  const OutPort flat = b.reshape(chosen, b.list({-1}));
  const OutPort boxes =
      b.reshape(padded_to(b, flat, b.list({most * 4}), ElementType::f32), b.list({1, most, 4}));
  const OutPort count = op1(b, "Minimum", {b.shape_of(found.boxes), size});
  outputs = {boxes, finished(b.convert(found.classes, ElementType::f32), {1, most}),
             finished(found.scores, {1, most}), b.convert(count, ElementType::f32)};
  outputs.resize(std::min<size_t>(n.out_count(), 4));
  return outputs;
}

void register_detection(Registry& r) {
  replace<post_process>(
      r, {"TFLite_Detection_PostProcess", "TFLite_Detection_PostProcess(offsets, scores, anchors)",
          "DetectionOutput(offsets, scores, anchors), or NonMaxSuppression-5(boxes, scores), and what they "
          "select"});
}

}  // namespace mo::tflite
