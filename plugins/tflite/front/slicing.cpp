// Parts of tensors.
#include "support/slices.hpp"

namespace mo::tflite {

namespace slicing {

struct Masks {
  Ints begin, end, new_axis = {}, shrink_axis = {}, ellipsis = {};
};

static OutPort strided(const Build& b, const OutPort& x, const OutPort& begin, const OutPort& end,
                       const OutPort& stride, const Masks& m) {
  const Node s = b.node("StridedSlice", "opset1", {x, begin, end, stride});
  const auto or_zeros = [&](const Ints& list) { return list.empty() ? Ints(m.begin.size(), 0) : list; };
  s.set("begin_mask", m.begin).set("end_mask", m.end).set("new_axis_mask", or_zeros(m.new_axis));
  s.set("shrink_axis_mask", or_zeros(m.shrink_axis)).set("ellipsis_mask", or_zeros(m.ellipsis));
  return s.out_port();
}

static Ints bits_of(int64_t mask, size_t count) {
  Ints list;
  for (size_t i = 0; i < count; ++i) list.push_back((mask >> i) & 1);
  return list;
}

// The length of a list, as the file states it.
static size_t length(const SourceNode& n, size_t input) {
  const int64_t length = stated_dim(n, input, 0);
  require(length >= 0 && length <= 32, "input ", input, " has ", length, " entries, expected at most 32");
  return static_cast<size_t>(length);
}

// The whole of a dimension from its end; behind an ellipsis where it is counted from there.
static OutPort reversed(const Build& b, const OutPort& x, int64_t axis) {
  require(axis >= -64 && axis < 64, "the axis is ", axis);
  const auto n = static_cast<size_t>(axis < 0 ? 1 - axis : axis + 1);
  const size_t at = axis < 0 ? 1 : static_cast<size_t>(axis);
  Ints stride(n, 1), ellipsis(n, 0);
  stride[at] = -1;
  if (axis < 0) ellipsis[0] = 1;
  return strided(b, x, b.list(Ints(n, 0)), b.list(Ints(n, 0)), b.list(stride),
                 {Ints(n, 1), Ints(n, 1), {}, {}, ellipsis});
}

// Parts of `x` that the outputs are.
static Ports parts_of(const Build& b, const SourceNode& n, const Node& split, int64_t axis) {
  Ports parts;
  for (size_t i = 0; i < n.out_count(); ++i)
    parts.push_back(b.wants(i) ? b.squeeze(split.out_port(i), {axis}) : OutPort());
  return parts;
}

}  // namespace slicing

static Ports strided_slice(Build& b, const SourceNode& n) {
  const size_t count = slicing::length(n, 1);
  if (count == 0) return bypass(n, b.in(0));
  const int64_t added = n.native("new_axis_mask", 0), shrunk = n.native("shrink_axis_mask", 0),
                ellipsis = n.native("ellipsis_mask", 0);
  // One element is taken by its number, whether or not the ends are masked.
  const int64_t numbered = shrunk & ~added & ~ellipsis;
  const auto mask = [&](int64_t m) { return slicing::bits_of(m, count); };
  const bool offset = n.native("offset", false);
  const OutPort end = offset ? op1(b, "Add", {b.in(1), b.in(2)}) : b.in(2);
  return {slicing::strided(
      b, b.in(0), b.in(1), end, b.in(3),
      {mask(n.native("begin_mask", 0) & ~numbered), mask(n.native("end_mask", 0) & ~numbered), mask(added),
       mask(shrunk), mask(ellipsis)})};
}

// A size of -1 reaches to the end.
static Ports slice(Build& b, const SourceNode& n) {
  const OutPort begin = b.in(1), size = b.in(2);
  const size_t count = slicing::length(n, 1);
  if (count == 0) return bypass(n, b.in(0));
  const Ints none(count, 0);
  const OutPort ones = b.list(Ints(count, 1));
  if (const auto sizes = b.ints(2)) {
    Ints whole(count, 0);
    require(sizes->size() == count, "it has ", count, " begins, but ", sizes->size(), " sizes");
    for (size_t i = 0; i < count; ++i) whole[i] = (*sizes)[i] == -1 ? 1 : 0;
    const auto begins = b.ints(1);
    if (!begins)
      return {slicing::strided(b, b.in(0), begin, op1(b, "Add", {begin, size}), ones, {none, whole})};
    Ints ends(count);
    for (size_t i = 0; i < count; ++i) {
      const bool far = (*sizes)[i] > INT32_MAX || (*begins)[i] > INT32_MAX;
      ends[i] = whole[i] != 0 ? 0 : far ? INT32_MAX : (*begins)[i] + (*sizes)[i];
    }
    return {slicing::strided(b, b.in(0), b.list(*begins), b.list(ends), ones, {none, whole})};
  }
  // Not a number that is larger than any: CPUs of older runtimes choose integers as floats.
  const OutPort whole = op1(b, "Equal", {size, b.like(begin, -1)});
  const OutPort sizes = b.convert(b.shape_of(b.in(0)), begin.type());
  const OutPort end = b.select(whole, sizes, op1(b, "Add", {begin, size}));
  return {slicing::strided(b, b.in(0), begin, end, ones, {none, none})};
}

static Ports reverse(Build& b, const SourceNode& n) {
  OutPort x = b.in(0);
  const Ints axes = constant_ints(b, 1, "the axes");
  if (axes.empty()) return bypass(n, x);
  require(axes.size() <= 64, "it has ", axes.size(), " axes");
  for (const int64_t a : axes) x = slicing::reversed(b, x, a);
  return {x};
}

static Ports split(Build& b, const SourceNode& n) {
  const auto count = static_cast<uint32_t>(n.out_count());
  if (count == 1) return bypass(n, b.in(1));
  const Node s = b.node("Split", "opset1", {b.in(1), b.integer(constant_int(b, 0, "the axis"))}, count);
  s.set("num_splits", int64_t{count});
  return s.out_ports();
}

static Ports split_v(Build& b, const SourceNode& n) {
  const auto count = static_cast<uint32_t>(n.out_count());
  if (count == 1) return bypass(n, b.in(0));
  const OutPort axis = b.integer(constant_int(b, 2, "the axis"));
  return b.node("VariadicSplit", "opset1", {b.in(0), axis, b.in(1)}, count).out_ports();
}

static Ports unpack(Build& b, const SourceNode& n) {
  const auto axis = n.native("axis", 0);
  const auto count = static_cast<uint32_t>(n.out_count());
  if (count == 1) return {b.squeeze(b.in(0), {axis})};
  const Node s = b.node("Split", "opset1", {b.in(0), b.integer(axis)}, count);
  s.set("num_splits", int64_t{count});
  return slicing::parts_of(b, n, s, axis);
}

static Ports take(Build& b, const SourceNode& n) {
  return {b.gather(b.in(0), b.in(1), n.native("axis", 0), n.native("batch_dims", 0))};
}

static Ports embedding(Build& b, const SourceNode&) { return {b.gather(b.in(1), b.in(0), 0)}; }

static Ports update_slice(Build& b, const SourceNode&) {
  return {updated(b, b.in(0), b.in(1), b.convert(b.in(2), ElementType::i64))};
}

void register_slicing(Registry& r) {
  replace<strided_slice>(
      r, {"STRIDED_SLICE", "STRIDED_SLICE(x, begin, end, stride)", "StridedSlice(x, begin, end, stride)"});
  replace<slice>(r, {"SLICE", "SLICE(x, begin, size)", "StridedSlice(x, begin, Add(begin, size), 1)"});
  replace<reverse>(r, {"REVERSE_V2", "REVERSE_V2(x, axes)", "StridedSlice(x) with stride -1"});
  replace<split>(r, {"SPLIT", "SPLIT(axis, x)", "Split(x, axis)"});
  replace<split_v>(r, {"SPLIT_V", "SPLIT_V(x, lengths, axis)", "VariadicSplit(x, axis, lengths)"});
  replace<unpack>(r, {"UNPACK", "UNPACK(x)", "Squeeze(Split(x))"});
  replace<take>(r, {"GATHER", "GATHER(x, indices)", "Gather(x, indices, axis)"});
  replace<embedding>(r, {"EMBEDDING_LOOKUP", "EMBEDDING_LOOKUP(ids, x)", "Gather(x, ids, 0)"});
  replace<update_slice>(
      r, {"DYNAMIC_UPDATE_SLICE", "DYNAMIC_UPDATE_SLICE(x, y, begin)", "Select(Pad(1), Pad(y), x)"});
}

}  // namespace mo::tflite
