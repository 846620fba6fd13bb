// Parts of tensors, and reversed ones: all become StridedSlice.
#include "support/known.hpp"

namespace mo::tensorflow {

namespace slicing {

struct Masks {
  Ints begin, end, new_axis, shrink_axis, ellipsis;
};

static OutPort strided(const Build& b, const OutPort& x, const OutPort& begin, const OutPort& end,
                       const OutPort& stride, const Masks& m) {
  const Node s = b.node("StridedSlice", "opset1", {x, begin, end, stride});
  s.set("begin_mask", m.begin).set("end_mask", m.end).set("new_axis_mask", m.new_axis);
  s.set("shrink_axis_mask", m.shrink_axis).set("ellipsis_mask", m.ellipsis);
  return s.out_port();
}

static std::optional<size_t> entries(const Build& b, std::initializer_list<size_t> inputs) {
  for (const size_t i : inputs)
    if (const auto n = known_length(b.in(i))) return n;
  b.graph().infer_marked();
  for (const size_t i : inputs)
    if (const auto n = known_length(b.in(i))) return n;
  return std::nullopt;
}

// Bits from the lowest one on; as many as there are entries, or up to the highest one that is set.
static Ints bits_of(int64_t mask, std::optional<size_t> count) {
  Ints list;
  for (size_t i = 0; i < 32 && (count ? i < *count : i == 0 || mask >> i != 0); ++i)
    list.push_back((mask >> i) & 1);
  return list;
}

// The whole of a dimension from its end; behind an ellipsis where it is counted from there.
static OutPort reversed(const Build& b, const OutPort& x, int64_t axis) {
  require(axis >= -64 && axis < 64, "the axis is ", axis);
  const auto n = static_cast<size_t>(axis < 0 ? 1 - axis : axis + 1);
  const size_t at = axis < 0 ? 1 : static_cast<size_t>(axis);
  Ints stride(n, 1);
  Masks m{Ints(n, 1), Ints(n, 1), Ints(n, 0), Ints(n, 0), Ints(n, 0)};
  stride[at] = -1;
  if (axis < 0) m.ellipsis[0] = 1;
  return strided(b, x, b.list(Ints(n, 0)), b.list(Ints(n, 0)), b.list(stride), m);
}

}  // namespace slicing

static Ports strided_slice(Build& b, const SourceNode& n) {
  const auto count = slicing::entries(b, {1, 2, 3});
  if (count == size_t{0}) return bypass(n, b.in(0));
  const int64_t added = n.native("new_axis_mask", 0), shrunk = n.native("shrink_axis_mask", 0),
                ellipsis = n.native("ellipsis_mask", 0);
  // One element is taken by its number, whether or not the ends are masked.
  const int64_t numbered = shrunk & ~added & ~ellipsis;
  const auto mask = [&](int64_t m) { return slicing::bits_of(m, count); };
  return {slicing::strided(
      b, b.in(0), b.in(1), b.in(2), b.in(3),
      {mask(n.native("begin_mask", 0) & ~numbered), mask(n.native("end_mask", 0) & ~numbered), mask(added),
       mask(shrunk), mask(ellipsis)})};
}

// A size of -1 reaches to the end.
static Ports slice(Build& b, const SourceNode& n) {
  const OutPort begin = b.in(1), size = b.in(2);
  const auto sizes = constant_ints(b, 2), begins = constant_ints(b, 1);
  const auto count = sizes ? std::optional(sizes->size()) : slicing::entries(b, {1, 2});
  if (count == size_t{0}) return bypass(n, b.in(0));
  const Ints none(count.value_or(1), 0), ones(count.value_or(1), 1);
  slicing::Masks m{none, none, none, none, none};
  const ElementType type = begin.type() != ElementType::unknown ? begin.type() : ElementType::i32;
  OutPort end, stride;
  if (sizes) {
    for (size_t i = 0; i < sizes->size(); ++i) m.end[i] = (*sizes)[i] == -1 ? 1 : 0;
    stride = b.list(ones);
    if (begins && begins->size() == sizes->size()) {
      Ints ends(sizes->size());
      for (size_t i = 0; i < ends.size(); ++i) {
        const bool far = (*sizes)[i] > INT32_MAX || (*begins)[i] > INT32_MAX;
        ends[i] = m.end[i] != 0 ? 0 : far ? INT32_MAX : (*begins)[i] + (*sizes)[i];
      }
      return {slicing::strided(b, b.in(0), b.list(*begins), b.list(ends), stride, m)};
    }
    end = b.add(begin, size);
    stride = b.constant(Tensor::filled(b.context(), type, std::vector<double>(ones.begin(), ones.end()),
                                       {static_cast<int64_t>(ones.size())}));
  } else {
    // Up to the size itself: a number that is larger than any would do, but CPUs of older runtimes choose
    // integers as floats, which makes the largest a negative one.
    const OutPort whole = b.op("Equal", "opset1", {size, b.like(begin, -1)});
    end = b.select(whole, b.convert(b.shape_of(b.in(0)), type), b.add(begin, size));
    const Node one = b.node("Broadcast", "opset3", {b.like(begin, 1), b.shape_of(begin)});
    one.set("mode", "numpy");
    stride = one.out_port();
  }
  return {slicing::strided(b, b.in(0), begin, end, stride, m)};
}

static Ports reverse_axes(Build& b, const SourceNode& n) {
  OutPort x = b.in(0);
  const Ints axes = required_ints(b, 1, "the axes");
  if (axes.empty()) return bypass(n, x);
  for (const int64_t a : axes) x = slicing::reversed(b, x, a);
  return {x};
}

// A flag for each dimension.
static Ports reverse_flagged(Build& b, const SourceNode& n) {
  OutPort x = b.in(0);
  const Ints flags = required_ints(b, 1, "the dimensions that are reversed");
  if (std::find(flags.begin(), flags.end(), 1) == flags.end()) return bypass(n, x);
  for (size_t i = 0; i < flags.size(); ++i)
    if (flags[i] != 0) x = slicing::reversed(b, x, static_cast<int64_t>(i));
  return {x};
}

void register_slicing(Registry& r) {
  replace<strided_slice>(
      r, {"StridedSlice", "StridedSlice(x, begin, end, stride)", "StridedSlice(x, begin, end, stride)"});
  replace<slice>(r, {"Slice", "Slice(x, begin, size)", "StridedSlice(x, begin, Add(begin, size), 1)"});
  replace_late<reverse_axes>(r, {"ReverseV2", "ReverseV2(x, axes)", "StridedSlice(x) with stride -1"});
  replace_late<reverse_flagged>(r, {"Reverse", "Reverse(x, flags)", "StridedSlice(x) with stride -1"});
}

}  // namespace mo::tensorflow
