// DeformableConvolution: each element of the filter sees the data at a place of its own, moved by an offset
// and interpolated; from opset8 on weighed by a mask, too.
#include "support/buffers.hpp"
#include "support/convolving.hpp"

namespace mo::opset {

namespace deforming {

// A channel at a place between its elements. `pad`: with zeros around it.
template <class T>
double sample(const T* plane, int64_t height, int64_t width, double y, double x, bool pad) {
  const auto at = [&](int64_t i, int64_t j) {
    return i < 0 || i >= height || j < 0 || j >= width ? 0.0 : static_cast<double>(plane[i * width + j]);
  };
  if (!(y > -1 && y < static_cast<double>(height) && x > -1 && x < static_cast<double>(width))) return 0;
  if (!pad && (y < 0 || x < 0)) return 0;
  const auto y1 = static_cast<int64_t>(std::floor(y)), x1 = static_cast<int64_t>(std::floor(x));
  const int64_t y2 = pad ? y1 + 1 : std::min(y1 + 1, height - 1),
                x2 = pad ? x1 + 1 : std::min(x1 + 1, width - 1);
  const double dy = y - static_cast<double>(y1), dx = x - static_cast<double>(x1);
  return at(y1, x1) * (1 - dy) * (1 - dx) + at(y2, x1) * dy * (1 - dx) + at(y1, x2) * (1 - dy) * dx +
         at(y2, x2) * dy * dx;
}

// What the elements of the filter see of one batch of the data.
template <class E>
struct Columns {
  using T = typename E::computed;
  const Numbers<E>&data, &offsets, *mask;  // mask: nullptr where there is none
  Window window;
  int64_t begin[2];  // padding
  int64_t channels, height, width, groups, points, kernel_width, places, out_width;
  bool pad;  // as of sample()

  // For `n` places of the result from `first` on: out is [channels * points, n].
  void fill(int64_t batch, int64_t first, int64_t n, T* out) const {
    for (int64_t ch = 0; ch < channels; ++ch)
      for (int64_t k = 0; k < points; ++k) {
        const int64_t point = (batch * groups + ch / (channels / groups)) * points + k;
        for (int64_t i = 0; i < n; ++i) *out++ = seen(batch * channels + ch, k, point, first + i);
      }
  }

 private:
  T seen(int64_t plane, int64_t k, int64_t point, int64_t place) const {
    const auto dy = static_cast<double>(offsets[static_cast<size_t>(2 * point * places + place)]);
    const auto dx = static_cast<double>(offsets[static_cast<size_t>((2 * point + 1) * places + place)]);
    const int64_t y =
        place / out_width * window.strides[0] - begin[0] + k / kernel_width * window.dilations[0];
    const int64_t x =
        place % out_width * window.strides[1] - begin[1] + k % kernel_width * window.dilations[1];
    const auto v = static_cast<T>(sample(data.data() + plane * height * width, height, width,
                                         static_cast<double>(y) + dy, static_cast<double>(x) + dx, pad));
    return mask == nullptr ? v : static_cast<T>(v * (*mask)[static_cast<size_t>(point * places + place)]);
  }
};

static void schema(OpSchema& s) {
  add_window_attrs(s);
  s.attr<int64_t>("group", 1).attr<int64_t>("deformable_group", 1);
}

// Channels that must be `expected`, a multiple of `factor` and kernel elements.
static void check_channels(const Shape& s, std::string_view what, const Dim& expected) {
  if (s.has_rank() && !s[1].overlaps(expected)) fail(what, " have ", s[1], " channels; expected ", expected);
}

static void infer(const InferContext& c) {
  require_number(c, 0);
  const ElementType t = c.has(3) ? common_type(c, {0, 1, 2, 3}) : common_type(c, {0, 1, 2});
  const int64_t group = int_attr(c, "group", 1), groups = int_attr(c, "deformable_group", 1);
  const Shape data = c.shape(0), offsets = c.shape(1), filter = c.shape(2);
  require_rank(data, "the data", 4);
  require_rank(offsets, "the offsets", 4);
  require_rank(filter, "the filter", 4);
  const Shape mask = c.has(3) ? c.shape(3) : Shape::unknown();
  require_rank(mask, "the mask", 4);
  const Window w = window_attrs(c, 2);
  Shape out = Shape::of_rank(4);
  for (const Shape& s : {data, offsets, mask})
    if (s.has_rank()) out[0] = same_dim(out[0], s[0], "batch of data, offsets and mask");
  if (data.has_rank()) {
    multiples(data[1], group, "with attribute 'group' the number of channels");
    multiples(data[1], groups, "with attribute 'deformable_group' the number of channels");
  }
  Dim points(1, -1), kernel[2] = {Dim(1, -1), Dim(1, -1)};
  if (filter.has_rank()) {
    std::copy_n(filter.begin() + 2, 2, kernel);
    out[1] = multiples(filter[0], group, "with attribute 'group' the number of filters");
    points = filter[2] * filter[3];
    if (data.has_rank()) same_dim(data[1], filter[1] * Dim(group), "channels of the data and the filter");
  }
  check_channels(offsets, "the offsets", points * Dim(groups) * Dim(2));
  check_channels(mask, "the mask's elements", points * Dim(groups));
  for (const auto& [s, each] : {std::pair(&offsets, Dim(groups) * Dim(2)), std::pair(&mask, Dim(groups))})
    for (size_t i = 0; i < 2 && s->has_rank() && filter.has_rank(); ++i)
      kernel[i] = factor_of((*s)[1], kernel[i], kernel[1 - i] * each, "channels of the offsets or the mask");
  for (size_t i = 0; i < 2; ++i) {
    out[i + 2] = window_places(w, i, data.has_rank() ? data[i + 2] : any_dim, kernel[i]);
    for (const Shape& s : {offsets, mask})
      if (s.has_rank()) out[i + 2] = same_dim(out[i + 2], s[i + 2], "places of the result, offsets and mask");
  }
  c.output(0, t, out);
}

static void evaluate(const EvalContext& c, bool pad) {
  const Tensor data = c.input(0), offsets = c.input(1), filter = c.input(2);
  const bool masked = c.has(3);
  const int64_t group = int_attr(c, "group", 1), groups = int_attr(c, "deformable_group", 1);
  require(data.rank() == 4 && offsets.rank() == 4 && filter.rank() == 4, "shapes ", data.shape(), ", ",
          offsets.shape(), " and ", filter.shape(), "; expected rank 4");
  const Window w = window_attrs(c, 2);
  const int64_t kh = filter.dim(2), kw = filter.dim(3), points = kh * kw, channels = data.dim(1);
  Dim out[2];
  int64_t begin[2];
  for (size_t i = 0; i < 2; ++i) {
    out[i] = window_places(w, i, data.dim(i + 2), filter.dim(i + 2));
    begin[i] = window_pads(w, i, data.dim(i + 2), filter.dim(i + 2)).first;
  }
  const int64_t oh = out[0].value(), ow = out[1].value();
  const auto expect = [&](const Tensor& t, int64_t each) {
    const Shape expected{data.dim(0), Dim(each) * Dim(groups) * Dim(points), oh, ow};
    require(t.shape() == expected, "offsets or mask have shape ", t.shape(), "; expected ", expected);
  };
  expect(offsets, 2);
  if (masked) expect(c.input(3), 1);
  require(channels == filter.dim(1) * group && filter.dim(0) % group == 0 && channels % groups == 0,
          "data of shape ", data.shape(), " and a filter of shape ", filter.shape(), " do not fit ", group,
          " groups and ", groups, " deformable groups");
  const Multiplier multiply(c.context());
  for_number(data.type(), [&](auto e) {
    using E = decltype(e);
    using T = typename E::computed;
    const Numbers<E> x(data), off(offsets), weights(filter), mask(masked ? c.input(3) : data);
    Results<E> result(c, {data.dim(0), filter.dim(0), oh, ow}, data.bytes() + offsets.bytes());
    if (result.size() == 0) return c.output(0, result.tensor());
    const int64_t places = oh * ow, rows = channels * points;
    const Columns<E> seen{.data = x,
                          .offsets = off,
                          .mask = masked ? &mask : nullptr,
                          .window = w,
                          .begin = {begin[0], begin[1]},
                          .channels = channels,
                          .height = data.dim(2),
                          .width = data.dim(3),
                          .groups = groups,
                          .points = points,
                          .kernel_width = kw,
                          .places = places,
                          .out_width = ow,
                          .pad = pad};
    const int64_t step = std::clamp((int64_t{1} << 20) / std::max<int64_t>(rows, 1), int64_t{1}, places);
    const std::unique_ptr<T[]> columns(new T[static_cast<size_t>(rows * step)]);
    for (int64_t b = 0; b < data.dim(0); ++b)
      for (int64_t first = 0; first < places; first += step) {
        const int64_t n = std::min(step, places - first);
        seen.fill(b, first, n, columns.get());
        const auto size = [](int64_t v) { return static_cast<size_t>(v); };
        const int64_t in_rows = rows / group, out_rows = filter.dim(0) / group;
        for (int64_t g = 0; g < group; ++g)
          multiply(Gemm{size(out_rows), size(n), size(in_rows), size(in_rows), size(n), size(places)},
                   weights.data() + g * out_rows * in_rows, columns.get() + g * in_rows * n,
                   result.data() + (b * group + g) * out_rows * places + first);
      }
    c.output(0, result.tensor());
  });
}

}  // namespace deforming

struct DeformableConvolution1 {
  static constexpr std::string_view type = "DeformableConvolution", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data [N,C,Y,X], offsets, filter [O,C,Y,X]")
        .inputs({"data", "offsets", "filter"}, Role::fixed)
        .flags(MO_OP_CHANNELS_FIRST)
        .outputs(1);
    deforming::schema(s);
  }
  static void infer(InferContext& c) { deforming::infer(c); }
  static void evaluate(EvalContext& c) { deforming::evaluate(c, false); }
};

struct DeformableConvolution8 {
  static constexpr std::string_view type = "DeformableConvolution", opset = "opset8";
  static void schema(OpSchema& s) {
    s.doc("data [N,C,Y,X], offsets, filter [O,C,Y,X], [mask]")
        .inputs({"data", "offsets", "filter"}, Role::fixed)
        .optional_input("mask", Role::fixed)
        .flags(MO_OP_CHANNELS_FIRST)
        .outputs(1);
    deforming::schema(s);
    s.attr<bool>("bilinear_interpolation_pad", false);
  }
  static void infer(InferContext& c) { deforming::infer(c); }
  static void evaluate(EvalContext& c) { deforming::evaluate(c, c.attr<bool>("bilinear_interpolation_pad")); }
};

void register_deformable_convolution(Registry& r) {
  r.operation<DeformableConvolution1>();
  r.operation<DeformableConvolution8>();
}

}  // namespace mo::opset
