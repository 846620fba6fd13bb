// Range: start, start + step, … up to but without stop. In opset4 output_type decides; integer outputs
// truncate their inputs.
#include "support/elements.hpp"
#include "support/inference.hpp"

namespace mo::opset {

namespace ranges {

__extension__ typedef __int128 Wide;

// How many numbers; step is not 0.
static int64_t count(int64_t start, int64_t stop, int64_t step) {
  const auto a = static_cast<Wide>(stop) - start;
  const Wide n = step > 0 ? (a + step - 1) / step : (a + step + 1) / step;
  return static_cast<int64_t>(std::clamp<Wide>(n, 0, Interval::highest));
}
static int64_t count(double start, double stop, double step) {
  const double n = std::ceil((stop - start) / step);
  require(n < 0x1p62, "a range from ", start, " to ", stop, " by ", step, " is too long");
  return n > 0 ? static_cast<int64_t>(n) : 0;
}

// Steps of one direction; the ends of all three decide.
static Interval counts(const Interval& start, const Interval& stop, const Interval& step) {
  if (step.lo <= 0 && step.hi >= 0) return {0, Interval::highest};
  if (step.hi < 0)
    return counts(interval::negative(start), interval::negative(stop), interval::negative(step));
  const auto number = [](int64_t from, int64_t to, int64_t by) {
    if (from == Interval::lowest || to == Interval::highest)
      return by == Interval::highest ? int64_t{1} : Interval::highest;
    return from == Interval::highest || to == Interval::lowest ? 0 : count(from, to, by);
  };
  const int64_t low =
      interval::is_open(start.hi) || interval::is_open(stop.lo) ? 0 : count(start.hi, stop.lo, step.hi);
  return {low, number(start.lo, stop.hi, step.lo)};
}

static RealInterval number(const InferContext& c, size_t i, bool truncated) {
  RealInterval v = reals_or_unknown(c, i, 1)[0];
  if (c.value(i)) {
    require(c.value(i)->size() == 1, "input ", i, " has shape ", c.shape(i), "; expected 1 elements");
    require(std::isfinite(v.lo) && std::isfinite(v.hi), "input ", i, " is ", c.value(i)->number(0));
  }
  return truncated ? RealInterval(std::trunc(v.lo), std::trunc(v.hi)) : v;
}
static Dim counts(const RealInterval& start, const RealInterval& stop, const RealInterval& step) {
  if (step.hi < 0) return counts(real::negative(start), real::negative(stop), real::negative(step));
  if (step.lo <= 0) return any_dim;
  const auto finite = [](double from, double to, double by) { return std::isfinite((to - from) / by); };
  const double most = std::ceil((stop.hi - start.lo) / step.lo);
  const bool exact = start.exact() && stop.exact() && step.exact();
  return {finite(start.hi, stop.lo, step.hi) ? count(start.hi, stop.lo, step.hi) : 0,
          exact || most < 0x1p62 ? count(start.lo, stop.hi, step.lo) : -1};
}

static void infer(const InferContext& c, ElementType t) {
  const bool whole = is_integer(t);
  bool integers = true;
  for (size_t i = 0; i < 3; ++i) {
    require_elements(c, i, text("input ", i), 1);
    require_number(c, i);
    integers = integers && is_integer(c.type(i));
  }
  if (!integers) {
    const auto start = number(c, 0, whole), stop = number(c, 1, whole), step = number(c, 2, whole);
    require(!step.exact() || step.lo != 0, "the step is 0");
    return c.output(0, t, {counts(start, stop, step)});
  }
  const auto start = intervals_or_unknown(c, 0, 1)[0], stop = intervals_or_unknown(c, 1, 1)[0];
  const auto step = intervals_or_unknown(c, 2, 1)[0];
  require(step != Interval(0), "the step is 0");
  const Shape out{counts(start, stop, step).to_dim()};
  if (!may_have_bounds(t, out) || (start.exact() && stop.exact() && step.exact())) return c.output(0, t, out);
  std::vector<Interval> list;
  for (int64_t i = 0; i < out[0].value(); ++i)
    list.push_back(interval::fit(t, interval::sum(start, interval::product(step, i))));
  output_intervals(c, 0, t, out, list);
}

static void evaluate(const EvalContext& c, ElementType t) {
  const Tensor start = c.input(0), stop = c.input(1), step = c.input(2);
  require(start.size() == 1 && stop.size() == 1 && step.size() == 1, "start, stop and step have shapes ",
          start.shape(), ", ", stop.shape(), " and ", step.shape());
  if (is_integer(t)) {
    const int64_t from = start.integer(0), to = stop.integer(0), by = step.integer(0);
    require(by != 0, "the step is 0");
    const auto out = create_grown(c, t, {count(from, to, by)}, 0);
    for_integer(t, [&](auto e) {
      using E = decltype(e);
      auto v = static_cast<uint64_t>(from);
      for (size_t i = 0; i < out.first.size(); ++i, v += static_cast<uint64_t>(by))
        E::put(out.second, i, static_cast<typename E::computed>(v));
    });
    return c.output(0, out.first);
  }
  const double from = start.number(0), to = stop.number(0), by = step.number(0);
  require(by != 0 && std::isfinite(from) && std::isfinite(to) && std::isfinite(by), "a range from ", from,
          " to ", to, " by ", by);
  const auto out = create_grown(c, t, {count(from, to, by)}, 0);
  for_float(t, [&](auto e) {
    using E = decltype(e);
    for (size_t i = 0; i < out.first.size(); ++i)
      E::put(out.second, i, static_cast<typename E::computed>(from + static_cast<double>(i) * by));
  });
  c.output(0, out.first);
}

// From 0 on there are as many numbers as a size that they end at.
static void symbols(const SymbolsContext& c) {
  const auto is = [&](size_t i, int64_t n) {
    const auto& v = c.values(i);
    return v && v->size() == 1 && v->front() == Symbol::number(n);
  };
  const auto& stop = c.values(1);
  if (is(0, 0) && is(2, 1) && stop && stop->size() == 1 && stop->front().is_dimension()) c.output(0, *stop);
}

}  // namespace ranges

struct Range1 {
  static constexpr std::string_view type = "Range", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("start, stop, step of one type")
        .input("start", Role::any)
        .takes_sizes()
        .input("stop", Role::any)
        .takes_sizes()
        .input("step", Role::any)
        .takes_sizes()
        .outputs(1);
  }
  static void symbols(SymbolsContext& c) { ranges::symbols(c); }
  static void infer(InferContext& c) { ranges::infer(c, common_type(c, {0, 1, 2})); }
  static void evaluate(EvalContext& c) { ranges::evaluate(c, c.input(0).type()); }
};

struct Range4 {
  static constexpr std::string_view type = "Range", opset = "opset4";
  static void schema(OpSchema& s) {
    s.doc("start, stop, step")
        .input("start", Role::any)
        .takes_sizes()
        .input("stop", Role::any)
        .takes_sizes()
        .input("step", Role::any)
        .takes_sizes()
        .outputs(1)
        .attr<ElementType>("output_type");
  }
  static void symbols(SymbolsContext& c) { ranges::symbols(c); }
  static void infer(InferContext& c) { ranges::infer(c, output_type(c)); }
  static void evaluate(EvalContext& c) { ranges::evaluate(c, output_type(c)); }

 private:
  static ElementType output_type(const OpContext& c) {
    const auto t = c.attr<ElementType>("output_type");
    require(is_integer(t) || is_float(t), "attribute 'output_type' is ", name(t), "; expected a number");
    return t;
  }
};

void register_range(Registry& r) {
  r.operation<Range1>();
  r.operation<Range4>();
}

}  // namespace mo::opset
