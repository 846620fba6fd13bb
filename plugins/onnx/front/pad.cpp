#include "support/build.hpp"

namespace mo::onnx {

namespace padding {

static std::string mode_of(const SourceNode& n) {
  const auto mode = n.native("mode", "constant");
  if (mode == "constant" || mode == "wrap" || mode == "reflect" || mode == "edge") return mode;
  fail("attribute 'mode' is '", mode, "', expected constant, reflect, edge or wrap");
}

static OutPort pad(const Build& b, const SourceNode& n, const OutPort& begin, const OutPort& end,
                   const OutPort& value) {
  Ports inputs{b.in(0), begin, end};
  if (value && mode_of(n) == "constant") inputs.push_back(value);
  return b.node("Pad", "opset1", inputs).set("pad_mode", mode_of(n)).out_port();
}

// Negative entries cut off.
static OutPort crop(const Build& b, const OutPort& x, const Ints& begin, const Ints& end) {
  Ints from, to, end_mask;
  for (size_t i = 0; i < begin.size(); ++i) {
    from.push_back(std::max<int64_t>(0, -begin[i]));
    to.push_back(std::min<int64_t>(0, end[i]));
    end_mask.push_back(end[i] < 0 ? 0 : 1);
  }
  const Ints none(begin.size(), 0);
  const Node s =
      b.node("StridedSlice", "opset1", {x, b.list(from), b.list(to), b.list(Ints(begin.size(), 1))});
  s.set("begin_mask", none).set("end_mask", end_mask);
  s.set("new_axis_mask", none).set("shrink_axis_mask", none).set("ellipsis_mask", none);
  return s.out_port();
}

// Elements from the other end: indices that go round. The pads of an axis are scalars.
static OutPort wrap(const Build& b, const OutPort& x, int64_t axis, const OutPort& begin,
                    const OutPort& end) {
  const OutPort size = b.squeeze(b.dim(x, axis), {0});
  const OutPort first = b.op("Negative", "opset1", {begin}), last = b.add(size, end);
  const OutPort places = b.op("FloorMod", "opset1", {b.range(first, last, 1), size});
  return b.node("Gather", "opset8", {x, places, b.integer(axis)}).set("batch_dims", 0).out_port();
}

static Ports wrap_by_numbers(const Build& b, const SourceNode& n, const Ints& begin, const Ints& end) {
  OutPort x = b.in(0);
  for (size_t i = 0; i < begin.size(); ++i)
    if (begin[i] != 0 || end[i] != 0)
      x = wrap(b, x, static_cast<int64_t>(i), b.integer(begin[i]), b.integer(end[i]));
  return begin == Ints(begin.size(), 0) && end == begin ? bypass(n, x) : Ports{x};
}

// Whatever the rank is: whole copies before and behind, as many as the pads reach into, and a part of all.
static OutPort wrap_by_copies(const Build& b, const OutPort& begin, const OutPort& end) {
  const OutPort x = b.in(0), sizes = b.shape_of(x), one = b.integer(1);
  const auto copies = [&](const OutPort& pads) {
    const OutPort whole = b.op("Divide", "opset1", {b.add(pads, b.subtract(sizes, one)), sizes});
    return b.op("Maximum", "opset1", {whole, b.integer(0)});
  };
  const OutPort before = copies(begin), behind = copies(end);
  const OutPort all = b.op("Tile", "opset1", {x, b.add(b.add(before, one), behind)});
  const OutPort first = b.subtract(b.multiply(before, sizes), begin);
  const OutPort length = b.add(b.add(sizes, begin), end);
  const Node steps = b.node("Broadcast", "opset3", {one, b.shape_of(first)});
  steps.set("mode", "numpy");
  return b.op("Slice", "opset8", {all, first, b.add(first, length), steps.out_port()});
}

static Ports wrap_by_lists(const Build& b, const OutPort& begin, const OutPort& end) {
  const Shape s = b.in(0).shape();
  if (!s.has_rank()) return {wrap_by_copies(b, begin, end)};
  OutPort x = b.in(0);
  for (int64_t i = 0; i < s.rank(); ++i) {
    const auto entry = [&](const OutPort& list) { return b.squeeze(b.part(list, i, i + 1), {0}); };
    x = wrap(b, x, i, entry(begin), entry(end));
  }
  return {x};
}

static Ports pad_by_numbers(const Build& b, const SourceNode& n, const Ints& pads, const OutPort& value) {
  require(pads.size() % 2 == 0, "pads have ", pads.size(), " entries, expected two for each dimension");
  const auto half = static_cast<std::ptrdiff_t>(pads.size() / 2);
  Ints begin(pads.begin(), pads.begin() + half), end(pads.begin() + half, pads.end());
  if (mode_of(n) == "wrap") return wrap_by_numbers(b, n, begin, end);
  const Ints all_begin = begin, all_end = end;
  const auto negative = [](int64_t v) { return v < 0; };
  const bool crops = std::any_of(pads.begin(), pads.end(), negative);
  std::replace_if(begin.begin(), begin.end(), negative, 0);
  std::replace_if(end.begin(), end.end(), negative, 0);
  const OutPort padded = pad(b, n, b.list(begin), b.list(end), value);
  return {crops ? crop(b, padded, all_begin, all_end) : padded};
}

// From version 18 on pads may be for some axes only.
static OutPort spread(const Build& b, const OutPort& pads, const OutPort& axes) {
  const Node zeros = b.node("Broadcast", "opset3", {b.integer(0), b.reshape(b.rank(b.in(0)), {1})});
  zeros.set("mode", "numpy");
  // Negative axes count from the end.
  const OutPort places = b.op("FloorMod", "opset1", {b.convert(axes, ElementType::i64), b.rank(b.in(0))});
  return b.op("ScatterElementsUpdate", "opset3", {zeros.out_port(), places, pads, b.integer(0)});
}

}  // namespace padding

static Ports pad_by_attributes(Build& b, const SourceNode& n) {
  const auto pads = n.native<Ints>(n.version() < 2 ? "paddings" : "pads");
  const double value = n.native("value", 0.0);
  return padding::pad_by_numbers(b, n, pads, value == 0 ? OutPort() : b.like(b.in(0), value));
}

static Ports pad(Build& b, const SourceNode& n) {
  if (n.version() < 11) return pad_by_attributes(b, n);
  const OutPort value = b.has(2) ? as_scalar(b, b.in(2)) : OutPort();
  const auto pads = b.ints(1), axes = b.ints(3);
  if (pads && !b.has(3)) return padding::pad_by_numbers(b, n, *pads, value);
  const Shape shape = b.in(0).shape();
  if (pads && axes && shape.has_rank()) {
    Ints all(2 * shape.size(), 0);
    require(pads->size() == 2 * axes->size(), "pads have ", pads->size(), " entries for ", axes->size(),
            " axes");
    for (size_t i = 0; i < axes->size(); ++i) {
      const size_t a = normalize_axis((*axes)[i], shape.size());
      all[a] = (*pads)[i];
      all[shape.size() + a] = (*pads)[axes->size() + i];
    }
    return padding::pad_by_numbers(b, n, all, value);
  }
  const Node halves = b.node("Split", "opset1", {b.convert(b.in(1), ElementType::i64), b.integer(0)}, 2);
  halves.set("num_splits", 2);
  OutPort begin = halves.out_port(0), end = halves.out_port(1);
  if (b.has(3)) {
    begin = padding::spread(b, begin, b.in(3));
    end = padding::spread(b, end, b.in(3));
  }
  if (padding::mode_of(n) == "wrap") return padding::wrap_by_lists(b, begin, end);
  return {padding::pad(b, n, begin, end, value)};
}

void register_pad(Registry& r) {
  replace<pad>(r, {"Pad", "Pad(x, pads, value)", "Pad(x, pads_begin, pads_end, value)"});
}

}  // namespace mo::onnx
