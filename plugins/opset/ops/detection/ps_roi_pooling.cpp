// PSROIPooling: each bin of a region out of channels of its own, as a mean of elements or of samples between
// them.
#include "support/roi_pooling.hpp"

namespace mo::opset {

struct PsRoiPooling {
  static constexpr std::string_view type = "PSROIPooling", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data, regions: each bin of a region out of channels of its own")
        .inputs({"data", "rois"}, Role::fixed)
        .outputs(1);
    s.attr<int64_t>("output_dim").attr<int64_t>("group_size", 1).attr<double>("spatial_scale");
    s.attr<std::string>("mode", "average").one_of({"average", "bilinear"});
    s.attr<int64_t>("spatial_bins_x", 1).attr<int64_t>("spatial_bins_y", 1);
  }
  static void infer(InferContext& c) {
    const Dim count = roi_pooling::regions(c);
    const int64_t out = int_attr(c, "output_dim", 1), group = int_attr(c, "group_size", 1, INT32_MAX);
    const int64_t x = int_attr(c, "spatial_bins_x", 1, INT32_MAX),
                  y = int_attr(c, "spatial_bins_y", 1, INT32_MAX);
    const bool average = c.attr<std::string>("mode") == "average";
    const Shape data = c.shape(0);
    if (data.has_rank())
      same_dim(
          data[1],
          detail::checked_mul(out, average ? detail::checked_mul(group, group) : detail::checked_mul(x, y)),
          "channels of the data and of all bins");
    c.output(0, common_type(c, {0, 1}), {count, out, group, group});
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0);
    const auto out = c.attr<int64_t>("output_dim"), g = c.attr<int64_t>("group_size");
    const bool average = c.attr<std::string>("mode") == "average";
    const auto scale = static_cast<float>(c.attr<double>("spatial_scale"));
    const int64_t bins_x = c.attr<int64_t>("spatial_bins_x"), bins_y = c.attr<int64_t>("spatial_bins_y");
    const int64_t h = data.dim(2), w = data.dim(3);
    limit_work(c, {c.input(1).dim(0), out, g, g, average ? 1 : bins_x * bins_y});
    roi_pooling::evaluate(
        c, {c.input(1).dim(0), out, g, g}, [&](auto plane, const float* roi, int64_t, auto write) {
          for (int64_t o = 0; o < out; ++o)
            for (int64_t i = 0; i < g; ++i)
              for (int64_t j = 0; j < g; ++j) {
                const int64_t at = (o * g + i) * g + j;
                if (average) {
                  const auto rows = bin(i, g, roi[1], roi[3], scale, h),
                             columns = bin(j, g, roi[0], roi[2], scale, w);
                  if (rows.first < rows.last && columns.first < columns.last)
                    write(at, mean(plane(at), rows, columns));
                  continue;
                }
                double sum = 0;
                for (int64_t y = 0; y < bins_y; ++y)
                  for (int64_t x = 0; x < bins_x; ++x) {
                    const double py = place(i, g, y, bins_y, roi[1] * scale, roi[3] * scale, h);
                    const double px = place(j, g, x, bins_x, roi[0] * scale, roi[2] * scale, w);
                    if (py >= 0 && py < static_cast<double>(h) && px >= 0 && px < static_cast<double>(w))
                      sum += plane((y * bins_x + x) * out + o).between(py, px);
                  }
                write(at, sum / static_cast<double>(bins_x * bins_y));
              }
        });
  }

 private:
  static roi_pooling::Run bin(int64_t i, int64_t n, float low, float high, float scale, int64_t size) {
    const float first = std::round(low) * scale, last = (std::round(high) + 1) * scale;
    const float step = (last - first) / static_cast<float>(n);
    const float from = first + static_cast<float>(i) * step, to = first + static_cast<float>(i + 1) * step;
    return {clamped_index(std::floor(static_cast<double>(from)), 0, size - 1),
            clamped_index(std::ceil(static_cast<double>(to)), 0, size)};
  }
  template <class Plane>
  static double mean(const Plane& p, const roi_pooling::Run& rows, const roi_pooling::Run& columns) {
    double sum = 0;
    for (int64_t y = rows.first; y < rows.last; ++y)
      for (int64_t x = columns.first; x < columns.last; ++x) sum += p.at(y, x);
    return sum / static_cast<double>((rows.last - rows.first) * (columns.last - columns.first));
  }
  // Where the sample of sub-bin k of `bins` for group i of n lies; ends of the region are from 0 to 1.
  static double place(int64_t i, int64_t n, int64_t k, int64_t bins, double low, double high, int64_t size) {
    const double step = (high - low) / static_cast<double>(bins), start = low + static_cast<double>(k) * step;
    const auto last = static_cast<double>(size - 1);
    if (n == 1) return (2 * start + step) * last / 2;
    return static_cast<double>(i) * (step * last / static_cast<double>(n - 1)) + start * last;
  }
};

void register_ps_roi_pooling(Registry& r) { r.operation<PsRoiPooling>(); }

}  // namespace mo::opset
