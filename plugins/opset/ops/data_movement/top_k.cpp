// TopK: the k greatest or least elements along an axis, and where they are. Equal ones keep their order.
#include "support/limits.hpp"
#include "support/movement.hpp"

#include <numeric>

namespace mo::opset {

namespace top {

static Shape shape_of(const Shape& in, size_t axis, const Interval& k) {
  require(k.hi >= 0, "k is ", k.hi, "; expected 0 or more");
  Shape out = in;
  const Dim& d = in[axis];
  require(d.is_unbounded() || k.lo <= d.max, "k is ", k.lo, " but dimension ", axis, " of shape ", in, " is ",
          d);
  out[axis] = Dim(std::max<int64_t>(k.lo, 0), interval::minimum(k, Interval(d)).to_dim().max);
  return out;
}

struct TopK3 {
  static void schema(OpSchema& s) {
    s.doc("data, k: values and their places along the axis")
        .input("data", Role::data, number_types)
        .input("k", Role::any, integer_types)
        .takes_sizes()
        .outputs(2)
        .attr<int64_t>("axis")
        .role(Role::axes);
    s.attr<std::string>("mode").one_of({"min", "max"});
    s.attr<std::string>("sort").one_of({"value", "index", "none"});
    s.attr<ElementType>("index_element_type", ElementType::i32);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"k is 1 or more", "2022.3", "ngraph/core/src/op/topk.cpp:410", [](const Node& l) {
                        const auto k = known_ints(l, 1);
                        return !k || k->empty() || k->front() > 0;
                      }}});
  }
  static void infer(InferContext& c) {
    require_elements(c, 1, "k", 1);
    Shape out = c.shape(0);
    if (out.has_rank()) {
      const size_t axis = normalize_axis(c.attr<int64_t>("axis"), out.size(), "attribute 'axis'");
      out = shape_of(out, axis, intervals_or_unknown(c, 1, 1)[0]);
    }
    c.output(0, c.type(0), out);
    const ElementType places = index_type_attr(c, "index_element_type");
    c.output(1, places, out);
    if (!out.has_rank() || (c.value(0) && c.value(1)) || out.elements() == Dim(0)) return;
    const size_t axis = normalize_axis(c.attr<int64_t>("axis"), out.size(), "attribute 'axis'");
    const Dim last = c.shape(0)[axis] - 1;
    // One possible place is no reason to fold.
    if (may_have_bounds(places, out) && !last.is_unbounded() && last.max > 0)
      c.output_bounds(1, std::vector<Dim>(static_cast<size_t>(out.elements().value()), Dim(0, last.max)));
    if (may_have_bounds(c.type(0), out) && may_have_bounds(c.type(0), c.shape(0)) && bounds_wanted(c, {0}))
      output_intervals(c, 0, c.type(0), out, chosen(c, axis, out.to_static()));
  }
  // The greatest number is between the greatest of the lower and of the upper ends, and so on.
  static std::vector<Interval> chosen(const InferContext& c, size_t axis, const Dims& dims) {
    const Dims from = c.shape(0).to_static();
    const auto n = static_cast<size_t>(from[axis]), k = static_cast<size_t>(dims[axis]);
    const auto inner = static_cast<size_t>(dense_strides(dims)[axis]);
    const bool most = c.attr<std::string>("mode") == "max", in_order = c.attr<std::string>("sort") == "value";
    const auto in = *intervals(c, 0);
    const bool real = is_float(c.type(0));
    std::vector<Interval> list(static_cast<size_t>(count_of(dims)));
    for (size_t at = 0; at < list.size(); ++at) {
      const size_t p = at / inner % k, first = at / inner / k * n * inner + at % inner;
      std::vector<int64_t> low, high;
      bool any = false;
      for (size_t i = 0; i < n; ++i) {
        const Interval& v = in[first + i * inner];
        low.push_back(v.lo);
        high.push_back(v.hi);
        any = any || (real && v.unknown());  // may be NaN
      }
      std::sort(low.begin(), low.end());
      std::sort(high.begin(), high.end());
      const size_t least_place = most ? n - 1 - (in_order ? p : k - 1) : in_order ? p : 0;
      const size_t most_place = most ? n - 1 - (in_order ? p : 0) : in_order ? p : k - 1;
      if (!any) list[at] = {low[least_place], high[most_place]};
    }
    return list;
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const size_t axis = normalize_axis(c.attr<int64_t>("axis"), in.rank(), "attribute 'axis'");
    const Dims dims = shape_of(in.shape(), axis, Interval(c.input(1).to_ints().at(0))).to_static();
    const auto k = static_cast<size_t>(dims[axis]), n = static_cast<size_t>(in.dim(axis));
    const auto inner = static_cast<size_t>(dense_strides(dims)[axis]);
    const ElementType index_type = index_type_attr(c, "index_element_type");
    const auto values = Tensor::create_bytes(c.context(), in.type(), dims);
    const auto places = Tensor::create_bytes(c.context(), index_type, dims);
    const bool most = c.attr<std::string>("mode") == "max", by_index = c.attr<std::string>("sort") == "index";
    const size_t outer = n == 0 || inner == 0 ? 0 : in.size() / (n * inner);
    std::vector<size_t> order(n);
    for_number(in.type(), [&](auto e) {
      using E = decltype(e);
      for (size_t o = 0; o < outer; ++o)
        for (size_t i = 0; i < inner; ++i) {
          const auto at = [&](size_t p) { return E::get(in.data(), (o * n + p) * inner + i); };
          std::iota(order.begin(), order.end(), size_t{0});
          const auto middle = order.begin() + static_cast<std::ptrdiff_t>(k);
          std::partial_sort(order.begin(), middle, order.end(), [&](size_t a, size_t b) {
            const auto x = at(a), y = at(b);
            return x == y ? a < b : most ? x > y : x < y;
          });
          if (by_index) std::sort(order.begin(), middle);
          for (size_t p = 0; p < k; ++p) {
            const size_t to = (o * k + p) * inner + i;
            E::put(values.second, to, at(order[p]));
            store_number(places.second, index_type, to, static_cast<double>(order[p]));
          }
        }
    });
    c.output(0, values.first);
    c.output(1, places.first);
  }
};

struct TopK11 : TopK3 {
  static void schema(OpSchema& s) {
    TopK3::schema(s);
    s.attr<bool>("stable", false);
  }
};

}  // namespace top

void register_top_k(Registry& r) {
  r.operation<top::TopK3>("TopK", "opset1");
  r.operation<top::TopK3>("TopK", "opset3");
  r.operation<top::TopK11>("TopK", "opset11");
}

}  // namespace mo::opset
