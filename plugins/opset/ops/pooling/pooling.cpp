// MaxPool and AvgPool. From opset8 on MaxPool has dilations and gives the places of the maxima, too; AvgPool
// has dilations from opset16 on. From opset14 on sizes can be rounded up as PyTorch does.
#include "support/pooling.hpp"
#include "support/first_releases.hpp"
#include "support/limits.hpp"
#include "support/symbols.hpp"

namespace mo::opset {

namespace pooling {

static void schema(OpSchema& s, bool dilations, bool torch) {
  s.attr<std::vector<int64_t>>("strides");
  if (dilations) s.optional_attr<std::vector<int64_t>>("dilations");
  s.attr<std::vector<int64_t>>("pads_begin").attr<std::vector<int64_t>>("pads_end");
  s.attr<std::vector<int64_t>>("kernel");
  s.attr<std::string>("auto_pad", "explicit").one_of({"explicit", "same_upper", "same_lower", "valid"});
  s.attr<std::string>("rounding_type", "floor");
  if (torch)
    s.one_of({"floor", "ceil", "ceil_torch"});
  else
    s.one_of({"floor", "ceil"});
}

struct Form {
  std::vector<int64_t> kernel;
  Window window;
};

// `exclude_pad`: a window of nothing but padding would have no mean.
static Form form(const OpContext& c, size_t n, bool dilations, bool exclude_pad = false) {
  Form f{list_attr(c, "kernel", n, 1), window_attrs(c, n, dilations)};
  const auto mode = c.attr<std::string>("rounding_type");
  f.window.rounding = mode == "ceil"         ? Rounding::ceil
                      : mode == "ceil_torch" ? Rounding::ceil_torch
                                             : Rounding::floor;
  for (size_t i = 0; i < n && exclude_pad; ++i) {
    const int64_t span = detail::checked_add(detail::checked_mul(f.kernel[i] - 1, f.window.dilations[i]), 1);
    require(f.window.pads_begin[i] < span && f.window.pads_end[i] < span, "pads of spatial dimension ", i,
            " are ", f.window.pads_begin[i], " and ", f.window.pads_end[i],
            "; expected less than the kernel, ", span);
  }
  return f;
}

static void check_sizes(const Node& n) {
  check_limits(
      n, {{"batch and channels are 1 or more", "",
           "src/core/shape_inference/include/pooling_shape_inference_util.hpp of 2025", [](const Node& l) {
             const Shape s = l.in_port(0).shape();
             return !s.has_rank() || s.rank() < 2 || (s[0] != Dim(0) && s[1] != Dim(0));
           }}});
}

static Shape shape_of(const InferContext& c, bool dilations, bool exclude_pad = false) {
  require_number(c, 0);
  const Shape in = c.shape(0);
  require_rank(in, "the data", 3, 5);
  const size_t n = in.has_rank() ? in.size() - 2 : c.attr<std::vector<int64_t>>("kernel").size();
  require(n >= 1 && n <= 3, "attribute 'kernel' has ", n, " numbers; expected 1 to 3");
  const Form f = form(c, n, dilations, exclude_pad);
  Shape out = in.has_rank() ? in : Shape::of_rank(n + 2);
  for (size_t i = 0; i < n; ++i) out[i + 2] = window_places(f.window, i, out[i + 2], Dim(f.kernel[i]));
  return out;
}

static PoolPlan plan(const EvalContext& c, bool dilations, bool exclude_pad = false) {
  const Tensor data = c.input(0);
  require(data.rank() >= 3 && data.rank() <= 5, "the data has shape ", data.shape(),
          "; expected rank 3 to 5");
  const Form f = form(c, data.rank() - 2, dilations, exclude_pad);
  return sliding_plan(data.dims(), f.kernel, f.window);
}

static void average_pool(const EvalContext& c, bool dilations) {
  const bool exclude_pad = c.attr<bool>("exclude-pad");
  const PoolPlan p = plan(c, dilations, exclude_pad);
  spend(c, p);
  for_number(c.input(0).type(), [&](auto e) {
    using E = decltype(e);
    Results<E> out(c, p.dims, c.input(0).bytes());
    average(p, Numbers<E>(c.input(0)), out, exclude_pad);
    c.output(0, out.tensor());
  });
}

static void symbols(const SymbolsContext& c) {
  if (c.dims(0) && c.dims(0)->size() == c.shape().size() && c.dims(0)->size() >= 3)
    window_symbols(c, (*c.dims(0))[1]);
}

}  // namespace pooling

struct MaxPool1 {
  static constexpr std::string_view type = "MaxPool", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("the greatest element of each window")
        .input("data", Role::fixed)
        .flags(MO_OP_CHANNELS_FIRST)
        .outputs(1);
    pooling::schema(s, false, false);
  }
  static void symbols(SymbolsContext& c) { pooling::symbols(c); }
  static void ir_attrs(const Node& n, IrAttributes&) { pooling::check_sizes(n); }
  static void infer(InferContext& c) { c.output(0, c.type(0), pooling::shape_of(c, false)); }
  static void evaluate(EvalContext& c) {
    const PoolPlan p = pooling::plan(c, false);
    spend(c, p);
    for_number(c.input(0).type(), [&](auto e) {
      using E = decltype(e);
      Results<E> out(c, p.dims, c.input(0).bytes());
      maxima(p, Numbers<E>(c.input(0)), out, [](size_t, size_t, int64_t) {});
      c.output(0, out.tensor());
    });
  }
};

struct MaxPool8 {
  static constexpr std::string_view type = "MaxPool", opset = "opset8";
  static void schema(OpSchema& s) { schema_of(s, false); }
  static void symbols(SymbolsContext& c) { pooling::symbols(c); }
  static void ir_attrs(const Node& n, IrAttributes&) { pooling::check_sizes(n); }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0), out = pooling::shape_of(c, true);
    if (in.has_rank()) normalize_axis(c.attr<int64_t>("axis"), in.size(), "attribute 'axis'");
    c.output(0, c.type(0), out);
    c.output(1, index_type_attr(c, "index_element_type"), out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0);
    const PoolPlan p = pooling::plan(c, true);
    spend(c, p);
    const ElementType type = index_type_attr(c, "index_element_type");
    const auto places = create_grown(c, type, p.dims, data.bytes());
    // Places are counted from the start of a block of the dimensions from `axis` on.
    const auto dims = data.dims();
    const size_t axis = normalize_axis(c.attr<int64_t>("axis"), dims.size(), "attribute 'axis'");
    int64_t block = 1;
    for (size_t i = axis; i < dims.size(); ++i) block *= dims[i];
    for_number(data.type(), [&](auto e) {
      using E = decltype(e);
      Results<E> out(c, p.dims, data.bytes());
      maxima(p, Numbers<E>(data), out, [&](size_t plane, size_t to, int64_t at) {
        if (at >= 0) at = static_cast<int64_t>(plane * plane_size(p) + static_cast<size_t>(at)) % block;
        if (type == ElementType::i32)
          I32::put(places.second, to, static_cast<int32_t>(at));
        else
          I64::put(places.second, to, at);
      });
      c.output(0, out.tensor());
    });
    c.output(1, places.first);
  }

 protected:
  static void schema_of(OpSchema& s, bool torch) {
    s.doc("the greatest element of each window and its place")
        .input("data", Role::fixed)
        .flags(MO_OP_CHANNELS_FIRST)
        .outputs(2);
    pooling::schema(s, true, torch);
    s.attr<ElementType>("index_element_type", ElementType::i64).attr<int64_t>("axis", 0);
  }
};

struct MaxPool14 : MaxPool8 {
  static constexpr std::string_view opset = "opset14";
  static void schema(OpSchema& s) { schema_of(s, true); }
};

struct AvgPool1 {
  static constexpr std::string_view type = "AvgPool", opset = "opset1";
  static void schema(OpSchema& s) { schema_of(s, false, false); }
  static void symbols(SymbolsContext& c) { pooling::symbols(c); }
  static void ir_attrs(const Node& n, IrAttributes&) { pooling::check_sizes(n); }
  static void infer(InferContext& c) {
    c.output(0, c.type(0), pooling::shape_of(c, false, c.attr<bool>("exclude-pad")));
  }
  static void evaluate(EvalContext& c) { pooling::average_pool(c, false); }

 protected:
  static void schema_of(OpSchema& s, bool dilations, bool torch) {
    s.doc("the mean of each window").input("data", Role::fixed).flags(MO_OP_CHANNELS_FIRST).outputs(1);
    pooling::schema(s, dilations, torch);
    s.attr<bool>("exclude-pad");
  }
};

struct AvgPool14 : AvgPool1 {
  static constexpr std::string_view opset = "opset14";
  static void schema(OpSchema& s) { schema_of(s, false, true); }
};

struct AvgPool16 : AvgPool1 {
  static constexpr std::string_view opset = "opset16";
  static void schema(OpSchema& s) { schema_of(s, true, true); }
  static void infer(InferContext& c) {
    c.output(0, c.type(0), pooling::shape_of(c, true, c.attr<bool>("exclude-pad")));
  }
  static void evaluate(EvalContext& c) { pooling::average_pool(c, true); }
};

void register_pooling(Registry& r) {
  r.operation<MaxPool1>();
  r.operation<MaxPool8>();
  r.operation<MaxPool14>();
  r.operation<AvgPool1>();
  r.operation<AvgPool14>();
  r.operation<AvgPool16>();
  came_with("2025.3", "AvgPool", "opset16");
}

}  // namespace mo::opset
