// Interpolate: sizes of the axes, or scales of their padded sizes. opset11 has one input for sizes and
// scales, and the pillow modes.
#include "support/limits.hpp"
#include "support/resampling.hpp"

#include <numeric>

namespace mo::opset {

namespace resizing {

static void schema(OpSchema& s, const std::vector<std::string>& modes) {
  s.outputs(1);
  s.attr<std::string>("mode").one_of(modes);
  s.attr<std::string>("shape_calculation_mode").one_of({"sizes", "scales"});
  s.attr<std::string>("coordinate_transformation_mode", "half_pixel")
      .one_of({"half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn", "align_corners"});
  s.attr<std::string>("nearest_mode", "round_prefer_floor")
      .one_of({"round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"});
  s.attr<bool>("antialias", false);
  s.attr("pads_begin", std::vector<int64_t>{0}).attr("pads_end", std::vector<int64_t>{0});
  s.attr<double>("cube_coeff", -0.75);
}

// One pad for each dimension; the list may be shorter.
static std::vector<int64_t> pads(const OpContext& c, std::string_view name, size_t rank) {
  auto list = c.find_attr<std::vector<int64_t>>(name).value_or(std::vector<int64_t>{});
  for (const int64_t p : list)
    require(p >= 0 && p <= INT32_MAX, "attribute '", name, "' is ", list, "; expected numbers from 0 to ",
            INT32_MAX);
  list.resize(rank, 0);
  return list;
}

static int64_t scaled(int64_t size, double scale) {
  const double n = std::floor(static_cast<float>(size) * static_cast<float>(scale) + 1e-6F);
  require(n < 0x1p62, "dimension overflow: ", size, " * ", scale);
  return static_cast<int64_t>(n);
}
static Dim scaled_dim(const Dim& size, double scale) {
  require(scale > 0 && scale < std::numeric_limits<double>::infinity(), "a scale is ", scale,
          "; expected more than 0");
  return {scaled(size.min, scale), size.is_unbounded() ? -1 : scaled(size.max, scale)};
}

// What number i of `count` in the input `given` makes of a dimension.
static Dim target_dim(const InferContext& c, size_t given, const std::optional<Tensor>& scales, bool by_sizes,
                      size_t count, size_t i, const Dim& size) {
  if (!by_sizes) {
    if (scales) return scaled_dim(size, scales->number(i));
    const Interval s = intervals_or_unknown(c, given, count)[i];
    require(s.hi > 0, "a scale is ", s.hi, "; expected more than 0");
    const bool open = size.is_unbounded() || s.hi == Interval::highest ||
                      static_cast<double>(size.max) * static_cast<double>(s.hi) >= 0x1p61;
    return {scaled(size.min, static_cast<double>(std::max<int64_t>(s.lo, 0))),
            open ? -1 : scaled(size.max, static_cast<double>(s.hi))};
  }
  const Interval v = intervals_or_unknown(c, given, count)[i];
  require(v.hi > 0, "a size is ", v.hi, "; expected 1 or more");
  return Interval(std::max<int64_t>(v.lo, 1), v.hi).to_dim();
}

// `sizes`, `scales`, `axes`: the inputs that hold them.
static void infer(const InferContext& c, size_t sizes, size_t scales, size_t axes_at) {
  require_number(c, 0);
  const bool by_sizes = c.attr<std::string>("shape_calculation_mode") == "sizes";
  const size_t given = by_sizes ? sizes : scales;
  if (by_sizes)
    require_integer(c, given);
  else
    require_float(c, given);
  const Shape target = c.shape(given);
  require_rank(target, by_sizes ? "sizes" : "scales", 0, 1);
  Shape out = c.shape(0);
  if (!out.has_rank()) return c.output(0, c.type(0), out);
  const auto begin = pads(c, "pads_begin", out.size()), end = pads(c, "pads_end", out.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = out[i] + Dim(begin[i]) + Dim(end[i]);

  std::optional<std::vector<size_t>> axes;
  if (c.has(axes_at)) {
    axes = axes_input(c, axes_at, out.size());
  } else {
    axes.emplace();
    for (size_t i = 0; i < out.size(); ++i) axes->push_back(i);
  }
  const std::optional<Tensor> value = by_sizes ? std::nullopt : c.value(given);
  if (!axes) {
    const Dim n = vector_length(c, axes_at, "axes");
    if (!n.is_static()) return c.output(0, c.type(0), Shape::of_rank(out.size()));
    const auto count = static_cast<size_t>(n.value());
    require_elements(c, given, by_sizes ? "sizes" : "scales", n.value());
    // Each dimension stays as it is or takes any of the numbers.
    for (Dim& d : out) {
      Dim all = d;
      for (size_t i = 0; i < count; ++i) all = unite(all, target_dim(c, given, value, by_sizes, count, i, d));
      d = all;
    }
    return c.output(0, c.type(0), out);
  }
  require_elements(c, given, by_sizes ? "sizes" : "scales", static_cast<int64_t>(axes->size()));
  for (size_t i = 0; i < axes->size(); ++i) {
    Dim& d = out[(*axes)[i]];
    d = target_dim(c, given, value, by_sizes, axes->size(), i, d);
  }
  c.output(0, c.type(0), out);
}

// The place of a word in a list.
template <class E>
E choice(const std::string& word, const std::vector<std::string>& words) {
  return static_cast<E>(std::find(words.begin(), words.end(), word) - words.begin());
}
static const std::vector<std::string>& modes() {
  static const std::vector<std::string> list{"nearest", "linear",          "linear_onnx",
                                             "cubic",   "bilinear_pillow", "bicubic_pillow"};
  return list;
}
static const std::vector<std::string>& transforms() {
  static const std::vector<std::string> list{"half_pixel", "pytorch_half_pixel", "asymmetric",
                                             "tf_half_pixel_for_nn", "align_corners"};
  return list;
}
static const std::vector<std::string>& nearest_modes() {
  static const std::vector<std::string> list{"round_prefer_floor", "round_prefer_ceil", "floor", "ceil",
                                             "simple"};
  return list;
}

static void evaluate(const EvalContext& c, size_t sizes, size_t scales, size_t axes_at) {
  const Tensor in = c.input(0);
  const bool by_sizes = c.attr<std::string>("shape_calculation_mode") == "sizes";
  auto axes = resampling::padded_axes(in, pads(c, "pads_begin", in.rank()), pads(c, "pads_end", in.rank()));
  std::vector<size_t> which(in.rank());
  std::iota(which.begin(), which.end(), size_t{0});
  if (c.has(axes_at)) which = unique_axes(c.input(axes_at).to_ints(), in.rank(), "axes");
  const Tensor given = c.input(by_sizes ? sizes : scales);
  for (size_t i = 0; i < which.size(); ++i) {
    resampling::Axis& a = axes[which[i]];
    resampling::resize(a, by_sizes ? given.integer(i) : scaled(a.padded(), given.number(i)));
    if (!by_sizes) a.scale = static_cast<float>(given.number(i));
    // The runtime copies axes whose length stays, whatever scale and coordinates say.
    a.resized = a.target != a.padded();
  }
  resampling::Settings s;
  s.mode = choice<resampling::Mode>(c.attr<std::string>("mode"), modes());
  s.transform =
      choice<resampling::Transform>(c.attr<std::string>("coordinate_transformation_mode"), transforms());
  s.nearest = choice<resampling::Nearest>(c.attr<std::string>("nearest_mode"), nearest_modes());
  s.antialias = c.attr<bool>("antialias");
  s.cube_coeff = c.attr<double>("cube_coeff");
  c.output(0, resampling::resampled(c, in, axes, s));
}

}  // namespace resizing

namespace resizing {
static bool has_axes_of_onnx(const Node& n) {
  const Shape s = n.in_port(0).shape();
  const auto axes = known_ints(n, 3);
  if (n.attr<std::string>("mode") != "linear_onnx" || !axes || !s.has_rank()) return true;
  const auto count_from = [&](int64_t first) {
    if (static_cast<int64_t>(axes->size()) != s.rank() - first) return false;
    for (size_t i = 0; i < axes->size(); ++i)
      if ((*axes)[i] != first + static_cast<int64_t>(i)) return false;
    return true;
  };
  return count_from(0) || (s.rank() >= 4 && count_from(2));
}

constexpr std::string_view reader_of_interpolate = "src/core/src/op/util/interpolate_base.cpp of 2025";
constexpr std::string_view types_of_data = "the data are f32, f16, bf16, i8, u8, i32 or i64";
static bool has_types_of_data(const Node& n) {
  using enum ElementType;
  return have_types(n, {0}, {f32, f16, bf16, i8, u8, i32, i64});
}
static bool has_wide_integers(const Node& n, std::initializer_list<size_t> inputs) {
  using enum ElementType;
  return have_types(n, inputs, {i32, i64, u32, u64});
}
}  // namespace resizing

struct Interpolate4 {
  static constexpr std::string_view type = "Interpolate", opset = "opset4";
  static void schema(OpSchema& s) {
    s.doc("data, sizes, scales, [axes]")
        .input("data")
        .input("sizes", Role::any)
        .takes_sizes()
        .input("scales", Role::any)
        .takes_sizes()
        .optional_input("axes", Role::any);
    resizing::schema(s, {"nearest", "linear", "linear_onnx", "cubic"});
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n,
                 {{"axes of linear_onnx are all of them or the spatial ones", "",
                   "ngraph/core/reference/include/ngraph/runtime/reference/interpolate.hpp:433",
                   resizing::has_axes_of_onnx},
                  {resizing::types_of_data, "", resizing::reader_of_interpolate, resizing::has_types_of_data},
                  {"scales are f32, f16 or bf16", "", resizing::reader_of_interpolate, is_common_float<2>},
                  {"sizes and axes are integers of 32 or 64 bits", "", resizing::reader_of_interpolate,
                   [](const Node& l) {
                     return resizing::has_wide_integers(l, {1, 3});
                   }},
                  {"axes count from the start", "", "ngraph/core/src/op/interpolate.cpp:288", from_start<3>},
                  {"sizes and axes are i64", "2023.3", "ngraph/core/src/op/interpolate.cpp:344",
                   [](const Node& l) { return is_i64<1>(l) && is_i64<3>(l); }}});
  }
  static void infer(InferContext& c) { resizing::infer(c, 1, 2, 3); }
  static void evaluate(EvalContext& c) { resizing::evaluate(c, 1, 2, 3); }
};

struct Interpolate11 {
  static constexpr std::string_view type = "Interpolate", opset = "opset11";
  static void schema(OpSchema& s) {
    s.doc("data, sizes or scales, [axes]")
        .input("data")
        .input("sizes_or_scales", Role::any)
        .takes_sizes()
        .optional_input("axes", Role::any);
    resizing::schema(s, {"nearest", "linear", "linear_onnx", "cubic", "bilinear_pillow", "bicubic_pillow"});
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n,
                 {{resizing::types_of_data, "", resizing::reader_of_interpolate, resizing::has_types_of_data},
                  {"axes count from the start", "", resizing::reader_of_interpolate, from_start<2>}});
  }
  static void infer(InferContext& c) { resizing::infer(c, 1, 1, 2); }
  static void evaluate(EvalContext& c) { resizing::evaluate(c, 1, 1, 2); }
};

void register_interpolate(Registry& r) {
  r.operation<Interpolate4>();
  r.operation<Interpolate11>();
}

}  // namespace mo::opset
