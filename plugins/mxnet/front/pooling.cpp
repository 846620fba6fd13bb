// Pooling: the number of places is rounded down (valid) or up (full), or follows from the stride alone
// (same).
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/windows.hpp"

namespace mo::mxnet {

namespace pooling {

struct Pads {
  Ints begin, end;
  std::string rounding = "floor";
};

// The last window of `full` begins inside of what is padded, or there would be none: the operation leaves it
// out otherwise. Where sizes are known the pads at the end say the same.
static Pads pads(const Build& b, const SourceNode& n, const Windows& w, const OutPort& x) {
  Pads p{w.pads, w.pads, "floor"};
  const auto convention = n.native("pooling_convention", "valid");
  if (convention == "valid") return p;
  require(convention == "full" || convention == "same", "attribute 'pooling_convention' is '", convention,
          "'; expected valid, full or same");
  if (convention == "full") {
    p.rounding = "ceil";
    return p;
  }
  for (size_t i = 0; i < w.kernel.size(); ++i) {
    require(w.pads[i] == 0, "pads with the convention 'same' are not supported");
    const int64_t size = dim_of(b, x, i + 2), places = (size + w.strides[i] - 1) / w.strides[i];
    p.end[i] = std::max<int64_t>(0, (places - 1) * w.strides[i] + w.kernel[i] - size);
  }
  return p;
}

static Node pooled(const Build& b, std::string_view type, const OutPort& x, const Windows& w, const Pads& p) {
  const Node n = b.node(type, "opset1", {x});
  n.set("kernel", w.kernel).set("strides", w.strides).set("rounding_type", p.rounding);
  n.set("pads_begin", p.begin).set("pads_end", p.end);
  return n;
}

// Padded by nodes of its own where a window may reach beyond what is padded: what counts is inside of it. A
// last window of `full` reaches beyond.
static OutPort mean_with_pads(const Build& b, const OutPort& x, const Windows& w, Pads p) {
  const bool padded = std::any_of(p.begin.begin(), p.begin.end(), [](int64_t v) { return v != 0; });
  OutPort source = x;
  if (padded && p.rounding == "ceil") {
    Ints begin{0, 0}, end{0, 0};
    begin.insert(begin.end(), p.begin.begin(), p.begin.end());
    end.insert(end.end(), p.end.begin(), p.end.end());
    const Node pad = b.node("Pad", "opset1", {x, b.list(begin), b.list(end), b.like(x, 0)});
    pad.set("pad_mode", "constant");
    source = pad.out_port();
    p.begin.assign(w.kernel.size(), 0);
    p.end = p.begin;
  }
  const bool outside = p.rounding == "ceil" || p.begin != p.end;  // places that never count
  const Node n = pooled(b, "AvgPool", source, w, p);
  n.set("exclude-pad", outside);
  return n.out_port();
}

static OutPort mean(const Build& b, const SourceNode& n, const OutPort& x, const Windows& w, const Pads& p) {
  if (n.native("count_include_pad", true)) return mean_with_pads(b, x, w, p);
  const Node m = pooled(b, "AvgPool", x, w, p);
  m.set("exclude-pad", true);
  return m.out_port();
}

// A sum is a mean of whole windows, times their size: what the last one of `full` lacks is padded.
static OutPort sum(const Build& b, const OutPort& x, const Windows& w, Pads p) {
  for (size_t i = 0; p.rounding == "ceil" && i < w.kernel.size(); ++i) {
    const int64_t rest = dim_of(b, x, i + 2) + p.begin[i] + p.end[i] - w.kernel[i];
    p.end[i] += (w.strides[i] - rest % w.strides[i]) % w.strides[i];
  }
  p.rounding = "floor";
  double size = 1;
  for (const int64_t k : w.kernel) size *= static_cast<double>(k);
  const Node m = pooled(b, "AvgPool", x, w, p);
  m.set("exclude-pad", false);
  return b.multiply(m.out_port(), b.like(x, size));
}

static OutPort root_of_powers(const Build& b, const SourceNode& n, const OutPort& x,
                              const std::function<OutPort(const OutPort&)>& add_up) {
  const auto p = static_cast<double>(n.native<int64_t>("p_value"));
  require(p >= 1, "attribute 'p_value' is ", p, "; expected at least 1");
  const OutPort power = b.op("Power", "opset1", {b.op("Abs", "opset1", {x}), b.like(x, p)});
  return b.op("Power", "opset1", {add_up(power), b.like(x, 1 / p)});
}

static OutPort global(const Build& b, const SourceNode& n, const OutPort& x, const std::string& type) {
  const OutPort axes = b.axes(x, 2, INT64_MAX);
  const auto reduced = [&](std::string_view op, const OutPort& y) { return b.reduce(op, y, axes, true); };
  if (type == "max") return reduced("ReduceMax", x);
  if (type == "avg") return reduced("ReduceMean", x);
  if (type == "sum") return reduced("ReduceSum", x);
  return root_of_powers(b, n, x, [&](const OutPort& y) { return reduced("ReduceSum", y); });
}

static OutPort of_windows(const Build& b, const SourceNode& n, const OutPort& x, const std::string& type) {
  const Windows w = read_windows(n, spatial_rank(n));
  const Pads p = pads(b, n, w, x);
  if (type == "max") return pooled(b, "MaxPool", x, w, p).out_port();
  if (type == "avg") return mean(b, n, x, w, p);
  if (type == "sum") return sum(b, x, w, p);
  return root_of_powers(b, n, x, [&](const OutPort& y) { return sum(b, y, w, p); });
}

static Ports pool(Build& b, const SourceNode& n) {
  const auto type = n.native("pool_type", "max");
  require(type == "max" || type == "avg" || type == "sum" || type == "lp", "attribute 'pool_type' is '", type,
          "'; expected max, avg, sum or lp");
  const bool last = is_channels_last(n), whole = n.native("global_pool", false);
  const size_t rank = last ? rank_of(b, b.in(0)) : 0;
  return {with_channels_first(b, b.in(0), rank, last, [&](const OutPort& x) {
    return whole ? global(b, n, x, type) : of_windows(b, n, x, type);
  })};
}

}  // namespace pooling

void register_pooling(Registry& r) {
  convert<pooling::pool>(r, "Pooling Pooling_v1 _npx_pooling", "Pooling(x, pool_type)",
                         "MaxPool(x), AvgPool(x), Multiply(AvgPool(x), size), ReduceMax(x), ...");
}

}  // namespace mo::mxnet
