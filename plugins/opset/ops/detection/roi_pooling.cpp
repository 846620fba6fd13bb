// ROIPooling: the greatest element of each bin of a region, or what lies between elements at its place.
#include "support/roi_pooling.hpp"

namespace mo::opset {

struct RoiPooling {
  static constexpr std::string_view type = "ROIPooling", opset = "opset2";
  static void schema(OpSchema& s) {
    s.doc("data, regions: a pooled_h x pooled_w picture of each region")
        .inputs({"data", "rois"}, Role::fixed)
        .outputs(1);
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
    // The runtime computes bins in f32, and an element more or less of one depends on it.
    const float step = static_cast<float>(std::max<int64_t>(last - first + 1, 1)) / static_cast<float>(n);
    const auto from = static_cast<int64_t>(std::floor(static_cast<float>(i) * step)) + first;
    const auto to = static_cast<int64_t>(std::ceil(static_cast<float>(i + 1) * step)) + first;
    return {std::clamp<int64_t>(from, 0, size), std::clamp<int64_t>(to, 0, size)};
  }
};

void register_roi_pooling(Registry& r) { r.operation<RoiPooling>(); }

}  // namespace mo::opset
