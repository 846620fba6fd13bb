// Order: sorted elements, the greatest ones, searches, and running values along a dimension.
#include "support/values.hpp"

#include <cmath>
#include <limits>

namespace mo::pytorch {

namespace sorting {

// A number is looked at as a list of one.
struct Line {
  OutPort x;
  int64_t axis = 0;
  bool number = false;
  OutPort back(const Call& c, const OutPort& y) const { return number ? c.b.reshape(y, Ints{}) : y; }
};
static Line line_of(const Call& c, int64_t fallback) {
  Line l{c.tensor("self")};
  const size_t rank = c.rank(l.x);
  l.axis = static_cast<int64_t>(c.axis("dim", fallback, rank));
  l.number = rank == 0;
  if (l.number) l.x = c.b.reshape(l.x, Ints{1});
  // No runtime sorts truth values.
  if (l.x.type() == ElementType::boolean) l.x = c.b.convert(l.x, ElementType::i32);
  return l;
}

// Values and indices, the first of equal ones first.
static Ports best(const Call& c, const OutPort& x, const OutPort& count, int64_t axis, bool most) {
  const Node n = c.b.node("TopK", "opset11", {x, count}, 2);
  n.set("axis", axis).set("mode", most ? "max" : "min").set("sort", "value").set("stable", true);
  n.set("index_element_type", ElementType::i64);
  return n.out_ports();
}

static Ports sorted(const Call& c, const Line& l, bool descending) {
  return best(c, l.x, size_of(c, l.x, l.axis), l.axis, descending);
}
static Ports sort(const Call& c) {
  const Line l = line_of(c, -1);
  const Ports all = sorted(c, l, c.flag("descending", false));
  return {l.back(c, all[0]), l.back(c, all[1])};
}
static Ports sort_rows(const Call& c) {
  Line l = line_of(c, 0);
  l.axis = 0;
  return {l.back(c, sorted(c, l, false)[0])};
}
static Ports order(const Call& c) {
  const Line l = line_of(c, -1);
  return {l.back(c, sorted(c, l, c.flag("descending", false))[1])};
}
static Ports top(const Call& c) {
  const Line l = line_of(c, -1);
  const Ports all = best(c, l.x, c.size("k"), l.axis, c.flag("largest", true));
  return {l.back(c, all[0]), l.back(c, all[1])};
}

// One element of the sorted ones, whose number is a scalar.
static Ports ranked(const Call& c, const Line& l, const OutPort& number) {
  const Ports all = sorted(c, l, false);
  Ports out;
  for (const OutPort& p : all) {
    const OutPort y = gather(c, p, as_list(c, number), l.axis);
    out.push_back(l.number                   ? c.b.reshape(y, Ints{})
                  : c.flag("keepdim", false) ? y
                                             : c.b.squeeze(y, {l.axis}));
  }
  return out;
}
static Ports kth_value(const Call& c) {
  return ranked(c, line_of(c, -1), c.b.subtract(c.size("k"), c.b.integer(1)));
}
// The lower one of two in the middle.
static Ports median(const Call& c) {
  Line l = line_of(c, -1);
  const bool all = !c.is_given("dim");
  if (all) l = {flat(c, l.x), 0, true};
  const OutPort last = c.b.subtract(size_of(c, l.x, l.axis), c.b.integer(1));
  const Ports both = ranked(c, l, c.op1("Divide", {last, c.b.integer(2)}));
  return all ? Ports{both[0]} : both;
}

// What is no number stands behind all others, and is not counted.
static Ports median_of_numbers(const Call& c) {
  Line l = line_of(c, -1);
  const bool all = !c.is_given("dim");
  if (all) l = {flat(c, l.x), 0, true};
  const OutPort is_number = c.op1("Equal", {l.x, l.x});
  const OutPort count =
      c.b.reduce("ReduceSum", c.b.convert(is_number, ElementType::i64), c.b.list({l.axis}), true);
  const OutPort none = c.op1("Equal", {count, c.b.integer(0)});
  const OutPort middle = c.op1(
      "Divide", {c.op1("Maximum", {c.b.subtract(count, c.b.integer(1)), c.b.integer(0)}), c.b.integer(2)});
  const Line filled{c.b.select(is_number, l.x, c.like(l.x, std::numeric_limits<double>::infinity())), l.axis,
                    l.number};
  Ports out;
  for (const OutPort& p : sorted(c, filled, false)) {
    const Node at = c.b.node("GatherElements", "opset6", {p, middle});
    OutPort y = at.set("axis", l.axis).out_port();
    if (out.empty()) y = c.b.select(none, c.like(l.x, std::numeric_limits<double>::quiet_NaN()), y);
    out.push_back(l.number                   ? c.b.reshape(y, Ints{})
                  : c.flag("keepdim", false) ? y
                                             : c.b.squeeze(y, {l.axis}));
    if (all) break;
  }
  return out;
}

template <bool Most>
static Ports place_of_best(const Call& c) {
  Line l = line_of(c, 0);
  const bool keep = c.flag("keepdim", false);
  const size_t rank = c.rank("self");
  if (!c.is_given("dim")) l = {flat(c, l.x), 0, true};
  const OutPort at = best(c, l.x, c.b.integer(1), l.axis, Most)[1];
  if (!c.is_given("dim")) return {c.b.reshape(at, keep ? Ints(rank, 1) : Ints{})};
  return {l.number ? l.back(c, at) : keep ? at : c.b.squeeze(at, {l.axis})};
}

template <bool Most>
static Ports extreme(const Call& c) {
  const Line l = line_of(c, 0);
  const bool keep = c.flag("keepdim", false);
  const auto done = [&](const OutPort& y) {
    return l.number ? l.back(c, y) : keep ? y : c.b.squeeze(y, {l.axis});
  };
  // Without a reader of the indices.
  if (!c.b.wants(1))
    return {done(c.b.reduce(Most ? "ReduceMax" : "ReduceMin", l.x, c.b.list({l.axis}), true)), {}};
  const Ports both = best(c, l.x, c.b.integer(1), l.axis, Most);
  return {done(both[0]), done(both[1])};
}

// Insertion points in sorted lists, of which there is one, or one for each row.
static OutPort insertion(const Call& c, const OutPort& lists, const OutPort& values, bool right) {
  const ElementType type =
      c.promoted_type({c.is_given("boundaries") ? "boundaries" : "sorted_sequence", "self"});
  const OutPort sorted = as_type(c, lists, type);
  OutPort v = as_type(c, values, type);
  const size_t rank = c.rank(v);
  if (rank == 0) v = c.b.reshape(v, Ints{1});
  const Node n = c.b.node("SearchSorted", "opset15", {sorted, v});
  const OutPort y = n.set("right_mode", right).set("output_type", ElementType::i64).out_port();
  return rank == 0 ? c.b.reshape(y, Ints{}) : y;
}
static Ports bucketize(const Call& c) {
  const OutPort x = c.is_tensor("self") ? c.tensor("self") : c.scalar("self", c.tensor("boundaries"));
  return {insertion(c, c.tensor("boundaries"), x, c.flag("right", false))};
}
static Ports search_sorted(const Call& c) {
  require(!c.is_given("sorter"), "argument 'sorter' is not supported; sort the list in the model");
  const auto side = c.word("side", c.flag("right", false) ? "right" : "left");
  require(side == "left" || side == "right", "argument 'side' is '", side, "', expected left or right");
  const OutPort x = c.is_tensor("self") ? c.tensor("self") : c.scalar("self", c.tensor("sorted_sequence"));
  return {insertion(c, c.tensor("sorted_sequence"), x, side == "right")};
}

static Ports running_sum(const Call& c) {
  Line l = line_of(c, 0);
  l.x = as_type(c, l.x, c.result_type());
  const Node n = c.b.node("CumSum", "opset3", {l.x, c.b.integer(l.axis)});
  return {l.back(c, n.set("exclusive", false).set("reverse", false).out_port())};
}

// Each element of the result sees a copy of the line, of which those up to its place count: [.., to, from].
struct Prefixes {
  OutPort copies, counts, places;
};
static Prefixes prefixes_of(const Call& c, const OutPort& x, int64_t axis) {
  const size_t rank = c.rank(x);
  Prefixes p;
  p.copies = c.b.unsqueeze(moved(c, x, static_cast<size_t>(axis), rank - 1), c.b.list({-2}));
  p.places = count_to(c, size_of(c, x, axis));
  p.counts = c.op1("LessEqual", {p.places, c.b.unsqueeze(p.places, c.b.list({1}))});
  return p;
}
static OutPort reduced(const Call& c, std::string_view type, const OutPort& x, int64_t axis, size_t rank) {
  return moved(c, c.b.reduce(type, x, c.b.list({-1}), false), rank - 1, static_cast<size_t>(axis));
}

static Ports running_product(const Call& c) {
  Line l = line_of(c, 0);
  l.x = as_type(c, l.x, c.result_type());
  const Prefixes p = prefixes_of(c, l.x, l.axis);
  const OutPort kept = c.b.select(p.counts, p.copies, c.like(l.x, 1));
  return {l.back(c, reduced(c, "ReduceProd", kept, l.axis, c.rank(l.x)))};
}

static double farthest(ElementType type, bool least) {
  if (is_float(type)) return (least ? -1 : 1) * std::numeric_limits<double>::infinity();
  const auto width = static_cast<int>(std::min<size_t>(bits(type), 53));
  if (info(type).kind == 'u') return least ? 0 : std::ldexp(1.0, width) - 1;
  return least ? -std::ldexp(1.0, width - 1) : std::ldexp(1.0, width - 1) - 1;
}

// The last one of equal values counts.
template <bool Most>
static Ports running_extreme(const Call& c) {
  const Line l = line_of(c, 0);
  const size_t rank = c.rank(l.x);
  const Prefixes p = prefixes_of(c, l.x, l.axis);
  const OutPort kept = c.b.select(p.counts, p.copies, c.like(l.x, farthest(l.x.type(), Most)));
  const OutPort value = c.b.reduce(Most ? "ReduceMax" : "ReduceMin", kept, c.b.list({-1}), true);
  const OutPort hits = c.op1("LogicalAnd", {c.op1("Equal", {kept, value}), p.counts});
  const OutPort at = c.b.select(hits, p.places, c.b.integer(-1));
  const OutPort values = moved(c, c.b.squeeze(value, {-1}), rank - 1, static_cast<size_t>(l.axis));
  return {l.back(c, values), l.back(c, reduced(c, "ReduceMax", at, l.axis, rank))};
}

static Ports running_log_of_sum(const Call& c) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Line l = line_of(c, 0);
  const size_t rank = c.rank(l.x);
  const Prefixes p = prefixes_of(c, l.x, l.axis);
  const OutPort kept = c.b.select(p.counts, p.copies, c.like(l.x, -infinity));
  const OutPort most = c.b.reduce("ReduceMax", kept, c.b.list({-1}), true);
  const OutPort finite = is_less(c, c.op1("Abs", {most}), c.like(l.x, infinity));
  const OutPort shift = c.b.select(finite, most, c.like(l.x, 0));
  const OutPort sum =
      c.b.reduce("ReduceSum", c.op1("Exp", {c.b.subtract(kept, shift)}), c.b.list({-1}), true);
  const OutPort y = c.b.squeeze(c.b.add(c.op1("Log", {sum}), shift), {-1});
  return {l.back(c, moved(c, y, rank - 1, static_cast<size_t>(l.axis)))};
}

// Differences of neighbours, n times.
static Ports differences(const Call& c) {
  OutPort x = c.tensor("self");
  const auto axis = static_cast<int64_t>(c.axis("dim", -1, c.rank(x)));
  Ports all;
  if (c.is_given("prepend")) all.push_back(c.as("prepend", x.type()));
  all.push_back(x);
  if (c.is_given("append")) all.push_back(c.as("append", x.type()));
  x = c.b.concat(all, axis);
  for (int64_t i = 0, n = c.integer("n", 1); i < n; ++i) {
    const OutPort next = slice(c, x, axis, 1, INT64_MAX), before = slice(c, x, axis, 0, -1);
    x = x.type() == ElementType::boolean ? c.op1("LogicalXor", {next, before}) : c.b.subtract(next, before);
  }
  return {x};
}

// How many elements fall into each of equal bins; the last one holds its upper end, too.
static Ports histogram(const Call& c) {
  const OutPort x = flat(c, as_float(c, c.tensor("self")));
  const auto bins = c.integer("bins", 100);
  require(bins > 0, "argument 'bins' is ", bins, ", expected at least 1");
  const double least = c.number("min", 0), most = c.number("max", 0);
  OutPort low = c.like(x, least), high = c.like(x, most);
  if (least == most) {
    low = c.b.reduce("ReduceMin", x, c.b.list({0}), false);
    high = c.b.reduce("ReduceMax", x, c.b.list({0}), false);
    const OutPort same = c.op1("Equal", {low, high});
    low = c.b.select(same, c.b.subtract(low, c.like(x, 1)), low);
    high = c.b.select(same, c.b.add(high, c.like(x, 1)), high);
  }
  const OutPort share = c.b.divide(c.b.subtract(x, low), c.b.subtract(high, low));
  const OutPort bin = c.op1("Floor", {c.b.multiply(share, c.like(x, static_cast<double>(bins)))});
  const OutPort kept = c.op1("Minimum", {bin, c.like(x, static_cast<double>(bins - 1))});
  const OutPort inside =
      c.op1("LogicalAnd", {c.op1("GreaterEqual", {x, low}), c.op1("LessEqual", {x, high})});
  const OutPort places = c.b.select(inside, kept, c.like(x, -1));
  const OutPort numbers = c.convert_like(count_to(c, c.b.integer(bins)), x);
  const OutPort hits = c.op1("Equal", {c.b.unsqueeze(numbers, c.b.list({1})), places});
  return {c.b.reduce("ReduceSum", c.convert_like(hits, x), c.b.list({1}), false)};
}

}  // namespace sorting

void register_sorting(Registry& r) {
  using namespace sorting;
  convert<sort>(r, "aten.sort.default aten.sort.stable", "sort(x, dim, descending)", "TopK-11(x, size)");
  convert<sort_rows>(r, "aten.msort.default", "msort(x)", "TopK-11(x, size)");
  convert<order>(r, "aten.argsort.default aten.argsort.stable", "argsort(x, dim, descending)",
                 "TopK-11(x, size)");
  convert<top>(r, "aten.topk.default", "topk(x, k, dim)", "TopK-11(x, k)");
  convert<kth_value>(r, "aten.kthvalue.default", "kthvalue(x, k, dim)", "Gather(TopK-11(x, size), k - 1)");
  convert<median>(r, "aten.median.default aten.median.dim", "median(x, dim)",
                  "Gather(TopK-11(x, size), (size - 1) / 2)");
  convert<median_of_numbers>(r, "aten.nanmedian.default aten.nanmedian.dim", "nanmedian(x, dim)",
                             "GatherElements(TopK-11(Select(Equal(x, x), x, inf), size), (count - 1) / 2)");
  convert<place_of_best<true>>(r, "aten.argmax.default", "argmax(x, dim)", "TopK-11(x, 1)");
  convert<place_of_best<false>>(r, "aten.argmin.default", "argmin(x, dim)", "TopK-11(x, 1)");
  convert<extreme<true>>(r, "aten.max.dim", "max(x, dim)", "TopK-11(x, 1), or ReduceMax(x)");
  convert<extreme<false>>(r, "aten.min.dim", "min(x, dim)", "TopK-11(x, 1), or ReduceMin(x)");
  convert<bucketize>(r, "aten.bucketize.Tensor aten.bucketize.Scalar", "bucketize(x, boundaries)",
                     "SearchSorted-15(boundaries, x)");
  convert<search_sorted>(r, "aten.searchsorted.Tensor aten.searchsorted.Scalar", "searchsorted(lists, x)",
                         "SearchSorted-15(lists, x)");
  convert<running_sum>(r, "aten.cumsum.default", "cumsum(x, dim)", "CumSum(x)");
  convert<running_product>(r, "aten.cumprod.default", "cumprod(x, dim)",
                           "ReduceProd(Select(LessEqual(from, to), Unsqueeze(x), 1))");
  convert<running_extreme<true>>(r, "aten.cummax.default", "cummax(x, dim)",
                                 "ReduceMax(Select(LessEqual(from, to), Unsqueeze(x), -inf))");
  convert<running_extreme<false>>(r, "aten.cummin.default", "cummin(x, dim)",
                                  "ReduceMin(Select(LessEqual(from, to), Unsqueeze(x), inf))");
  convert<running_log_of_sum>(r, "aten.logcumsumexp.default", "logcumsumexp(x, dim)",
                              "Log(ReduceSum(Exp(Select(LessEqual(from, to), Unsqueeze(x), -inf))))");
  convert<differences>(r, "aten.diff.default", "diff(x, n, dim)", "Subtract(Slice-8(x), Slice-8(x))");
  convert<histogram>(r, "aten.histc.default", "histc(x, bins, min, max)",
                     "ReduceSum(Convert(Equal(bins, Floor(share * bins))))");
}

}  // namespace mo::pytorch
