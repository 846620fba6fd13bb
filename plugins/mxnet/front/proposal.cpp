// Regions that may show something. The operation takes the width of a region for the distance of its edges,
// and so reaches one element further right and down than MXNet, for which the last element is within; what it
// reads is changed so that it gives MXNet's. Rows that are left over are empty; MXNet repeats regions there.
#include <cmath>

#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace proposing {

// Widths and heights of the anchors in the order of the channels, as operation and operator round them.
static std::vector<std::pair<double, double>> anchors(double stride, const std::vector<double>& ratios,
                                                      const std::vector<double>& scales) {
  std::vector<std::pair<double, double>> sizes;
  constexpr size_t most = size_t{1} << 16;
  require(ratios.size() <= most / std::max<size_t>(scales.size(), 1),
          "attributes 'ratios' and 'scales' make ", ratios.size(), " x ", scales.size(),
          " anchors at a place; expected at most ", most);
  for (const double ratio : ratios) {
    require(ratio > 0, "attribute 'ratios' has the number ", ratio, "; expected more than 0");
    const double width = std::floor(std::sqrt(std::floor(stride * stride / ratio)) + 0.5),
                 height = std::floor(width * ratio + 0.5);
    for (const double scale : scales) sizes.emplace_back(width * scale, height * scale);
  }
  return sizes;
}

// Channels `first` and the one after it of the four of each anchor.
static OutPort two_of_four(const Build& b, const OutPort& x, size_t anchors, int64_t first) {
  Ints list;
  for (size_t i = 0; i < anchors; ++i)
    for (const int64_t k : {0, 1}) list.push_back(static_cast<int64_t>(4 * i) + first + k);
  return b.op("Gather", "opset7", {x, b.list(list), b.integer(1)});
}

// Of a region with centre c and size s MXNet's edges are c - (s - 1) / 2 and c + (s - 1) / 2, the operation's
// c' - s / 2 and c' + s / 2 with its centre half an element further. So the shifts, multiples of the anchor's
// size a, lose 0.5 / a, and the growths, logarithms, become log(exp(growth) - 1 / a). With iou_loss there are
// distances of the edges from the anchor's instead: the centre moves by their mean, the size by their
// difference.
static OutPort within_edges(const Build& b, const OutPort& deltas, bool of_edges,
                            const std::vector<std::pair<double, double>>& sizes) {
  std::vector<double> parts;
  for (const auto& [w, h] : sizes) parts.insert(parts.end(), {1 / w, 1 / h});
  const auto scaled = [&](double factor) {
    std::vector<double> list = parts;
    for (double& v : list) v *= factor;
    return b.like(deltas, list, {1, static_cast<int64_t>(list.size()), 1, 1});
  };
  const OutPort first = two_of_four(b, deltas, sizes.size(), 0),
                second = two_of_four(b, deltas, sizes.size(), 2);
  const OutPort shift = of_edges ? b.multiply(b.add(first, second), scaled(0.5)) : first;
  const OutPort growth = of_edges ? b.add(b.multiply(b.subtract(second, first), scaled(1)), b.like(deltas, 1))
                                  : b.op("Exp", "opset1", {second});
  const OutPort positive = b.op("Maximum", "opset1", {b.subtract(growth, scaled(1)), b.like(deltas, 1e-6)});
  const OutPort both = b.concat({b.subtract(shift, scaled(0.5)), b.op("Log", "opset1", {positive})}, 1);
  Ints order;
  const auto pairs = static_cast<int64_t>(2 * sizes.size());
  for (int64_t i = 0; i < pairs; i += 2) order.insert(order.end(), {i, i + 1, pairs + i, pairs + i + 1});
  return b.op("Gather", "opset7", {both, b.list(order), b.integer(1)});
}

// Of one picture: regions [count, 5] that begin with 0, and their scores.
static Node proposed(const Build& b, const SourceNode& n, const OutPort& scores, const OutPort& deltas,
                     const OutPort& size) {
  const auto stride = n.native("feature_stride", n.native("feat_stride", 16));
  const auto ratios = floats_of(n, "ratios", {0.5, 1, 2}), scales = floats_of(n, "scales", {4, 8, 16, 32});
  const OutPort moved = within_edges(b, deltas, n.native("iou_loss", false),
                                     anchors(static_cast<double>(stride), ratios, scales));
  const Node p = b.node("Proposal", "opset4", {scores, moved, b.reshape(size, b.list({-1}))}, 2);
  p.set("base_size", stride).set("feat_stride", stride).set("min_size", n.native("rpn_min_size", 16));
  const auto before = n.native("rpn_pre_nms_top_n", 6000);
  p.set("pre_nms_topn", before > 0 ? before : INT32_MAX)
      .set("post_nms_topn", n.native("rpn_post_nms_top_n", 300));
  p.set("nms_thresh", n.native("threshold", 0.7));
  p.set("ratio", ratios).set("scale", scales);
  p.set("clip_before_nms", true).set("clip_after_nms", false).set("normalize", false);
  p.set("framework", "").set("box_size_scale", 1.0).set("box_coordinate_scale", 1.0);
  return p;
}

static Ports of_one(Build& b, const SourceNode& n) {
  const Node p = proposed(b, n, b.in(0), b.in(1), b.in(2));
  return {p.out_port(0), b.unsqueeze(p.out_port(1), b.list({1}))};
}

// Pictures have sizes of their own, and the operation one for all: each picture gets an operation.
static Ports of_several(Build& b, const SourceNode& n) {
  const int64_t count = dim_of(b, b.in(0), 0);
  require(count > 0 && count <= 256, "it reads ", count, " pictures; expected 1 to 256");
  const auto pictures = [&](size_t input) {
    if (count == 1) return Ports{b.in(input)};
    const Node s = b.node("Split", "opset1", {b.in(input), b.integer(0)}, static_cast<uint32_t>(count));
    s.set("num_splits", count);
    return s.out_ports();
  };
  const Ports scores = pictures(0), deltas = pictures(1), sizes = pictures(2);
  const auto rows = n.native("rpn_post_nms_top_n", 300);
  Ports regions, of_regions;
  for (size_t i = 0; i < scores.size(); ++i) {
    const Node p = proposed(b, n, scores[i], deltas[i], sizes[i]);
    const Node columns = b.node("VariadicSplit", "opset1", {p.out_port(0), b.integer(1), b.list({1, 4})}, 2);
    const OutPort number =
        b.broadcast(b.constant(Tensor::scalar<float>(b.context(), static_cast<float>(i))), b.list({rows, 1}));
    regions.push_back(b.concat({number, columns.out_port(1)}, 1));
    of_regions.push_back(b.unsqueeze(p.out_port(1), b.list({1})));
  }
  return {b.concat(regions, 0), b.concat(of_regions, 0)};
}

}  // namespace proposing

void register_proposal(Registry& r) {
  convert<proposing::of_one>(r, "_contrib_Proposal Proposal Custom.proposal",
                             "_contrib_Proposal(scores, deltas, size)",
                             "Proposal(scores, moved deltas, size)");
  convert<proposing::of_several>(r, "_contrib_MultiProposal MultiProposal",
                                 "_contrib_MultiProposal(scores, deltas, sizes)",
                                 "Concat(Proposal(scores, moved deltas, size) of each picture)");
}

}  // namespace mo::mxnet
