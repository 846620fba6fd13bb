// Pad. opset12 takes negative pads, which cut off.
#include "support/limits.hpp"
#include "support/movement.hpp"

namespace mo::opset {

namespace padding {

enum class Mode { constant, edge, reflect, symmetric };

static Mode mode_of(const OpContext& c) {
  const auto m = c.attr<std::string>("pad_mode");
  return m == "edge"        ? Mode::edge
         : m == "reflect"   ? Mode::reflect
         : m == "symmetric" ? Mode::symmetric
                            : Mode::constant;
}

static Dim padded_dim(const Dim& in, const Interval& begin, const Interval& end, Mode mode, bool may_cut,
                      size_t axis) {
  require(may_cut || (begin.hi >= 0 && end.hi >= 0), "pads of dimension ", axis, " are ",
          std::min(begin.hi, end.hi), "; expected 0 or more");
  const Interval least = may_cut ? Interval::lowest : 0;
  const Interval b = interval::maximum(begin, least), e = interval::maximum(end, least);
  if (b.exact() && e.exact())
    detail::checked_add(detail::checked_add(in.min, b.lo), e.lo);  // error on overflow
  const Interval sum = interval::sum(interval::sum(Interval(in), b), e);
  require(sum.hi >= 0, "pads of dimension ", axis, " cut off more than its ", in, " elements");
  const int64_t pad = std::max(b.lo, e.lo);
  if (pad > 0 && !in.is_unbounded()) {
    // What is mirrored or repeated has to be there.
    const int64_t most = mode == Mode::reflect ? in.max - 1 : in.max;
    require(mode == Mode::constant || (mode == Mode::edge ? in.max > 0 : pad <= most), "pads of dimension ",
            axis, " are ", pad, " but it has only ", in, " elements");
  }
  return sum.to_dim();
}

// For each place of a padded dimension the element of the input; -1: the pad value.
static Dims sources(int64_t size, int64_t begin, int64_t count, Mode mode) {
  Dims list(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = i - begin;
    if (mode == Mode::constant)
      at = at < 0 || at >= size ? -1 : at;
    else if (mode == Mode::edge)
      at = std::clamp<int64_t>(at, 0, size - 1);
    else if (mode == Mode::reflect)
      at = at < 0 ? -at : at >= size ? 2 * (size - 1) - at : at;
    else
      at = at < 0 ? -1 - at : at >= size ? 2 * size - 1 - at : at;
    list[static_cast<size_t>(i)] = at;
  }
  return list;
}

static bool has_room_to_reflect(const Node& n) {
  const Shape s = n.in_port(0).shape();
  if (n.attr<std::string>("pad_mode") != "reflect" || !s.has_rank()) return true;
  return s.size() < 3 || std::none_of(s.begin() + 2, s.end(), [](const Dim& d) { return d == Dim(1); });
}

template <int Version>
struct Pad {
  static constexpr bool may_cut = Version == 12;
  static void schema(OpSchema& s) {
    s.doc("data, pads_begin, pads_end, [pad_value]")
        .input("data", Role::data)
        .input("pads_begin", Role::per_dimension)
        .takes_sizes()
        .input("pads_end", Role::per_dimension)
        .takes_sizes()
        .optional_input("pad_value", Role::any)
        .outputs(1);
    s.attr<std::string>("pad_mode").one_of({"constant", "edge", "reflect", "symmetric"});
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"a reflecting Pad has two elements or more in each dimension from the third on", "",
                      "ngraph/core/src/op/pad.cpp:160", has_room_to_reflect}});
  }
  static void infer(InferContext& c) {
    const Mode mode = mode_of(c);
    ElementType t = c.type(0);
    if (c.has(3)) {
      t = common_type(c, {0, 3});
      require_elements(c, 3, "pad_value", 1);
    }
    const Dim n =
        same_dim(vector_length(c, 1, "pads_begin"), vector_length(c, 2, "pads_end"), "lengths of the pads");
    Shape out = c.shape(0);
    if (!out.has_rank()) {
      const bool known = n.is_static() && n.value() <= bounds_limit;
      return c.output(0, t, known ? Shape::of_rank(static_cast<size_t>(n.value())) : out);
    }
    require(n.contains(out.rank()), "pads_begin has ", n, " entries but the rank is ", out.rank());
    const auto begin = intervals_or_unknown(c, 1, out.size()), end = intervals_or_unknown(c, 2, out.size());
    for (size_t i = 0; i < out.size(); ++i) out[i] = padded_dim(out[i], begin[i], end[i], mode, may_cut, i);
    if (may_have_bounds(t, out) && may_have_bounds(t, c.shape(0)) && bounds_wanted(c, {0}) && exact(begin)) {
      const auto value = c.has(3) ? intervals_or_unknown(c, 3, 1)[0] : Interval(0);
      std::vector<Interval> list(static_cast<size_t>(out.elements().value()), value);
      const Dims in = c.shape(0).to_static();
      run_lists(lists(in, begin, out.to_static(), mode), in, intervals(c, 0)->data(), list.data(),
                sizeof(Interval));
      return output_intervals(c, 0, t, out, list);
    }
    c.output(0, t, out);
  }
  static void evaluate(EvalContext& c) {
    const Mode mode = mode_of(c);
    const Tensor given = c.input(0), in = in_bytes(c, given);
    const auto b = c.input(1).to_ints(), e = c.input(2).to_ints();
    require(b.size() == in.rank() && e.size() == in.rank(), "pads have ", b.size(), " and ", e.size(),
            " entries but the rank is ", in.rank());
    Shape shape = in.shape();
    for (size_t i = 0; i < b.size(); ++i) shape[i] = padded_dim(shape[i], b[i], e[i], mode, may_cut, i);
    const Dims dims = shape.to_static();
    const auto out = create_grown(c, in.type(), dims, in.bytes());
    const size_t width = width_of(in.type()), n = out.first.size();
    if (c.has(3)) {
      const Tensor value = in_bytes(c, c.input(3));
      require(value.size() == 1 && c.input(3).type() == given.type(), "pad_value has shape ", value.shape(),
              " and type ", name(c.input(3).type()), "; expected one element of ", name(given.type()));
      for (size_t i = 0; i < n; ++i)
        std::memcpy(static_cast<char*>(out.second) + i * width, value.data(), width);
    }
    if (n > 0)
      run_lists(lists(in.dims(), {b.begin(), b.end()}, dims, mode), in.dims(), in.data(), out.second, width);
    c.output(0, of_type(c, out.first, given.type()));
  }

 private:
  static bool exact(const std::vector<Interval>& list) {
    return std::all_of(list.begin(), list.end(), [](const Interval& v) { return v.exact(); });
  }
  static std::vector<Dims> lists(const Dims& in, const std::vector<Interval>& begin, const Dims& out,
                                 Mode mode) {
    std::vector<Dims> all;
    for (size_t i = 0; i < in.size(); ++i) all.push_back(sources(in[i], begin[i].lo, out[i], mode));
    return all;
  }
};

}  // namespace padding

void register_pad(Registry& r) {
  r.operation<padding::Pad<1>>("Pad", "opset1");
  r.operation<padding::Pad<12>>("Pad", "opset12");
}

}  // namespace mo::opset
