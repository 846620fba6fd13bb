// Parts of what is read, by numbers.
#include <mo/slices.hpp>
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace slicing {

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

}  // namespace slicing

void register_slicing(Registry& r) {
  convert<slicing::by_lists>(r, "slice crop", "slice(x, begin, end, step)",
                             "StridedSlice(x, begin, end, step)");
  convert<slicing::of_axis>(r, "slice_axis", "slice_axis(x, axis, begin, end)",
                            "StridedSlice(x, begin, end)");
}

}  // namespace mo::mxnet
