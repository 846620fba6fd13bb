// DeformablePSROIPooling: each bin of a region out of a channel of its own, where bins may be moved.
#include "support/roi_pooling.hpp"

namespace mo::opset {

struct DeformablePsRoiPooling {
  static constexpr std::string_view type = "DeformablePSROIPooling", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data, regions, [offsets of bins]: each bin of a region out of a channel of its own");
    s.inputs({"data", "rois"}, Role::fixed).optional_input("offsets", Role::fixed).outputs(1);
    s.attr<int64_t>("output_dim").attr<double>("spatial_scale").attr<int64_t>("group_size", 1);
    s.attr<std::string>("mode", "bilinear_deformable").one_of({"bilinear_deformable"});
    s.attr<int64_t>("spatial_bins_x", 1).attr<int64_t>("spatial_bins_y", 1);
    s.attr<double>("trans_std", 1.0).attr<int64_t>("part_size", 1);
  }
  static void infer(InferContext& c) {
    Dim count = roi_pooling::regions(c);
    const int64_t out = int_attr(c, "output_dim", 1), group = int_attr(c, "group_size", 1, INT32_MAX);
    for (const auto* const name : {"spatial_bins_x", "spatial_bins_y", "part_size"})
      int_attr(c, name, 1, INT32_MAX);
    const Shape data = c.shape(0);
    if (data.has_rank())
      same_dim(data[1], detail::checked_mul(out, detail::checked_mul(group, group)),
               "channels of the data and of all bins");
    ElementType t = common_type(c, {0, 1});
    if (c.has(2)) {
      t = common_type(c, {0, 1, 2});
      const Shape offsets = c.shape(2);
      require_rank(offsets, "the offsets", 4);
      narrow(count, offsets, 0, "numbers of regions and of offsets");
    }
    c.output(0, t, {count, out, group, group});
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0);
    const auto out = c.attr<int64_t>("output_dim"), g = c.attr<int64_t>("group_size");
    const int64_t bins_x = c.attr<int64_t>("spatial_bins_x"), bins_y = c.attr<int64_t>("spatial_bins_y");
    const auto scale = c.attr<double>("spatial_scale");
    const double h = static_cast<double>(data.dim(2)), w = static_cast<double>(data.dim(3)),
                 n = static_cast<double>(g);
    const Offsets offsets(c, out, g);
    limit_work(c, {c.input(1).dim(0), out, g, g, bins_x, bins_y});
    roi_pooling::evaluate(
        c, {c.input(1).dim(0), out, g, g}, [&](auto plane, const float* roi, int64_t r, auto write) {
          const auto start = [&](float v) { return static_cast<double>(std::round(v)) * scale - 0.5; };
          const auto end = [&](float v) { return (static_cast<double>(std::round(v)) + 1) * scale - 0.5; };
          const double x0 = start(roi[0]), y0 = start(roi[1]);
          const double width = std::max(end(roi[2]) - x0, 0.1), height = std::max(end(roi[3]) - y0, 0.1);
          for (int64_t o = 0; o < out; ++o)
            for (int64_t i = 0; i < g; ++i)
              for (int64_t j = 0; j < g; ++j) {
                const double bin_w = width / n, bin_h = height / n;
                const double bx = x0 + static_cast<double>(j) * bin_w + offsets.at(r, o, 0, i, j) * width;
                const double by = y0 + static_cast<double>(i) * bin_h + offsets.at(r, o, 1, i, j) * height;
                const auto p = plane((o * g + i) * g + j);
                double sum = 0, count = 0;
                for (int64_t y = 0; y < bins_y; ++y)
                  for (int64_t x = 0; x < bins_x; ++x) {
                    const double py = by + static_cast<double>(y) * bin_h / static_cast<double>(bins_y);
                    const double px = bx + static_cast<double>(x) * bin_w / static_cast<double>(bins_x);
                    if (!(py >= -0.5 && py <= h - 0.5 && px >= -0.5 && px <= w - 0.5)) continue;
                    sum += p.between(std::clamp(py, 0.0, h - 1), std::clamp(px, 0.0, w - 1));
                    count += 1;
                  }
                if (count > 0) write((o * g + i) * g + j, sum / count);
              }
        });
  }

 private:
  // Of bins, as parts of the region; 0 when there are none.
  class Offsets {
   public:
    Offsets(const EvalContext& c, int64_t out, int64_t group) : group_(group) {
      if (!c.has(2)) return;
      const Tensor t = c.input(2);
      numbers_ = t.to_floats<double>();
      dims_ = t.dims();
      part_ = c.attr<int64_t>("part_size");
      factor_ = c.attr<double>("trans_std");
      const int64_t classes = dims_[1] / 2;
      require(classes > 0 && out >= classes, "offsets of shape ", t.shape(), " do not suit ", out,
              " channels");
      const int64_t most = (group - 1) * part_ / group;
      require(dims_[2] > most && dims_[3] > most, "offsets of shape ", t.shape(),
              " do not suit parts of size ", part_);
      of_class_ = out / classes;
    }
    double at(int64_t region, int64_t channel, int64_t axis, int64_t i, int64_t j) const {
      if (numbers_.empty()) return 0;
      const int64_t plane = std::min(channel / of_class_, dims_[1] / 2 - 1) * 2 + axis;
      const int64_t y = i * part_ / group_, x = j * part_ / group_;
      return numbers_[static_cast<size_t>(((region * dims_[1] + plane) * dims_[2] + y) * dims_[3] + x)] *
             factor_;
    }

   private:
    std::vector<double> numbers_;
    Dims dims_;
    int64_t group_, part_ = 1, of_class_ = 1;
    double factor_ = 1;
  };
};

void register_deformable_ps_roi_pooling(Registry& r) { r.operation<DeformablePsRoiPooling>(); }

}  // namespace mo::opset
