// OneHot: indices, depth, on_value, off_value; an index outside of 0 to depth-1 leaves only off_value.
// opset16 can count negative indices from the end of the depth.
#include "support/first_releases.hpp"
#include "support/movement.hpp"

namespace mo::opset {

namespace hot {

// Calls f(place of the element in the output, how its index compares) for each element of the output: 1 when
// it is hot, 0 when not, -1 when that is not known.
template <class F>
void for_each(const std::vector<Interval>& indices, int64_t depth, int64_t inner, bool wraps, F f) {
  for (size_t i = 0; i < indices.size(); ++i)
    for (int64_t d = 0; d < depth; ++d) {
      const Interval& at = indices[i];
      const int64_t outer = static_cast<int64_t>(i) / inner, rest = static_cast<int64_t>(i) % inner;
      const bool may = at.contains(d) || (wraps && at.contains(d - depth));
      f(static_cast<size_t>((outer * depth + d) * inner + rest), !may ? 0 : at.exact() ? 1 : -1);
    }
}

template <int Version>
struct OneHot {
  static void schema(OpSchema& s) {
    s.doc("indices, depth, on_value, off_value")
        .input("indices", Role::fixed, integer_types)
        .input("depth", Role::any, integer_types)
        .takes_sizes()
        .inputs({"on_value", "off_value"}, Role::any)
        .outputs(1)
        .attr<int64_t>("axis");
    if constexpr (Version == 16)
      s.attr<std::string>("negative_indices_mode", "ignore_negative")
          .one_of({"ignore_negative", "normalize"});
  }
  static bool wraps(const OpContext& c) {
    if constexpr (Version == 16) return c.attr<std::string>("negative_indices_mode") == "normalize";
    return false;
  }
  static void infer(InferContext& c) {
    for (size_t i = 1; i < 4; ++i) require_elements(c, i, text("input ", i), 1);
    const Interval depth = intervals_or_unknown(c, 1, 1)[0];
    require(depth.hi >= 0, "depth is ", depth.hi, "; expected 0 or more");
    const ElementType t = common_type(c, {2, 3});
    Shape out = c.shape(0);
    if (!out.has_rank()) return c.output(0, t, out);
    const size_t axis = normalize_axis(c.attr<int64_t>("axis"), out.size() + 1, "attribute 'axis'");
    out.insert(axis, depth.to_dim());
    const bool all = c.value(0) && c.value(1) && c.value(2) && c.value(3);
    const bool some = intervals(c, 0) || (intervals(c, 2) && intervals(c, 3));
    if (all || !some || !may_have_bounds(t, out) || !may_have_bounds(c.type(0), c.shape(0)))
      return c.output(0, t, out);
    const Interval on = intervals_or_unknown(c, 2, 1)[0], off = intervals_or_unknown(c, 3, 1)[0];
    std::vector<Interval> list(static_cast<size_t>(out.elements().value()));
    const auto indices = intervals_or_unknown(c, 0, static_cast<size_t>(c.shape(0).elements().value()));
    for_each(indices, depth.lo, dense_strides(out.to_static())[axis], wraps(c), [&](size_t at, int hot) {
      list[at] = hot < 0 ? interval::unite(on, off) : hot == 0 ? off : on;
    });
    output_intervals(c, 0, t, out, list);
  }
  static void evaluate(EvalContext& c) {
    const ElementType t = c.input(2).type();
    require(c.input(3).type() == t, "on_value is ", name(t), " and off_value ", name(c.input(3).type()));
    const Tensor indices = c.input(0), on = in_bytes(c, c.input(2)), off = in_bytes(c, c.input(3));
    Dims dims = indices.dims();
    const size_t axis = normalize_axis(c.attr<int64_t>("axis"), dims.size() + 1, "attribute 'axis'");
    const int64_t depth = c.input(1).to_ints().at(0);
    require(depth >= 0 && on.size() == 1 && off.size() == 1, "depth is ", depth, ", on_value ", on.shape(),
            " and off_value ", off.shape());
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), depth);
    const auto out = create_grown(c, on.type(), dims, indices.bytes());
    const size_t width = width_of(on.type()), n = out.first.size();
    const auto to = static_cast<char*>(out.second);
    for (size_t i = 0; i < n; ++i) std::memcpy(to + i * width, off.data(), width);
    const auto inner = static_cast<size_t>(dense_strides(dims)[axis]);
    for (size_t i = 0; i < indices.size() && n > 0; ++i) {
      int64_t at = indices.integer(i);
      if (at < 0 && wraps(c)) at += depth;
      if (at < 0 || at >= depth) continue;
      const size_t place =
          (i / inner * static_cast<size_t>(depth) + static_cast<size_t>(at)) * inner + i % inner;
      std::memcpy(to + place * width, on.data(), width);
    }
    c.output(0, of_type(c, out.first, t));
  }
};

}  // namespace hot

void register_one_hot(Registry& r) {
  r.operation<hot::OneHot<1>>("OneHot", "opset1");
  r.operation<hot::OneHot<16>>("OneHot", "opset16");
  came_with("2025.4", "OneHot", "opset16");
}

}  // namespace mo::opset
