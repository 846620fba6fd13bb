// GridSample: data [N, C, H, W] read at the places of grid [N, H', W', 2], whose coordinates are from -1
// to 1.
#include "support/floats.hpp"

#include <array>

namespace mo::opset {

namespace grid_sample {

enum class Outside { zero, edge, mirrored };

// One axis of the data.
struct Axis {
  int64_t size;
  bool corners_aligned;
  Outside outside;

  // -1 to 1 as elements.
  double place(double v) const {
    const auto n = static_cast<double>(size);
    return corners_aligned ? (v + 1) / 2 * (n - 1) : ((v + 1) * n - 1) / 2;
  }
  double mirrored(double v) const {
    const double low = corners_aligned ? 0 : -0.5,
                 span = static_cast<double>(size) - (corners_aligned ? 1 : 0);
    if (span <= 0) return 0;
    const double t = std::fmod(std::abs(v - low), 2 * span);
    return (t > span ? 2 * span - t : t) + low;
  }
  double kept(double v) const { return std::clamp(v, 0.0, static_cast<double>(size - 1)); }
  // Where interpolation between neighbours begins.
  double inside(double v) const {
    if (outside == Outside::edge) return kept(v);
    return outside == Outside::mirrored ? kept(mirrored(v)) : v;
  }
  // The element at whole number v; -1: none, it is 0.
  int64_t element(double v) const {
    if (!std::isfinite(v)) return -1;
    if (outside == Outside::zero)
      return v >= 0 && v < static_cast<double>(size) ? static_cast<int64_t>(v) : -1;
    if (outside == Outside::mirrored) v = std::nearbyint(mirrored(v));
    return static_cast<int64_t>(kept(v));
  }
};

// Elements and weights of one axis.
using Taps = std::vector<std::pair<int64_t, double>>;

static std::array<double, 4> cubic_weights(double t) {
  constexpr double a = -0.75;
  const auto near = [](double x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
  const auto far = [](double x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
  return {far(t + 1), near(t), near(1 - t), far(2 - t)};
}

static void find_taps(const Axis& axis, const std::string& mode, double v, Taps& taps) {
  taps.clear();
  const double place = axis.place(v);
  if (mode == "nearest") {
    const double at = axis.outside == Outside::mirrored ? axis.mirrored(place)
                      : axis.outside == Outside::edge   ? axis.kept(place)
                                                        : place;
    taps.emplace_back(axis.element(std::nearbyint(at)), 1.0);
  } else if (mode == "bilinear") {
    const double at = axis.inside(place), low = std::floor(at);
    taps.emplace_back(axis.element(low), 1 - (at - low));
    taps.emplace_back(axis.element(low + 1), at - low);
  } else {
    const double low = std::floor(place);
    const auto weights = cubic_weights(place - low);
    for (size_t i = 0; i < 4; ++i)
      taps.emplace_back(axis.element(low + static_cast<double>(i) - 1), weights[i]);
  }
}

}  // namespace grid_sample

struct GridSample {
  static constexpr std::string_view type = "GridSample", opset = "opset9";
  static void schema(OpSchema& s) {
    s.doc("data [N, C, H, W] at the places of grid [N, H', W', 2]")
        .input("data", Role::fixed, number_types)
        .input("grid", Role::fixed, float_types)
        .outputs(1);
    s.attr<bool>("align_corners", false);
    s.attr<std::string>("mode", "bilinear").one_of({"bilinear", "bicubic", "nearest"});
    s.attr<std::string>("padding_mode", "zeros").one_of({"zeros", "border", "reflection"});
  }
  static void infer(InferContext& c) {
    const Shape data = c.shape(0), grid = c.shape(1);
    require_rank(data, "the data", 4);
    require_rank(grid, "the grid", 4);
    Dim n;
    narrow(n, data, 0, "batches");
    narrow(n, grid, 0, "batches of the data and the grid");
    if (grid.has_rank()) same_dim(grid[3], 2, "dimension 3 of the grid");
    c.output(0, c.type(0), {n, dim_at(data, 1), dim_at(grid, 1), dim_at(grid, 2)});
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0), grid_in = c.input(1);
    const auto mode = c.attr<std::string>("mode"), padding = c.attr<std::string>("padding_mode");
    const auto outside = padding == "border"       ? grid_sample::Outside::edge
                         : padding == "reflection" ? grid_sample::Outside::mirrored
                                                   : grid_sample::Outside::zero;
    const bool aligned = c.attr<bool>("align_corners");
    const int64_t n = data.dim(0), channels = data.dim(1), h = data.dim(2), w = data.dim(3);
    const int64_t places = grid_in.dim(1) * grid_in.dim(2);
    const auto out = create_grown(c, data.type(), {n, channels, grid_in.dim(1), grid_in.dim(2)},
                                  data.bytes() + grid_in.bytes());
    require((h > 0 && w > 0) || out.first.size() == 0, "the data has shape ", data.shape(),
            "; expected elements");
    const grid_sample::Axis rows{h, aligned, outside}, columns{w, aligned, outside};
    const auto grid = grid_in.to_floats<double>();
    for_number(data.type(), [&](auto e) {
      using E = decltype(e);
      grid_sample::Taps down, across;
      for (int64_t i = 0; i < n * places; ++i) {
        find_taps(columns, mode, grid[static_cast<size_t>(2 * i)], across);
        find_taps(rows, mode, grid[static_cast<size_t>(2 * i + 1)], down);
        for (int64_t k = 0; k < channels; ++k) {
          const int64_t plane = i / places * channels + k;
          double sum = 0;
          for (const auto& [y, wy] : down)
            for (const auto& [x, wx] : across)
              if (y >= 0 && x >= 0)
                sum +=
                    static_cast<double>(E::get(data.data(), static_cast<size_t>((plane * h + y) * w + x))) *
                    (wy * wx);
          put_nearest<E>(out.second, static_cast<size_t>(plane * places + i % places), sum);
        }
      }
    });
    c.output(0, out.first);
  }
};

void register_grid_sample(Registry& r) { r.operation<GridSample>(); }

}  // namespace mo::opset
