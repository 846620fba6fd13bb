// Parts of what is read.
#include "support/items.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace slicing {

// Dimensions before `axis` stay whole. Nothing stands for the beginning, and for the end.
struct Range {
  std::optional<int64_t> begin, end;
  int64_t step = 1;
};

static OutPort slice(const Build& b, const OutPort& x, const std::vector<Range>& ranges) {
  Ints begin, end, step, begin_mask, end_mask;
  for (const Range& r : ranges) {
    begin.push_back(r.begin.value_or(0));
    end.push_back(r.end.value_or(0));
    step.push_back(r.step);
    begin_mask.push_back(r.begin ? 0 : 1);  // 1: from the beginning
    end_mask.push_back(r.end ? 0 : 1);
  }
  const Node s = b.node("StridedSlice", "opset1", {x, b.list(begin), b.list(end), b.list(step)});
  s.set("begin_mask", begin_mask).set("end_mask", end_mask);
  return s.out_port();
}

static Ports by_lists(Build& b, const SourceNode& n) {
  const auto begin = optional_ints_of(n, "begin"), end = optional_ints_of(n, "end"),
             step = optional_ints_of(n, "step");
  require(begin.size() == end.size() && step.size() <= begin.size(),
          "attributes 'begin', 'end' and 'step' have ", begin.size(), ", ", end.size(), " and ", step.size(),
          " numbers");
  std::vector<Range> ranges;
  for (size_t i = 0; i < begin.size(); ++i) {
    const int64_t s = i < step.size() ? step[i].value_or(1) : 1;
    require(s != 0, "attribute 'step' has a 0");
    ranges.push_back({begin[i], end[i], s});
  }
  return {slice(b, b.in(0), ranges)};
}

static Ports of_axis(Build& b, const SourceNode& n) {
  std::vector<Range> ranges(axis_of(b, b.in(0), n.native<int64_t>("axis")) + 1);
  ranges.back() = {n.native("begin", 0), n.find_native<int64_t>("end"), 1};
  return {slice(b, b.in(0), ranges)};
}

// As far as the second input reaches, in these dimensions; from `begin` on.
static OutPort like(const Build& b, const Ints& axes, const Ints& begins) {
  const OutPort x = b.in(0), other = b.in(1);
  const size_t last = static_cast<size_t>(*std::max_element(axes.begin(), axes.end()));
  Ints begin(last + 1, 0), mask(last + 1, 1);  // 1: all of a dimension
  Ports ends(last + 1);
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto a = static_cast<size_t>(axes[i]);
    begin[a] = begins[i];
    mask[a] = 0;
    ends[a] = b.dim(other, axes[i]);
    if (begins[i] != 0) ends[a] = b.op("Add", "opset1", {ends[a], b.list({begins[i]})});
  }
  for (OutPort& e : ends)
    if (!e) e = b.list({0});
  const Node s =
      b.node("StridedSlice", "opset1", {x, b.list(begin), b.concat(ends), b.list(Ints(last + 1, 1))});
  s.set("begin_mask", mask).set("end_mask", mask);
  return s.out_port();
}

static Ports slice_like(Build& b, const SourceNode& n) {
  Ints axes = ints_of(n, "axes");
  const auto rank = static_cast<int64_t>(rank_of(b, b.in(0)));
  for (int64_t& a : axes) a = static_cast<int64_t>(axis_of(b, b.in(0), a));
  for (int64_t a = 0; axes.size() < static_cast<size_t>(rank) && ints_of(n, "axes").empty(); ++a)
    axes.push_back(a);
  return {like(b, axes, Ints(axes.size(), 0))};
}

// Height and width, of the second input or of h_w.
static Ports crop(Build& b, const SourceNode& n) {
  Ints offset = ints_of(n, "offset"), size = ints_of(n, "h_w");
  if (offset.empty()) offset = {0, 0};
  if (size.empty()) size = {0, 0};
  require(offset.size() == 2 && size.size() == 2, "attributes 'offset' and 'h_w' are ", offset, " and ", size,
          "; expected two numbers");
  if (n.native("center_crop", false))
    for (size_t i = 0; i < 2; ++i)
      offset[i] = (dim_of(b, b.in(0), i + 2) - (b.has(1) ? dim_of(b, b.in(1), i + 2) : size[i])) / 2;
  if (b.has(1)) return {like(b, {2, 3}, offset)};
  require(size[0] > 0 && size[1] > 0, "attribute 'h_w' is ", size, "; expected what is left");
  return {
      slice(b, b.in(0), {{}, {}, {offset[0], offset[0] + size[0], 1}, {offset[1], offset[1] + size[1], 1}})};
}

static Ports channels(Build& b, const SourceNode& n) {
  const auto count = n.native<int64_t>("num_outputs"), axis = n.native("axis", 1);
  require(count > 0 && count <= 65536, "attribute 'num_outputs' is ", count);
  const Node s = b.node("Split", "opset1", {b.in(0), b.integer(axis)}, static_cast<uint32_t>(count));
  s.set("num_splits", count);
  Ports parts = s.out_ports();
  if (n.native("squeeze_axis", false))
    for (size_t i = 0; i < parts.size(); ++i)
      parts[i] = i < n.out_count() && b.wants(i) ? b.squeeze(parts[i], {axis}) : OutPort();
  return parts;
}

// split_v2: at indices, or into equal sections.
static Ports at_indices(Build& b, const SourceNode& n) {
  const auto sections = n.native("sections", 0);
  const size_t axis = axis_of(b, b.in(0), n.native("axis", 0));
  const Ints indices = ints_of(n, "indices");
  Ports parts;
  if (sections > 0) {
    require(sections <= 65536, "attribute 'sections' is ", sections);
    const Node s = b.node("Split", "opset1", {b.in(0), b.integer(static_cast<int64_t>(axis))},
                          static_cast<uint32_t>(sections));
    s.set("num_splits", sections);
    parts = s.out_ports();
  } else {
    for (size_t i = 0; i < indices.size(); ++i) {
      std::vector<Range> ranges(axis + 1);
      ranges.back() = {indices[i], i + 1 < indices.size() ? std::optional(indices[i + 1]) : std::nullopt, 1};
      parts.push_back(slice(b, b.in(0), ranges));
    }
  }
  if (n.native("squeeze_axis", false))
    for (OutPort& p : parts) p = b.squeeze(p, {static_cast<int64_t>(axis)});
  return parts;
}

}  // namespace slicing

void register_slicing(Items& items) {
  items.convert<slicing::by_lists>("slice crop");
  items.convert<slicing::of_axis>("slice_axis");
  items.convert<slicing::slice_like>("slice_like");
  items.convert<slicing::crop>("Crop");
  items.convert<slicing::channels>("SliceChannel split");
  items.convert<slicing::at_indices>("_split_v2");
}

}  // namespace mo::mxnet
