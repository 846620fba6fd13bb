// Boxes around the places of a grid, that an SSD starts from.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

#include <cmath>

namespace mo::mxnet {

namespace priors {

struct Prior {
  std::vector<double> sizes, ratios, steps, offsets;
  bool clip = false;
};

static Prior read(const SourceNode& n) {
  Prior p{floats_of(n, "sizes", {1}, 0), floats_of(n, "ratios", {1}, 0), floats_of(n, "steps", {-1, -1}, 2),
          floats_of(n, "offsets", {0.5, 0.5}, 2), n.native("clip", false)};
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
  const OutPort moved = b.add(places, b.like(places, offset));
  const OutPort scaled = step > 0 ? b.multiply(moved, b.like(places, step))
                                  : b.divide(moved, b.convert(count, ElementType::f32));
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
      b.reshape(b.divide(b.convert(height, ElementType::f32), b.convert(width, ElementType::f32)),
                b.list({1, 1, 1, 1}));
  const OutPort half_width = b.multiply(numbers(half_widths), proportion),
                half_height = numbers(half_heights);
  const OutPort all = b.concat({height, width, b.list({static_cast<int64_t>(half_widths.size()), 1})});
  const auto spread = [&](const OutPort& x) { return b.broadcast(x, all); };
  const OutPort x = centers(b, width, p.steps[1], p.offsets[1], 1),
                y = centers(b, height, p.steps[0], p.offsets[0], 0);
  OutPort boxes = b.concat({spread(b.subtract(x, half_width)), spread(b.subtract(y, half_height)),
                            spread(b.add(x, half_width)), spread(b.add(y, half_height))},
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

}  // namespace priors

void register_multi_box_prior(Registry& r) {
  convert<priors::prior>(r, "_contrib_MultiBoxPrior MultiBoxPrior", "MultiBoxPrior(x)",
                         "Reshape(PriorBox(sizes of x)), or arithmetic");
}

}  // namespace mo::mxnet
