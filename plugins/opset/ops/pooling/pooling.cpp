// MaxPool and AvgPool. From opset8 on MaxPool has dilations and gives the places of the maxima, too.
#include "support/window.hpp"

namespace mo::opset {

namespace pooling {

static void schema(OpSchema& s, bool dilations) {
  s.attr<std::vector<int64_t>>("strides");
  if (dilations) s.optional_attr<std::vector<int64_t>>("dilations");
  s.attr<std::vector<int64_t>>("pads_begin").attr<std::vector<int64_t>>("pads_end");
  s.attr<std::vector<int64_t>>("kernel");
  s.attr<std::string>("auto_pad", "explicit").one_of({"explicit", "same_upper", "same_lower", "valid"});
}

static Rounding rounding_attr(const OpContext& c) {
  const auto mode = c.attr<std::string>("rounding_type");
  return mode == "ceil" ? Rounding::ceil : mode == "ceil_torch" ? Rounding::ceil_torch : Rounding::floor;
}

static Shape shape_of(const InferContext& c, bool dilations, bool needs_elements = false) {
  require_number(c, 0);
  const Shape in = c.shape(0);
  require_rank(in, "the data", 3, std::numeric_limits<int64_t>::max());
  const size_t n = in.has_rank() ? in.size() - 2 : c.attr<std::vector<int64_t>>("kernel").size();
  const auto kernel = list_attr(c, "kernel", n, 1);
  Window w = window_attrs(c, n, dilations);
  w.rounding = rounding_attr(c);
  Shape out = in.has_rank() ? in : Shape::of_rank(n + 2);
  for (size_t i = 0; i < n; ++i) {
    require(!needs_elements || (w.pads_begin[i] < kernel[i] && w.pads_end[i] < kernel[i]),
            "pads of spatial dimension ", i, " are ", w.pads_begin[i], " and ", w.pads_end[i],
            "; expected less than the kernel, ", kernel[i]);
    out[i + 2] = window_places(w, i, out[i + 2], Dim(kernel[i]));
  }
  return out;
}

}  // namespace pooling

struct MaxPool1 {
  static constexpr std::string_view type = "MaxPool", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("the greatest element of each window").inputs(1).outputs(1);
    pooling::schema(s, false);
    s.attr<std::string>("rounding_type", "floor").one_of({"floor", "ceil"});
  }
  static void infer(InferContext& c) { c.output(0, c.type(0), pooling::shape_of(c, false)); }
};

struct MaxPool8 {
  static constexpr std::string_view type = "MaxPool", opset = "opset8";
  static void schema(OpSchema& s) {
    s.doc("the greatest element of each window and its place").inputs(1).outputs(2);
    pooling::schema(s, true);
    s.attr<std::string>("rounding_type", "floor").one_of({"floor", "ceil"});
    s.attr<ElementType>("index_element_type", ElementType::i64).attr<int64_t>("axis", 0);
  }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0), out = pooling::shape_of(c, true);
    if (in.has_rank()) normalize_axis(c.attr<int64_t>("axis"), in.size(), "attribute 'axis'");
    c.output(0, c.type(0), out);
    c.output(1, index_type_attr(c, "index_element_type"), out);
  }
};

struct AvgPool1 {
  static constexpr std::string_view type = "AvgPool", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("the mean of each window").inputs(1).outputs(1);
    pooling::schema(s, false);
    s.attr<bool>("exclude-pad");
    s.attr<std::string>("rounding_type", "floor").one_of({"floor", "ceil"});
  }
  static void infer(InferContext& c) {
    // A window of nothing but excluded padding has no mean.
    c.output(0, c.type(0), pooling::shape_of(c, false, c.attr<bool>("exclude-pad")));
  }
};

void register_pooling(Registry& r) {
  r.operation<MaxPool1>();
  r.operation<MaxPool8>();
  r.operation<AvgPool1>();
}

}  // namespace mo::opset
