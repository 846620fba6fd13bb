// RegionYolo: the last layer of YOLO networks.
#include "support/floats.hpp"

namespace mo::opset {

struct RegionYolo {
  static constexpr std::string_view type = "RegionYolo", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("boxes, confidence and classes of the regions of a grid")
        .input("data", Role::fixed, float_types)
        .outputs(1);
    s.attr<int64_t>("axis").attr<int64_t>("end_axis");
    s.attr<int64_t>("coords").attr<int64_t>("classes").attr<int64_t>("num");
    s.attr<bool>("do_softmax", true);
    s.attr("mask", std::vector<int64_t>{}).attr("anchors", std::vector<double>{});
  }
  static void infer(InferContext& c) {
    const bool flat = c.attr<bool>("do_softmax");
    const Shape in = c.shape(0);
    require_rank(in, "the data", 4);
    const int64_t channels = detail::checked_mul(each(c), regions(c));
    // A configured transformation makes it of what the model gives, with the channels last; it gives them last
    // then, and middle.turn_region_channels puts it right.
    const bool channels_last = in.has_rank() && !in[1].contains(channels) && in[3].contains(channels);
    require(!in.has_rank() || channels_last || in[1].contains(channels), "the data have shape ", in,
            "; expected ", channels, " channels in the second place, for ", regions(c), " regions of ",
            each(c), " numbers");
    if (!in.has_rank()) return c.output(0, c.type(0), flat ? in : Shape::of_rank(4));
    const size_t first = normalize_axis(c.attr<int64_t>("axis"), in.size(), "attribute 'axis'");
    const size_t last = normalize_axis(c.attr<int64_t>("end_axis"), in.size(), "attribute 'end_axis'");
    require(first <= last, "attribute 'end_axis' is dimension ", last, ", which is before 'axis', ", first);
    if (!channels_last && !in[1].is_static() && in[3].contains(channels) &&
        !(flat && first == 1 && last == 3)) {
      Shape either = Shape::of_rank(flat ? 4 - (last - first) : 4);  // they may be in either place
      if (first > 0 || !flat) either[0] = in[0];
      return c.output(0, c.type(0), either);
    }
    Shape turned = channels_last ? Shape{in[0], in[3], in[1], in[2]} : in;
    turned = flat ? flattened(turned, first, last) : of_regions(c, turned);
    if (channels_last && turned.rank() == 4) turned = Shape{turned[0], turned[2], turned[3], turned[1]};
    c.output(0, c.type(0), turned);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const Dims dims = in.dims();
    const bool flat = c.attr<bool>("do_softmax");
    const int64_t count = each(c), coords = c.attr<int64_t>("coords"), area = dims[2] * dims[3];
    if (dims[1] != detail::checked_mul(count, regions(c)))
      no_value("there are ", dims[1], " channels but ", regions(c), " regions of ", count);
    Shape shape = in.shape();
    if (flat)
      shape = flattened(shape, normalize_axis(c.attr<int64_t>("axis"), 4, "attribute 'axis'"),
                        normalize_axis(c.attr<int64_t>("end_axis"), 4, "attribute 'end_axis'"));
    with_float(in.type(), [&](auto zero) {
      using T = decltype(zero);
      auto x = in.to_floats<T>();
      for (int64_t r = 0; r < dims[0] * regions(c); ++r)
        for (int64_t place = 0; place < area; ++place) {
          T* const at = x.data() + r * count * area + place;
          const auto squash = [&](int64_t i) {
            if (i < count) at[i * area] = static_cast<T>(sigmoid(static_cast<double>(at[i * area])));
          };
          squash(0);
          squash(1);
          for (int64_t i = coords; i < (flat ? coords + 1 : count); ++i) squash(i);
          if (flat) softmax(at + (coords + 1) * area, count - coords - 1, area);
        }
      c.output(0, tensor_of(c, in.type(), shape.to_static(), x));
    });
  }

 private:
  // Dimensions `first` to `last` become one.
  static Shape flattened(const Shape& in, size_t first, size_t last) {
    std::vector<Dim> dims;
    for (size_t i = 0; i < in.size(); ++i) {
      if (i <= first || i > last)
        dims.push_back(in[i]);
      else
        dims.back() = dims.back() * in[i];
    }
    return dims;
  }
  // Channels for the regions of the mask.
  static Shape of_regions(const InferContext& c, const Shape& in) {
    Shape out = in;
    out[1] = Dim(detail::checked_mul(each(c), regions(c)));
    return out;
  }
  static int64_t each(const OpContext& c) {
    return detail::checked_add(detail::checked_add(int_attr(c, "classes", 0), int_attr(c, "coords", 0)), 1);
  }
  // A mask that names none stands for all; it is written out by middle.turn_region_channels.
  static int64_t regions(const OpContext& c) {
    const auto masked = static_cast<int64_t>(c.attr<std::vector<int64_t>>("mask").size());
    return c.attr<bool>("do_softmax") || masked == 0 ? int_attr(c, "num", 1) : masked;
  }
  static double sigmoid(double v) { return 1 / (1 + std::exp(-v)); }
  // The classes of one place, `step` apart.
  template <class T>
  static void softmax(T* x, int64_t classes, int64_t step) {
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t i = 0; i < classes; ++i) most = std::max(most, static_cast<double>(x[i * step]));
    for (int64_t i = 0; i < classes; ++i) sum += std::exp(static_cast<double>(x[i * step]) - most);
    for (int64_t i = 0; i < classes; ++i)
      x[i * step] = static_cast<T>(std::exp(static_cast<double>(x[i * step]) - most) / sum);
  }
};

void register_region_yolo(Registry& r) { r.operation<RegionYolo>(); }

}  // namespace mo::opset
