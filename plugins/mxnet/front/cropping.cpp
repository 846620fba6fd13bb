// Parts as large as something else.
#include <mo/slices.hpp>
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace cropping {

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

}  // namespace cropping

void register_cropping(Registry& r) {
  convert<cropping::slice_like>(r, "slice_like", "slice_like(x, y)", "StridedSlice(x, 0, sizes of y)");
  convert<cropping::crop>(r, "Crop", "Crop(x, y)", "StridedSlice(x, offset, Add(sizes of y, offset))");
}

}  // namespace mo::mxnet
