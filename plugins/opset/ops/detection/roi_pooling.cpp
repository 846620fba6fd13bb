// ROIPooling, PSROIPooling and DeformablePSROIPooling: data [N, C, H, W] and regions [R, 5], which are
// [picture, x0, y0, x1, y1].
#include "support/sampling.hpp"

namespace mo::opset {

namespace roi_pooling {

// Dimension 0 of the output; checks what all three have in common.
static Dim regions(const InferContext& c) {
  require_float(c, 0);
  const Shape data = c.shape(0), rois = c.shape(1);
  require_rank(data, "the data", 4);
  require_rank(rois, "the regions", 2);
  positive_attr(c, "spatial_scale");
  if (rois.has_rank()) same_dim(rois[1], 5, "dimension 1 of the regions");
  return dim_at(rois, 0);
}

template <class T>
struct Plane {
  const T* data;
  int64_t height, width;
  double at(int64_t y, int64_t x) const { return static_cast<double>(data[y * width + x]); }
  // Between elements; y and x are within the plane.
  double between(double y, double x) const {
    const auto y0 = static_cast<int64_t>(std::floor(y)), x0 = static_cast<int64_t>(std::floor(x));
    const int64_t y1 = std::min(static_cast<int64_t>(std::ceil(y)), height - 1);
    const int64_t x1 = std::min(static_cast<int64_t>(std::ceil(x)), width - 1);
    const double py = y - static_cast<double>(y0), px = x - static_cast<double>(x0);
    const double top = at(y0, x0) + (at(y0, x1) - at(y0, x0)) * px;
    const double bottom = at(y1, x0) + (at(y1, x1) - at(y1, x0)) * px;
    return top + (bottom - top) * py;
  }
};

// Elements first to last-1 of one axis of a bin.
struct Run {
  int64_t first, last;
};

// Calls of_region(plane(channel), numbers of the region, write(index within its output, value)).
template <class OfRegion>
void evaluate(const EvalContext& c, const Dims& dims, OfRegion of_region) {
  const Tensor data = c.input(0);
  const auto rois = c.input(1).to_floats<float>();
  const auto out = create_grown(c, data.type(), dims, data.bytes());
  const int64_t h = data.dim(2), w = data.dim(3), one = dims[1] * dims[2] * dims[3];
  limit_work({dims[0], dims[1], h + 2 * dims[2], w + 2 * dims[3]});
  with_float(data.type(), [&](auto zero) {
    using T = decltype(zero);
    const auto map = data.to_floats<T>();
    for (int64_t r = 0; r < dims[0] && h > 0 && w > 0; ++r) {
      const float* const roi = rois.data() + 5 * r;
      if (roi[0] < 0) continue;  // no region
      const auto first =
          static_cast<int64_t>(batch_index(static_cast<double>(roi[0]), data.dim(0))) * data.dim(1);
      const auto plane = [&](int64_t channel) {
        return Plane<T>{map.data() + (first + channel) * h * w, h, w};
      };
      of_region(plane, roi + 1, r, [&](int64_t i, double v) {
        store_number(out.second, data.type(), static_cast<size_t>(r * one + i), v);
      });
    }
  });
  c.output(0, out.first);
}

}  // namespace roi_pooling

struct RoiPooling {
  static constexpr std::string_view type = "ROIPooling", opset = "opset2";
  static void schema(OpSchema& s) {
    s.doc("data, regions: a pooled_h x pooled_w picture of each region").inputs(2).outputs(1);
    s.attr<int64_t>("pooled_h").attr<int64_t>("pooled_w").attr<double>("spatial_scale");
    s.attr<std::string>("method", "max").one_of({"max", "bilinear"});
  }
  static void infer(InferContext& c) {
    const Dim count = roi_pooling::regions(c);
    c.output(0, common_type(c, {0, 1}),
             {count, dim_at(c.shape(0), 1), int_attr(c, "pooled_h", 1), int_attr(c, "pooled_w", 1)});
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0);
    const auto ph = c.attr<int64_t>("pooled_h"), pw = c.attr<int64_t>("pooled_w");
    const auto scale = static_cast<float>(c.attr<double>("spatial_scale"));
    const int64_t channels = data.dim(1), h = data.dim(2), w = data.dim(3);
    const bool greatest = c.attr<std::string>("method") == "max";
    roi_pooling::evaluate(
        c, {c.input(1).dim(0), channels, ph, pw}, [&](auto plane, const float* roi, int64_t, auto write) {
          for (int64_t i = 0; i < ph; ++i)
            for (int64_t j = 0; j < pw; ++j) {
              if (!greatest) {
                const double y = place(i, ph, roi[1], roi[3], h), x = place(j, pw, roi[0], roi[2], w);
                if (!(y >= 0 && y <= static_cast<double>(h - 1) && x >= 0 && x <= static_cast<double>(w - 1)))
                  continue;
                for (int64_t k = 0; k < channels; ++k) write((k * ph + i) * pw + j, plane(k).between(y, x));
                continue;
              }
              const auto rows = bin(i, ph, roi[1] * scale, roi[3] * scale, h);
              const auto columns = bin(j, pw, roi[0] * scale, roi[2] * scale, w);
              if (rows.first >= rows.last || columns.first >= columns.last) continue;
              for (int64_t k = 0; k < channels; ++k) {
                const auto p = plane(k);
                double most = -std::numeric_limits<double>::infinity();
                for (int64_t y = rows.first; y < rows.last; ++y)
                  for (int64_t x = columns.first; x < columns.last; ++x) most = std::max(most, p.at(y, x));
                write((k * ph + i) * pw + j, most);
              }
            }
        });
  }

 private:
  static double place(int64_t i, int64_t n, double low, double high, int64_t size) {
    const auto last = static_cast<double>(size - 1);
    if (n == 1) return 0.5 * (low + high) * last;
    return static_cast<double>(i) * (high - low) * last / static_cast<double>(n - 1) + low * last;
  }
  // Bin i of n of the elements from `low` to `high`, as far as there are any.
  static roi_pooling::Run bin(int64_t i, int64_t n, float low, float high, int64_t size) {
    constexpr int64_t far = int64_t{1} << 30;
    const int64_t first = clamped_index(std::round(static_cast<double>(low)), -far, far);
    const int64_t last = clamped_index(std::round(static_cast<double>(high)), -far, far);
    const double step = static_cast<float>(std::max<int64_t>(last - first + 1, 1)) / static_cast<float>(n);
    const auto from = static_cast<int64_t>(std::floor(static_cast<double>(i) * step)) + first;
    const auto to = static_cast<int64_t>(std::ceil(static_cast<double>(i + 1) * step)) + first;
    return {std::clamp<int64_t>(from, 0, size), std::clamp<int64_t>(to, 0, size)};
  }
};

struct PsRoiPooling {
  static constexpr std::string_view type = "PSROIPooling", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data, regions: each bin of a region out of channels of its own").inputs(2).outputs(1);
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
    limit_work({c.input(1).dim(0), out, g, g, average ? 1 : bins_x * bins_y});
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

struct DeformablePsRoiPooling {
  static constexpr std::string_view type = "DeformablePSROIPooling", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data, regions, [offsets of bins]: each bin of a region out of a channel of its own");
    s.inputs(2, 3).outputs(1);
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
    limit_work({c.input(1).dim(0), out, g, g, bins_x, bins_y});
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

void register_roi_pooling(Registry& r) {
  r.operation<RoiPooling>();
  r.operation<PsRoiPooling>();
  r.operation<DeformablePsRoiPooling>();
}

}  // namespace mo::opset
