// Interpolate of opset1: sizes of the axes that an attribute names.
#include "support/resampling.hpp"

namespace mo::opset {

struct Interpolate1 {
  static constexpr std::string_view type = "Interpolate", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data, sizes of the axes")
        .input("data", Role::none, float_types)
        .input("sizes", Role::any, integer_types)
        .takes_sizes()
        .outputs(1)
        .attr<std::vector<int64_t>>("axes");
    s.attr<std::string>("mode").one_of({"nearest", "linear", "cubic", "area"});
    s.attr<bool>("align_corners", true).attr<bool>("antialias", false);
    s.attr("pads_begin", std::vector<int64_t>{0}).attr("pads_end", std::vector<int64_t>{0});
  }
  static void infer(InferContext& c) {
    const auto axes = c.attr<std::vector<int64_t>>("axes");
    for (const int64_t a : axes)
      require(a >= 0, "attribute 'axes' is ", axes, "; expected numbers of at least 0");
    pads(c, "pads_begin", axes.size());
    pads(c, "pads_end", axes.size());
    require_rank(c.shape(1), "sizes", 1);
    require_elements(c, 1, "sizes", static_cast<int64_t>(axes.size()));
    Shape out = c.shape(0);
    if (!out.has_rank()) return c.output(0, c.type(0), out);
    const auto which = unique_axes(axes, out.size(), "attribute 'axes'");
    const auto sizes = intervals_or_unknown(c, 1, axes.size());
    for (size_t i = 0; i < which.size(); ++i) {
      require(sizes[i].hi > 0, "a size is ", sizes[i].hi, "; expected 1 or more");
      out[which[i]] = Interval(std::max<int64_t>(sizes[i].lo, 1), sizes[i].hi).to_dim();
    }
    c.output(0, c.type(0), out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const auto mode = c.attr<std::string>("mode");
    if (mode == "area") no_value("mode 'area' is not specified");
    const auto listed = c.attr<std::vector<int64_t>>("axes");
    const auto which = unique_axes(listed, in.rank(), "attribute 'axes'");
    const auto before = pads(c, "pads_begin", listed.size()), after = pads(c, "pads_end", listed.size());
    Dims begin(in.rank(), 0), end(in.rank(), 0);
    bool padded = false;
    for (size_t i = 0; i < which.size(); ++i) {
      begin[which[i]] = before[i];
      end[which[i]] = after[i];
      padded |= before[i] != 0 || after[i] != 0;
    }
    auto axes = resampling::padded_axes(in, begin, end);
    const auto sizes = c.input(1).to_ints();
    for (size_t i = 0; i < which.size(); ++i) {
      resampling::resize(axes[which[i]], sizes[i]);
      axes[which[i]].resized = axes[which[i]].target != axes[which[i]].padded();
    }
    // What Interpolate of opset4 is equal to.
    auto sorted = which;
    std::sort(sorted.begin(), sorted.end());
    const bool planes = in.rank() == 4 && sorted == std::vector<size_t>{2, 3};
    resampling::Settings s;
    s.mode = mode == "nearest" ? resampling::Mode::nearest
             : mode == "cubic" ? resampling::Mode::cubic
             : in.rank() < 5   ? resampling::Mode::linear_onnx
                               : resampling::Mode::linear;
    s.nearest = resampling::Nearest::simple;
    s.antialias = c.attr<bool>("antialias");
    s.transform = c.attr<bool>("align_corners")            ? resampling::Transform::align_corners
                  : mode == "linear" && !padded && !planes ? resampling::Transform::half_pixel
                                                           : resampling::Transform::asymmetric;
    c.output(0, resampling::resampled(c, in, axes, s));
  }

 private:
  // One pad for each axis; a single one is for all.
  static Dims pads(const OpContext& c, std::string_view name, size_t n) {
    auto list = c.attr<std::vector<int64_t>>(name);
    for (const int64_t p : list)
      require(p >= 0 && p <= INT32_MAX, "attribute '", name, "' is ", list, "; expected numbers from 0 to ",
              INT32_MAX);
    if (list.size() <= 1) list.assign(n, list.empty() ? 0 : list[0]);
    require(list.size() == n, "attribute '", name, "' is ", list, "; expected 1 number or ", n);
    return list;
  }
};

void register_interpolate_1(Registry& r) { r.operation<Interpolate1>(); }

}  // namespace mo::opset
