// PriorBox: boxes of fixed sizes and aspect ratios around each point of a grid, and their variances.
#include "support/limits.hpp"
#include "support/prior_grid.hpp"

namespace mo::opset {

namespace prior_box {

// A box around a point, in pixels: offset of its center and half its size.
struct Around {
  double dx, dy, half_width, half_height;
  bool cut;  // at the edges of the picture
};

struct Settings {
  std::vector<double> min_size, max_size, ratios, fixed_size, fixed_ratio, density;
  bool scale_all_sizes = true, ratios_last = true;
};

static std::vector<double> sizes_attr(const OpContext& c, std::string_view name) {
  auto list = c.find_attr<std::vector<double>>(name).value_or(std::vector<double>{});
  for (const double v : list)
    require(std::isfinite(v) && v > 0, "attribute '", name, "' is ", list, "; expected positive numbers");
  return list;
}

static Settings settings(const OpContext& c, bool has_order) {
  Settings s;
  s.min_size = sizes_attr(c, "min_size");
  s.max_size = sizes_attr(c, "max_size");
  s.fixed_size = sizes_attr(c, "fixed_size");
  s.fixed_ratio = sizes_attr(c, "fixed_ratio");
  s.density = sizes_attr(c, "density");
  s.scale_all_sizes = c.attr<bool>("scale_all_sizes");
  if (!s.scale_all_sizes) s.max_size.clear();
  if (has_order) s.ratios_last = c.attr<bool>("min_max_aspect_ratios_order");
  require(s.max_size.size() <= s.min_size.size(), "attribute 'max_size' has ", s.max_size.size(),
          " numbers but 'min_size' ", s.min_size.size());
  require(s.fixed_size.empty() || s.density.size() == s.fixed_size.size(), "attribute 'density' has ",
          s.density.size(), " numbers; expected one for each of the ", s.fixed_size.size(),
          " of 'fixed_size'");
  for (const double d : s.density)
    require(d >= 1 && d <= 1024, "attribute 'density' is ", s.density, "; expected numbers from 1 to 1024");
  // The ratio 1 is always there; others once.
  s.ratios = {1};
  for (const double r : sizes_attr(c, "aspect_ratio")) {
    const auto same = [&](double q) { return std::abs(r - q) < 1e-6; };
    if (std::any_of(s.ratios.begin(), s.ratios.end(), same)) continue;
    s.ratios.push_back(r);
    if (c.attr<bool>("flip")) s.ratios.push_back(1 / r);
  }
  return s;
}

static int64_t boxes_of_a_point(const Settings& s) {
  const auto ratios = static_cast<int64_t>(s.ratios.size());
  const auto fixed = s.fixed_ratio.empty() ? ratios : static_cast<int64_t>(s.fixed_ratio.size());
  int64_t n = 0;
  for (size_t i = 0; i < s.fixed_size.size(); ++i) {
    const auto d = static_cast<int64_t>(s.density[i]);
    n += d * d * fixed;
  }
  if (s.min_size.empty()) return n;
  const auto sizes = static_cast<int64_t>(s.min_size.size());
  return n + sizes + static_cast<int64_t>(s.max_size.size()) + (s.scale_all_sizes ? sizes : 1) * (ratios - 1);
}

// A square of density * density boxes.
static void add_dense(std::vector<Around>& list, double size, double density, double w, double h) {
  const auto n = static_cast<int64_t>(density);
  const double shift = std::floor(size / static_cast<double>(n)),
               start = shift / 2 - std::floor(std::floor(size) / 2);
  for (int64_t r = 0; r < n; ++r)
    for (int64_t k = 0; k < n; ++k)
      list.push_back(
          {start + static_cast<double>(k) * shift, start + static_cast<double>(r) * shift, w, h, true});
}
static void add_fixed(std::vector<Around>& list, const Settings& s, size_t i) {
  const double size = s.fixed_size[i], density = s.density[i], half = std::floor(size) * 0.5;
  const auto with_ratio = [&](double r) {
    add_dense(list, size, density, size * 0.5 * std::sqrt(r), size * 0.5 / std::sqrt(r));
  };
  if (!s.fixed_ratio.empty()) {
    for (const double r : s.fixed_ratio) with_ratio(r);
    return;
  }
  add_dense(list, size, density, half, half);
  for (size_t k = 1; k < s.ratios.size(); ++k) with_ratio(s.ratios[k]);
}
static void add_sizes(std::vector<Around>& list, const Settings& s, size_t i, double scale) {
  const double size = s.min_size[i] * scale;
  const auto square = [&](double half) { list.push_back({0, 0, half, half, false}); };
  const auto greatest = [&] {
    if (i < s.max_size.size()) square(std::sqrt(size * s.max_size[i]) * 0.5);
  };
  square(size * 0.5);
  if (s.ratios_last) greatest();
  if (s.scale_all_sizes || i + 1 == s.min_size.size()) {
    const double base = s.scale_all_sizes ? size : s.min_size[0] * scale;
    for (size_t k = 1; k < s.ratios.size(); ++k) {
      const double q = std::sqrt(s.ratios[k]);
      list.push_back({0, 0, base * 0.5 * q, base * 0.5 / q, false});
    }
  }
  if (!s.ratios_last) greatest();
}

template <int Version>
struct Operation {
  static void schema(OpSchema& s) {
    s.doc("sizes of the grid and of the picture: boxes and variances")
        .inputs({"grid_size", "picture_size"}, Role::any)
        .outputs(1);
    const std::vector<double> none;
    s.attr("min_size", none).attr("max_size", none).attr("aspect_ratio", none);
    s.attr<bool>("flip", false).attr<bool>("clip", false).attr<double>("step", 0.0).attr<double>("offset");
    s.attr("variance", none).attr<bool>("scale_all_sizes", true);
    s.attr("fixed_ratio", none).attr("fixed_size", none).attr("density", none);
    if (Version >= 8) s.attr<bool>("min_max_aspect_ratios_order", true);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(
        n, {{"density goes with one fixed_ratio", "", "ngraph/core/src/op/prior_box.cpp", [](const Node& l) {
               return l.attr("density", std::vector<double>{}).empty() ||
                      l.attr("fixed_ratio", std::vector<double>{}).size() <= 1;
             }}});
  }
  static void infer(InferContext& c) {
    float_attr(c, "offset", 0);
    const bool relative = !c.attr<bool>("scale_all_sizes") && c.attr<double>("step") == -1;
    if (!relative) float_attr(c, "step", 0);
    prior_grid::infer(c, boxes_of_a_point(settings(c, Version >= 8)));
  }
  static void evaluate(EvalContext& c) {
    const Settings s = settings(c, Version >= 8);
    const auto grid = prior_grid::sizes(c, 0), image = prior_grid::sizes(c, 1);
    double step = c.attr<double>("step");
    if (!s.scale_all_sizes) step = step == -1 ? image.height / grid.height : step * image.height;
    limit_work({boxes_of_a_point(s), int64_t{1} << 11});  // they are kept
    std::vector<Around> around;
    for (size_t i = 0; i < s.fixed_size.size(); ++i) add_fixed(around, s, i);
    for (size_t i = 0; i < s.min_size.size(); ++i)
      add_sizes(around, s, i, s.scale_all_sizes ? 1 : image.height);
    const bool clip = c.attr<bool>("clip");
    const auto offset = c.attr<double>("offset");
    prior_grid::Writer out(c, static_cast<int64_t>(around.size()));
    for (double y = 0; y < grid.height; ++y)
      for (double x = 0; x < grid.width; ++x) {
        const double cx = step == 0 ? (x + 0.5) * (image.width / grid.width) : (offset + x) * step;
        const double cy = step == 0 ? (y + 0.5) * (image.height / grid.height) : (offset + y) * step;
        for (const Around& b : around) {
          const double x0 = (cx + b.dx - b.half_width) / image.width,
                       y0 = (cy + b.dy - b.half_height) / image.height,
                       x1 = (cx + b.dx + b.half_width) / image.width,
                       y1 = (cy + b.dy + b.half_height) / image.height;
          if (b.cut)
            out.add({std::max(x0, 0.0), std::max(y0, 0.0), std::min(x1, 1.0), std::min(y1, 1.0)}, clip);
          else
            out.add({x0, y0, x1, y1}, clip);
        }
      }
    out.finish();
  }
};

}  // namespace prior_box

void register_prior_box(Registry& r) {
  r.operation<prior_box::Operation<1>>("PriorBox", "opset1");
  r.operation<prior_box::Operation<8>>("PriorBox", "opset8");
}

}  // namespace mo::opset
