// Pooling. Caffe rounds the number of places up and, where there are pads, leaves out a last one that would
// lie in the padding altogether; mean values count the pads, but not what a last window has beyond them. The
// runtime divides by the whole kernel where there are pads: zeros around the data leave it without.
#include "support/registering.hpp"

namespace mo::caffe {

namespace pooling {

struct Windows {
  Ints kernel, strides, pads_begin, pads_end;
  std::string rounding = "ceil";
};

static Ints pair(const SourceNode& l, std::string_view name, std::string_view stem, int64_t fallback) {
  const std::string p = "pooling_param.", h = text(p, stem, "_h"), w = text(p, stem, "_w");
  if (is_set(l, h) || is_set(l, w)) {
    require(!is_set(l, text(p, name)), "'", name, "' and '", stem,
            "_h' are both there; expected one of them");
    return {integer(l, h, fallback), integer(l, w, fallback)};
  }
  return Ints(2, integer(l, text(p, name), fallback));
}

static bool rounds_up(const SourceNode& l) {
  if (word(l, "pooling_param.round_mode", "CEIL") == "FLOOR") return false;
  return flag(l, "pooling_param.ceil_mode", true);
}

// Pads at the end become smaller where the last place would lie in them.
static void leave_out_last(Windows& w, const Shape& s) {
  for (size_t i = 0; i < 2; ++i) {
    if (w.pads_begin[i] == 0) continue;
    if (!s.has_rank() || !s[i + 2].is_static()) {
      w.rounding = "ceil_torch";
      continue;
    }
    const int64_t size = s[i + 2].value(), room = size + 2 * w.pads_begin[i] - w.kernel[i],
                  step = w.strides[i];
    if (room < 0 || room % step == 0) continue;
    const int64_t places = room / step + 2;
    if ((places - 1) * step < size + w.pads_begin[i]) continue;
    require(w.pads_end[i] >= room % step,
            "its stride is larger than its kernel, which is not supported with pads");
    w.pads_end[i] -= room % step;
  }
}

static Windows windows(const SourceNode& l, const OutPort& x) {
  Windows w{pair(l, "kernel_size", "kernel", 0),
            pair(l, "stride", "stride", 1),
            pair(l, "pad", "pad", 0),
            {},
            "ceil"};
  w.pads_end = w.pads_begin;
  for (size_t i = 0; i < 2; ++i) {
    require(w.kernel[i] > 0 && w.kernel[i] <= INT32_MAX, "the size of its kernel is missing");
    require(w.strides[i] > 0 && w.strides[i] <= INT32_MAX, "its stride is ", w.strides[i]);
    require(w.pads_begin[i] < w.kernel[i], "its pad is ", w.pads_begin[i],
            "; expected less than the kernel, ", w.kernel[i]);
  }
  if (!rounds_up(l))
    w.rounding = "floor";
  else
    leave_out_last(w, shape_of(x));
  return w;
}

static OutPort with_zeros(const Build& b, const OutPort& x, Windows& w) {
  const Ints before{0, 0, w.pads_begin[0], w.pads_begin[1]}, behind{0, 0, w.pads_end[0], w.pads_end[1]};
  const Node n = b.node("Pad", "opset1", {x, b.list(before), b.list(behind), b.number(0)});
  n.set("pad_mode", "constant");
  w.pads_begin = w.pads_end = Ints(2, 0);
  return n.out_port();
}

static OutPort global(const Build& b, const OutPort& x, bool largest) {
  const size_t rank = rank_of(x);
  Ints axes;
  for (size_t i = 2; i < rank; ++i) axes.push_back(static_cast<int64_t>(i));
  const Node n = b.node(largest ? "ReduceMax" : "ReduceMean", "opset1", {x, b.list(axes)});
  n.set("keep_dims", true);
  return n.out_port();
}

static OutPort mean(const Build& b, const OutPort& x, const Windows& w) {
  const Node n = b.node("AvgPool", w.rounding == "ceil_torch" ? "opset14" : "opset1", {x});
  n.set("kernel", w.kernel).set("strides", w.strides).set("rounding_type", w.rounding);
  n.set("pads_begin", w.pads_begin).set("pads_end", w.pads_end).set("exclude-pad", false);
  return n.out_port();
}

// Has the last window more than the data and its pads?
static bool may_reach_beyond(const Windows& w, const Shape& s) {
  for (size_t i = 0; i < 2; ++i) {
    if (w.strides[i] == 1) continue;
    if (!s.has_rank() || !s[i + 2].is_static()) return true;
    if ((s[i + 2].value() + w.pads_begin[i] + w.pads_end[i] - w.kernel[i]) % w.strides[i] != 0) return true;
  }
  return false;
}

static OutPort means(const Build& b, const OutPort& x, const Windows& stated) {
  const bool padded = stated.pads_begin != Ints{0, 0} || stated.pads_end != Ints{0, 0};
  if (!padded || stated.rounding == "floor" || !may_reach_beyond(stated, shape_of(x)))
    return mean(b, x, stated);
  Windows w = stated;
  const OutPort zeros = with_zeros(b, x, w), y = mean(b, zeros, w);
  if (stated.rounding != "ceil_torch") return y;
  // A window that begins in the pads at the end counts for AvgPool of the padded blob, but not here.
  const Node cut = b.node("StridedSlice", "opset1",
                          {y, b.list(Ints(4, 0)), b.shape_of(mean(b, x, stated)), b.list(Ints(4, 1))});
  cut.set("begin_mask", Ints(4, 1)).set("end_mask", Ints(4, 0));
  return cut.out_port();
}

static Ports pool(Build& b, const SourceNode& l) {
  const std::string method = word(l, "pooling_param.pool", "MAX");
  require(method == "MAX" || method == "AVE", "a pooling '", method, "' is not supported");
  const OutPort x = bottom(l, 0);
  const bool largest = method == "MAX", places = l.out_count() > 1 && b.wants(1);
  if (flag(l, "pooling_param.global_pooling", false)) {
    require(!places, "places of the largest elements of a global pooling are not supported");
    return {global(b, x, largest)};
  }
  const Shape s = shape_of(x);
  require(!s.has_rank() || s.rank() == 4, "it reads a blob of shape ", s, "; expected 4 dimensions");
  const Windows w = windows(l, x);
  const bool torch = w.rounding == "ceil_torch";
  require(largest || !places, "only a pooling by the largest element has a second output");
  if (!largest) return {means(b, x, w)};
  const bool newer = places || torch;
  const Node n = b.node("MaxPool", torch ? "opset14" : places ? "opset8" : "opset1", {x}, newer ? 2 : 1);
  n.set("kernel", w.kernel)
      .set("strides", w.strides)
      .set("pads_begin", w.pads_begin)
      .set("pads_end", w.pads_end);
  n.set("rounding_type", w.rounding);
  if (newer) n.set("dilations", Ints{1, 1}).set("index_element_type", ElementType::i64).set("axis", 2);
  if (!places) return {n.out_port()};
  return {n.out_port(), b.convert(n.out_port(1), ElementType::f32)};
}

}  // namespace pooling

void register_pooling(Registry& r) {
  convert<pooling::pool>(r, "Pooling", "Pooling(x, pool)",
                         "MaxPool(x), AvgPool(x), ReduceMax(x), ReduceMean(x)");
}

}  // namespace mo::caffe
