// Convolution of StableHLO, which has its dimensions in any order.
#include <algorithm>
#include <numeric>

#include <mo/slices.hpp>
#include "support/windows.hpp"

namespace mo::tflite {

namespace stable_windows {

// A list of so many numbers, all `fallback` when it is left out.
static Ints listed(const SourceNode& n, std::string_view name, size_t count, int64_t fallback) {
  auto list = n.native<Ints>(name);
  if (list.empty()) list.assign(count, fallback);
  require(list.size() == count, "attribute '", name, "' is ", list, ", expected ", count, " numbers");
  return list;
}

static Ints positive(const SourceNode& n, std::string_view name, size_t count) {
  const Ints list = listed(n, name, count, 1);
  require(std::all_of(list.begin(), list.end(), [](int64_t v) { return v > 0; }), "attribute '", name,
          "' is ", list, ", expected at least 1");
  return list;
}

// Where the first two dimensions and the spatial ones of a tensor are.
static Ints places(const SourceNode& n, std::string_view tensor, std::string_view first,
                   std::string_view second) {
  Ints order{n.native<int64_t>(text(tensor, '_', first, "_dimension")),
             n.native<int64_t>(text(tensor, '_', second, "_dimension"))};
  const auto spatial = n.native<Ints>(text(tensor, "_spatial_dimensions"));
  order.insert(order.end(), spatial.begin(), spatial.end());
  Ints all(order.size());
  std::iota(all.begin(), all.end(), 0);
  require(std::is_permutation(order.begin(), order.end(), all.begin()), "its dimensions of the ", tensor,
          " are ", order, ", expected each of ", all, " once");
  return order;
}

static OutPort ordered(const Build& b, const OutPort& x, const Ints& order) {
  return std::is_sorted(order.begin(), order.end()) ? x : b.transpose(x, order);
}

static Ints inverse(const Ints& order) {
  Ints back(order.size());
  for (size_t i = 0; i < order.size(); ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return back;
}

// Filters [out, in, spatial…] with the dimensions turned round that are marked so.
static OutPort turned(const Build& b, const OutPort& w, std::string_view marks) {
  Ints step(2, 1);
  for (const char mark : marks) step.push_back(mark == '\0' ? 1 : -1);
  if (std::find(step.begin(), step.end(), -1) == step.end()) return w;
  const Ints any(step.size(), 0), whole(step.size(), 1);
  const Node s = b.node("StridedSlice", "opset1", {w, b.list(any), b.list(any), b.list(step)});
  s.set("begin_mask", whole).set("end_mask", whole);
  return s.out_port();
}

// [batch, channels, spatial…] with zeros between the elements, and with what negative pads cut off, for which
// the pads are zero then.
static OutPort prepared(const Build& b, OutPort x, const Ints& dilation, Ints& begin, Ints& end) {
  Ints holes(2, 0);
  for (const int64_t d : dilation) holes.push_back(d - 1);
  x = spread_out(b, x, holes, b.like(x, 0));
  const auto cuts = [](int64_t v) { return v < 0; };
  if (std::none_of(begin.begin(), begin.end(), cuts) && std::none_of(end.begin(), end.end(), cuts)) return x;
  Ints before(2, 0), after(2, 0);
  before.insert(before.end(), begin.begin(), begin.end());
  after.insert(after.end(), end.begin(), end.end());
  const Node p = b.node("Pad", "opset12", {x, b.list(before), b.list(after), b.like(x, 0)});
  p.set("pad_mode", "constant");
  begin.assign(begin.size(), 0);
  end.assign(end.size(), 0);
  return p.out_port();
}

}  // namespace stable_windows

static Ports stable_convolution(Build& b, const SourceNode& n) {
  using namespace stable_windows;
  const Ints in = places(n, "input", "batch", "feature"),
             filter = places(n, "kernel", "output_feature", "input_feature"),
             out = places(n, "output", "batch", "feature");
  require(in.size() == filter.size() && in.size() == out.size(), "it has ", in.size(), ", ", filter.size(),
          " and ", out.size(), " dimensions of the input, the kernel and the output");
  const size_t dims = in.size() - 2;
  require(dims >= 1 && dims <= 3, "it has ", dims,
          " spatial dimensions, but the IR's convolutions have one to three");
  const auto groups = n.native<int64_t>("feature_group_count"),
             batch_groups = n.native<int64_t>("batch_group_count");
  require(groups > 0, "attribute 'feature_group_count' is ", groups, ", expected at least 1");
  require(batch_groups == 1, "attribute 'batch_group_count' is ", batch_groups,
          ", but the IR's convolutions have groups of channels only");
  const auto marks = n.native<std::string>("window_reversal");
  require(marks.empty() || marks.size() == dims, "attribute 'window_reversal' has ", marks.size(),
          " entries, expected ", dims);
  const Ints pads = listed(n, "padding", 2 * dims, 0);
  Ints begin, end;
  for (size_t i = 0; i < dims; ++i) {
    begin.push_back(pads[2 * i]);
    end.push_back(pads[2 * i + 1]);
  }
  const OutPort x = prepared(b, ordered(b, b.in(0), in), positive(n, "lhs_dilation", dims), begin, end);
  const OutPort w = turned(b, ordered(b, b.in(1), filter), marks);
  const Node c = b.node(groups == 1 ? "Convolution" : "GroupConvolution", "opset1",
                        {x, groups == 1 ? w : filters_in_groups(b, w, groups)});
  c.set("strides", positive(n, "window_strides", dims));
  c.set("dilations", positive(n, "rhs_dilation", dims));
  c.set("pads_begin", begin).set("pads_end", end).set("auto_pad", "explicit");
  return {ordered(b, c.out_port(), inverse(out))};
}

void register_stablehlo_convolution(Registry& r) {
  replace<stable_convolution>(r, {"STABLEHLO_CONVOLUTION", "STABLEHLO_CONVOLUTION(x, w)",
                                  "Convolution(x, w) or GroupConvolution(x, w) between Transposes"});
}

}  // namespace mo::tflite
