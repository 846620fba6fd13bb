// SSD: MultiBoxPrior and MultiBoxDetection.
#include "support/items.hpp"
#include "support/numbers.hpp"
#include "support/shapes.hpp"

#include <cmath>

namespace mo::mxnet {

namespace detection {

struct Prior {
  std::vector<double> sizes, ratios, steps, offsets;
  bool clip = false;
};

static std::vector<double> list_of(const SourceNode& n, std::string_view name, std::vector<double> fallback,
                                   size_t count) {
  auto list = floats_of(n, name, fallback);
  if (list.empty()) list = std::move(fallback);
  require(count == 0 || list.size() == count, "attribute '", name, "' is ", list, "; expected ", count,
          " numbers");
  return list;
}

static Prior read(const SourceNode& n) {
  Prior p{list_of(n, "sizes", {1}, 0), list_of(n, "ratios", {1}, 0), list_of(n, "steps", {-1, -1}, 2),
          list_of(n, "offsets", {0.5, 0.5}, 2), n.native("clip", false)};
  for (const double v : p.ratios) require(v > 0, "attribute 'ratios' is ", p.ratios);
  for (const double v : p.sizes) require(v > 0, "attribute 'sizes' is ", p.sizes);
  return p;
}

// PriorBox has the ratio 1 first, each ratio once, and one step and offset for both directions.
static bool fits_prior_box(const Prior& p) {
  if (p.ratios[0] != 1 || p.steps[0] > 0 || p.steps[1] > 0 || p.offsets[0] != 0.5 || p.offsets[1] != 0.5)
    return false;
  for (size_t i = 1; i < p.ratios.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (std::abs(p.ratios[i] - p.ratios[k]) < 1e-6) return false;
  return true;
}

// The sizes of the grid stand for those of the picture: that is what MXNet's proportions follow.
static OutPort by_prior_box(const Build& b, const Prior& p) {
  const OutPort grid = b.part(b.shape_of(b.in(0)), 2, 4);
  const Node n = b.node("PriorBox", "opset1", {grid, grid});
  n.set("min_size", p.sizes)
      .set("aspect_ratio", p.ratios)
      .set("variance", std::vector<double>{0.1, 0.1, 0.2, 0.2});
  n.set("clip", p.clip).set("flip", false).set("step", -1.0).set("offset", 0.5).set("scale_all_sizes", false);
  const OutPort boxes = b.part(n.out_port(), 0, 1);  // without the variances
  return b.reshape(boxes, b.list({1, -1, 4}));
}

// Where the centers of cells are, in one direction: `count`, `step` and `offset` of it, as a column of
// `rank` 4.
static OutPort centers(const Build& b, const OutPort& count, double step, double offset, size_t axis) {
  const OutPort places = b.convert(b.range(b.integer(0), b.reshape(count, b.list({})), 1), ElementType::f32);
  const OutPort moved = add(b, places, b.like(places, offset));
  const OutPort scaled = step > 0 ? multiply(b, moved, b.like(places, step))
                                  : divide(b, moved, b.convert(count, ElementType::f32));
  return along(b, scaled, axis, 4);
}

// Boxes of each cell around its center, with whatever steps and offsets.
static OutPort by_arithmetic(const Build& b, const Prior& p) {
  const OutPort height = b.dim(b.in(0), 2), width = b.dim(b.in(0), 3);
  std::vector<double> half_widths, half_heights;
  const auto box = [&](double size, double ratio) {
    half_widths.push_back(size * std::sqrt(ratio) / 2);
    half_heights.push_back(size / std::sqrt(ratio) / 2);
  };
  for (const double size : p.sizes) box(size, p.ratios[0]);
  for (size_t i = 1; i < p.ratios.size(); ++i) box(p.sizes[0], p.ratios[i]);
  const auto numbers = [&](const std::vector<double>& list) {
    return b.constant(
        Tensor::filled(b.context(), ElementType::f32, list, {1, 1, static_cast<int64_t>(list.size()), 1}));
  };
  const OutPort proportion =
      b.reshape(divide(b, b.convert(height, ElementType::f32), b.convert(width, ElementType::f32)),
                b.list({1, 1, 1, 1}));
  const OutPort half_width = multiply(b, numbers(half_widths), proportion),
                half_height = numbers(half_heights);
  const OutPort all = b.concat({height, width, b.list({static_cast<int64_t>(half_widths.size()), 1})});
  const auto spread = [&](const OutPort& x) {
    const Node n = b.node("Broadcast", "opset3", {x, all});
    n.set("mode", "numpy");
    return n.out_port();
  };
  const OutPort x = centers(b, width, p.steps[1], p.offsets[1], 1),
                y = centers(b, height, p.steps[0], p.offsets[0], 0);
  OutPort boxes = b.concat({spread(subtract(b, x, half_width)), spread(subtract(b, y, half_height)),
                            spread(add(b, x, half_width)), spread(add(b, y, half_height))},
                           3);
  if (p.clip) {
    const Node c = b.node("Clamp", "opset1", {boxes});
    c.set("min", 0.0).set("max", 1.0);
    boxes = c.out_port();
  }
  return b.reshape(boxes, b.list({1, -1, 4}));
}

static Ports prior(Build& b, const SourceNode& n) {
  require(rank_of(b, b.in(0)) == 4, "it reads ", rank_of(b, b.in(0)), " dimensions; expected a picture");
  const Prior p = read(n);
  return {fits_prior_box(p) ? by_prior_box(b, p) : by_arithmetic(b, p)};
}

// Class scores [batch, classes, anchors] with the classes last. A softmax over classes between two
// transpositions goes over the last dimension of what was transposed.
static OutPort classes_last(const Build& b, const OutPort& scores) {
  const Node softmax = scores.node();
  const Node turned = softmax.op() == "SoftMax" ? softmax.in_node(0) : Node();
  const bool between = turned && turned.op() == "Transpose" && softmax.attr<int64_t>("axis", 1) == 1 &&
                       turned.in_port(1).value() && turned.in_port(1).value()->to_ints() == Ints{0, 2, 1};
  if (!between) return b.transpose(scores, {0, 2, 1});
  const Node own = b.node("SoftMax", "opset1", {turned.in_port(0).get_source()});
  own.set("axis", 2);
  return own.out_port();
}

// [1, anchors, 4] with the variances beside them: [1, 2, anchors * 4].
static OutPort with_variances(const Build& b, const OutPort& anchors, const std::vector<double>& variances) {
  const OutPort flat = b.reshape(anchors, b.list({1, 1, -1}));
  const OutPort four = b.constant(Tensor::filled(b.context(), ElementType::f32, variances, {1, 1, 4}));
  const Node all = b.node("Broadcast", "opset3", {four, b.shape_of(anchors)});
  all.set("mode", "numpy");
  return b.concat({flat, b.reshape(all.out_port(), b.list({1, 1, -1}))}, 1);
}

static Ports multi_box_detection(Build& b, const SourceNode& n) {
  require(n.native("background_id", 0) == 0, "attribute 'background_id' is not 0, which is not supported");
  require(!n.native("force_suppress", false),
          "suppression of boxes over all classes (force_suppress) is not supported");
  const int64_t classes = dim_of(b, b.in(0), 1);
  const auto variances = list_of(n, "variances", {0.1, 0.1, 0.2, 0.2}, 4);
  const auto top = n.native("nms_topk", -1);
  const OutPort scores = b.reshape(classes_last(b, b.in(0)), Ints{0, -1});
  const Node d =
      b.node("DetectionOutput", "opset1", {b.in(1), scores, with_variances(b, b.in(2), variances)});
  d.set("num_classes", classes).set("background_label_id", 0).set("top_k", top).set("keep_top_k", Ints{top});
  d.set("variance_encoded_in_target", false).set("code_type", "caffe.PriorBoxParameter.CENTER_SIZE");
  d.set("share_location", true).set("nms_threshold", n.native("nms_threshold", 0.5));
  d.set("confidence_threshold", n.native("threshold", 0.01));
  d.set("clip_before_nms", n.native("clip", true))
      .set("clip_after_nms", false)
      .set("decrease_label_id", true);
  d.set("normalized", true).set("objectness_score", 0.0).set("input_height", 1).set("input_width", 1);
  return {d.out_port()};
}

}  // namespace detection

void register_detection(Items& items) {
  items.convert<detection::prior>("_contrib_MultiBoxPrior MultiBoxPrior");
  items.convert<detection::multi_box_detection>("_contrib_MultiBoxDetection MultiBoxDetection");
}

}  // namespace mo::mxnet
