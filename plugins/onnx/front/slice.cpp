// Slice becomes StridedSlice, which needs an entry for each dimension up to the last one that is cut. Axes
// counted from the end stand behind an ellipsis. Axes that are not constant need Slice of opset8.
#include "support/build.hpp"
#include "support/early_rank.hpp"

namespace mo::onnx {

namespace slicing {

struct Bounds {
  OutPort starts, ends, steps;  // lists of equal length
  Ints axes;
};

static bool reaches_end(int64_t end, int64_t step) {
  return step > 0 ? end >= INT32_MAX : end <= -INT32_MAX;  // exporters write the limits of either type
}

// The entries of a list, one for each of some axes.
class Entries {
 public:
  Entries(const Build& b, const OutPort& list, size_t count)
      : b_(b), list_(list), count_(static_cast<int>(count)) {
    if (const auto v = list.value()) known_ = v->to_ints();
  }
  const std::optional<Ints>& known() const { return known_; }
  // The list in another order, with fillers where `order` is negative.
  OutPort arranged(const std::vector<int>& order, int64_t filler) const {
    if (known_) {
      Ints values;
      for (const int i : order) values.push_back(i < 0 ? filler : (*known_)[static_cast<size_t>(i)]);
      return b_.list(values);
    }
    const OutPort list = b_.convert(list_, ElementType::i64);
    Ports parts;
    for (size_t i = 0; i < order.size();) {
      const int first = order[i];
      int n = 1;
      while (i + static_cast<size_t>(n) < order.size() && order[i + static_cast<size_t>(n)] == first + n &&
             first >= 0)
        ++n;
      i += static_cast<size_t>(n);
      parts.push_back(first < 0 ? b_.list({filler}) : n == count_ ? list : b_.part(list, first, first + n));
    }
    return b_.concat(parts);
  }

 private:
  const Build& b_;
  OutPort list_;
  int count_;
  std::optional<Ints> known_;
};

static std::vector<int> order_of(const Ints& axes, int& ellipsis) {
  int64_t front = 0, back = 0;
  for (const int64_t a : axes) {
    front = std::max(front, a + 1);
    back = std::max(back, -a);
  }
  ellipsis = back > 0 ? static_cast<int>(front) : -1;
  std::vector<int> order(static_cast<size_t>(front + back + (back > 0 ? 1 : 0)), -1);
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto at = axes[i] >= 0 ? axes[i] : static_cast<int64_t>(order.size()) + axes[i];
    int& entry = order[static_cast<size_t>(at)];
    require(entry == -1, "axes ", axes, " have an entry twice");
    entry = static_cast<int>(i);
  }
  return order;
}

static OutPort strided(const Build& b, const OutPort& x, const Bounds& s) {
  int ellipsis = -1;
  const auto order = order_of(s.axes, ellipsis);
  const size_t count = s.axes.size();
  const Entries starts(b, s.starts, count), ends(b, s.ends, count), steps(b, s.steps, count);
  Ints begin_mask, end_mask, ellipsis_mask;
  for (size_t i = 0; i < order.size(); ++i) {
    const int entry = order[i];
    const auto k = static_cast<size_t>(entry);
    const bool open =
        entry >= 0 && ends.known() && steps.known() && reaches_end((*ends.known())[k], (*steps.known())[k]);
    begin_mask.push_back(entry < 0 ? 1 : 0);  // 1: from the start
    end_mask.push_back(entry < 0 || open ? 1 : 0);
    ellipsis_mask.push_back(static_cast<int>(i) == ellipsis ? 1 : 0);
  }
  const Node n = b.node("StridedSlice", "opset1",
                        {x, starts.arranged(order, 0), ends.arranged(order, 0), steps.arranged(order, 1)});
  n.set("begin_mask", begin_mask).set("end_mask", end_mask).set("ellipsis_mask", ellipsis_mask);
  n.set("new_axis_mask", Ints(order.size(), 0)).set("shrink_axis_mask", Ints(order.size(), 0));
  return n.out_port();
}

// A positive and a negative axis that cross need the rank to be put in order: one after the other.
static OutPort strided_by_sign(const Build& b, const OutPort& x, const Bounds& s) {
  int64_t front = 0, back = 0;
  for (const int64_t axis : s.axes) {
    const int64_t a = checked_axis(axis, "an entry of 'axes'");
    front = std::max(front, a + 1);
    back = std::max(back, -a);
  }
  const Shape shape = x.shape();
  if (front == 0 || back == 0 || (shape.has_rank() && front + back <= shape.rank())) return strided(b, x, s);
  OutPort cut = x;
  for (const bool negative : {false, true}) {
    Bounds half;
    std::vector<int> order;
    for (size_t i = 0; i < s.axes.size(); ++i) {
      if ((s.axes[i] < 0) != negative) continue;
      order.push_back(static_cast<int>(i));
      half.axes.push_back(s.axes[i]);
    }
    half.starts = Entries(b, s.starts, s.axes.size()).arranged(order, 0);
    half.ends = Entries(b, s.ends, s.axes.size()).arranged(order, 0);
    half.steps = Entries(b, s.steps, s.axes.size()).arranged(order, 0);
    cut = strided(b, cut, half);
  }
  return cut;
}

static Ints first_axes(size_t count) {
  Ints axes;
  for (size_t i = 0; i < count; ++i) axes.push_back(static_cast<int64_t>(i));
  return axes;
}

}  // namespace slicing

static Ports slice_by_attributes(Build& b, const SourceNode& n) {
  const auto starts = n.native<Ints>("starts"), ends = n.native<Ints>("ends");
  auto axes = n.find_native<Ints>("axes").value_or(Ints{});
  if (axes.empty()) axes = slicing::first_axes(starts.size());
  require(starts.size() == ends.size() && axes.size() == starts.size(),
          "attributes 'starts', 'ends' and 'axes' differ in length");
  if (axes.empty()) return bypass(n, b.in(0));
  return {slicing::strided_by_sign(b, b.in(0),
                                   {b.list(starts), b.list(ends), b.list(Ints(starts.size(), 1)), axes})};
}

static Ports slice(Build& b, const SourceNode& n) {
  if (n.version() < 10) return slice_by_attributes(b, n);
  const OutPort starts = b.in(1), ends = b.in(2);
  std::optional<size_t> count;
  for (const OutPort& list : {starts, ends})
    if (const Shape s = list.shape(); s.is_static() && s.rank() == 1)
      count = static_cast<size_t>(s[0].value());
  auto axes = b.ints(3);
  if (!b.has(3) && count) axes = slicing::first_axes(*count);
  if (axes) {
    if (axes->empty()) return bypass(n, b.in(0));
    for (const OutPort& list : {starts, ends})
      if (const auto v = list.value())
        require(v->size() == axes->size(), "starts, ends and axes differ in length: ", v->size(), " and ",
                axes->size());
    const OutPort steps = b.has(4) ? b.in(4) : b.list(Ints(axes->size(), 1));
    if (const auto v = steps.value()) require(v->size() == axes->size(), "steps and axes differ in length");
    return {slicing::strided_by_sign(b, b.in(0), {starts, ends, steps, *axes})};
  }
  const OutPort ones =
      b.node("Broadcast", "opset3", {b.integer(1), b.shape_of(starts)}).set("mode", "numpy").out_port();
  const OutPort steps = b.has(4) ? b.in(4) : b.op("ConvertLike", "opset1", {ones, starts});
  Ports inputs{b.in(0), starts, ends, steps};
  if (b.has(3)) inputs.push_back(b.in(3));
  return {b.op("Slice", "opset8", inputs)};
}

void register_slice(Registry& r) {
  says_rank({"Slice"}, Rank::kept);
  replace<slice>(r, {"Slice", "Slice(x, starts, ends, axes, steps)", "StridedSlice(x, begin, end, stride)"});
}

}  // namespace mo::onnx
