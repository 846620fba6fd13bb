// Reductions over windows. Floats become pooling where its windows and pads are such as pooling has; the rest
// is made of as many parts of the tensor as the logarithm of a window's size.
#include <algorithm>
#include <cmath>

#include <mo/slices.hpp>
#include "support/reductions.hpp"

namespace mo::tflite {

namespace reduce_windows {

struct Windows {
  Ints size, strides, holes, dilations, begin, end;
};

static Ints at_least_one(Ints list, std::string_view what, size_t rank) {
  if (list.empty()) list.assign(rank, 1);
  require(list.size() == rank, what, " are ", list, ", but the rank is ", rank);
  require(std::all_of(list.begin(), list.end(), [](int64_t v) { return v > 0; }), what, " are ", list,
          ", expected at least 1");
  return list;
}

static Windows stated_windows(const SourceNode& n, size_t rank) {
  const auto list = [&](const char* name) {
    return at_least_one(n.native<Ints>(name), text("the numbers of attribute '", name, "'"), rank);
  };
  Windows w{list("window_dimensions"), list("window_strides"), list("base_dilations"),
            list("window_dilations"),  Ints(rank, 0),          Ints(rank, 0)};
  for (int64_t& d : w.holes) --d;
  const auto pads = n.native<Ints>("padding");
  require(pads.empty() || pads.size() == 2 * rank, "attribute 'padding' is ", pads, ", but the rank is ",
          rank);
  for (size_t i = 0; i < pads.size(); ++i) (i % 2 == 0 ? w.begin : w.end)[i / 2] = pads[i];
  return w;
}

static bool all_are(const Ints& list, int64_t value) {
  return std::all_of(list.begin(), list.end(), [&](int64_t v) { return v == value; });
}

// Whether a constant is this number.
static bool is_constant(const Build& b, size_t input, double value) {
  const auto v = b.floats(input);
  return v && v->size() == 1 && v->front() == value;
}

// The order in which the dimensions of a picture are the last ones; empty when no two dimensions are left for
// the batch and the channels.
static Ints pictures_last(const Windows& w) {
  const auto rank = static_cast<int64_t>(w.size.size());
  if (rank < 3 || rank > 5) return {};
  const auto is_free = [&](int64_t axis) {
    const auto i = static_cast<size_t>(axis);
    return w.size[i] == 1 && w.strides[i] == 1 && w.begin[i] == 0 && w.end[i] == 0;
  };
  Ints order;
  for (const int64_t axis : {int64_t{0}, rank - 1})
    if (is_free(axis)) order.push_back(axis);
  for (int64_t axis = 1; axis < rank - 1 && order.size() < 2; ++axis)
    if (is_free(axis)) order.push_back(axis);
  if (order.size() < 2) return {};
  for (int64_t axis = 0; axis < rank; ++axis)
    if (axis != order[0] && axis != order[1]) order.push_back(axis);
  return order;
}

// What pooling makes of it; empty when it does not do the same.
static OutPort pooled(const Build& b, const Windows& w, const Reduction& r) {
  const bool sum = r.of_two == "Add";
  if ((!sum && r.of_two != "Maximum") || !is_float(b.in(0).type())) return {};
  if (!all_are(w.holes, 0) || !all_are(w.dilations, 1)) return {};
  for (size_t i = 0; i < w.size.size(); ++i)
    if (std::min(w.begin[i], w.end[i]) < 0 || std::max(w.begin[i], w.end[i]) >= w.size[i]) return {};
  const bool padded = !all_are(w.begin, 0) || !all_are(w.end, 0);
  if (sum && padded && !is_constant(b, 1, 0)) return {};
  const Ints order = pictures_last(w);
  if (order.empty()) return {};
  const auto spatial = [&](const Ints& list) {
    Ints part;
    for (size_t i = 2; i < order.size(); ++i) part.push_back(list[static_cast<size_t>(order[i])]);
    return part;
  };
  Ints back(order.size());
  double elements = 1;
  for (size_t i = 0; i < order.size(); ++i) {
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
    elements *= static_cast<double>(w.size[i]);
  }
  const Node p = b.node(sum ? "AvgPool" : "MaxPool", "opset1", {b.transpose(b.in(0), order)});
  p.set("kernel", spatial(w.size)).set("strides", spatial(w.strides)).set("pads_begin", spatial(w.begin));
  p.set("pads_end", spatial(w.end)).set("rounding_type", "floor").set("auto_pad", "explicit");
  if (sum) p.set("exclude-pad", false);
  const OutPort y = sum ? op1(b, "Multiply", {p.out_port(), b.like(b.in(0), elements)}) : p.out_port();
  return b.transpose(y, back);
}

// Element i becomes what elements i, i + step, … of a dimension give together, `count` of them. Powers of two
// are put together from halves.
static OutPort along(const Build& b, const OutPort& x, const Reduction& r, size_t rank, size_t axis,
                     int64_t count, int64_t step) {
  const Ints ones(rank, 1);
  const auto both = [&](const OutPort& first, int64_t width_of_second, const OutPort& second,
                        int64_t width_of_first) {
    Ints before(rank, 0), after(rank, 0);
    after[axis] = width_of_second * step;
    before[axis] = width_of_first * step;
    const Ints none(rank, 0);
    return op1(b, r.of_two,
               {without_ends(b, first, none, after, ones), without_ends(b, second, before, none, ones)});
  };
  OutPort power = x, all;
  int64_t done = 0;
  for (int64_t width = 1;; width *= 2) {
    if ((count & width) != 0) {
      all = all ? both(all, width, power, done) : power;
      done += width;
    }
    if (done == count) return all;
    power = both(power, width, power, width);
  }
}

// Pads hold the first value, too.
static OutPort padded(const Build& b, const Windows& w) {
  const OutPort x = spread_out(b, b.in(0), w.holes, b.in(1));
  if (all_are(w.begin, 0) && all_are(w.end, 0)) return x;
  const bool cuts = *std::min_element(w.begin.begin(), w.begin.end()) < 0 ||
                    *std::min_element(w.end.begin(), w.end.end()) < 0;
  const Node p = b.node("Pad", cuts ? "opset12" : "opset1", {x, b.list(w.begin), b.list(w.end), b.in(1)});
  p.set("pad_mode", "constant");
  return p.out_port();
}

static OutPort reduced(const Build& b, const Windows& w, const Reduction& r) {
  if (const OutPort y = pooled(b, w, r)) return y;
  const size_t rank = w.size.size();
  OutPort x = padded(b, w);
  for (size_t axis = 0; axis < rank; ++axis)
    if (w.size[axis] > 1) x = along(b, x, r, rank, axis, w.size[axis], w.dilations[axis]);
  const Ints none(rank, 0);
  return all_are(w.strides, 1) ? x : without_ends(b, x, none, none, w.strides);
}

// The first value counts once more.
static Ports with_first(const Build& b, const Reduction& r, const OutPort& x) {
  const bool nothing = (r.of_two == "Add" && is_constant(b, 1, 0)) ||
                       (r.of_two == "Multiply" && is_constant(b, 1, 1)) ||
                       (r.of_two == "Maximum" && is_constant(b, 1, -INFINITY)) ||
                       (r.of_two == "Minimum" && is_constant(b, 1, INFINITY));
  return {nothing ? x : op1(b, r.of_two, {x, b.in(1)})};
}

}  // namespace reduce_windows

// (x, first value)
static Ports stable_reduce_window(Build& b, const SourceNode& n) {
  using namespace reduce_windows;
  require(n.in_count() == 2, "it reduces ", n.in_count() / 2,
          " tensors together, for which the IR has no operation");
  const auto rank = static_cast<size_t>(rank_of(b, n, 0));
  const Reduction& r = reduction_of_body(n, 0, b.in(0).type(), "reduces");
  return with_first(b, r, reduced(b, stated_windows(n, rank), r));
}

// (x, first value, window, strides, dilations)
static Ports reduce_window(Build& b, const SourceNode& n) {
  using namespace reduce_windows;
  const auto rank = static_cast<size_t>(rank_of(b, n, 0));
  const auto list = [&](size_t input, const char* what) {
    return at_least_one(constant_ints(b, input, what), what, rank);
  };
  const Windows w{list(2, "the window's sizes"), list(3, "the strides"), Ints(rank, 0),
                  list(4, "the dilations"),      Ints(rank, 0),          Ints(rank, 0)};
  const Reduction& r = reduction_of_function(n, b.in(0).type(), "reduces");
  return with_first(b, r, reduced(b, w, r));
}

void register_stablehlo_windows(Registry& r) {
  const auto after = "MaxPool(x), Multiply(AvgPool(x), elements), or Maximum, … of parts of x";
  replace<stable_reduce_window>(r, {"STABLEHLO_REDUCE_WINDOW", "STABLEHLO_REDUCE_WINDOW(x, first)", after});
  replace<reduce_window>(r, {"REDUCE_WINDOW", "REDUCE_WINDOW(x, first, window, strides, dilations)", after});
}

}  // namespace mo::tflite
