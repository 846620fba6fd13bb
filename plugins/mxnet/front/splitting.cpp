// All parts of what is read, one after the other.
#include <mo/slices.hpp>
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace splitting {

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

}  // namespace splitting

void register_splitting(Registry& r) {
  convert<splitting::channels>(r, "SliceChannel split", "SliceChannel(x)", "Split(x, axis)");
  convert<splitting::at_indices>(r, "_split_v2", "_split_v2(x)",
                                 "Split(x, axis), or StridedSlice(x, begin, end) for each part");
}

}  // namespace mo::mxnet
