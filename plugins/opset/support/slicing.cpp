#include "support/slicing.hpp"

namespace mo::opset {

SliceRun slice_run(int64_t size, const SliceRange& r) {
  const int64_t step = std::max(r.step.lo, -Interval::highest);
  // An index counts from the end when negative, and may lie outside.
  const auto place = [size](int64_t index, int64_t low, int64_t high) {
    return std::clamp(index < 0 ? index + size : index, low, high);
  };
  if (step > 0) {
    const int64_t first = r.from_end_of_axis ? 0 : place(r.start.lo, 0, size);
    const int64_t last = r.to_end_of_axis ? size : place(r.stop.lo, 0, size);
    return {first, last > first ? (last - first - 1) / step + 1 : 0};
  }
  const int64_t first = r.from_end_of_axis ? size - 1 : place(r.start.lo, -1, size - 1);
  const int64_t last = r.to_end_of_axis ? -1 : place(r.stop.lo, -1, size - 1);
  return {first, first > last ? (first - last - 1) / -step + 1 : 0};
}

namespace {

// No tensor is as large; indices beyond it act like the end.
constexpr int64_t huge = int64_t{1} << 60;

// Indices of one sign move the result in one direction only, so their ends are enough.
std::vector<int64_t> ends_by_sign(const Interval& v) {
  std::vector<int64_t> list;
  if (v.lo < 0) list.insert(list.end(), {v.lo, std::min<int64_t>(v.hi, -1)});
  if (v.hi >= 0) list.insert(list.end(), {std::max<int64_t>(v.lo, 0), v.hi});
  return list;
}
std::vector<int64_t> ends_of_steps(const Interval& v) {
  std::vector<int64_t> list;
  if (v.lo < 0) list.insert(list.end(), {v.lo, std::min<int64_t>(v.hi, -1)});
  if (v.hi > 0) list.insert(list.end(), {std::max<int64_t>(v.lo, 1), v.hi});
  return list;
}

}  // namespace

Dim sliced_dim(const Dim& size, const SliceRange& r) {
  require(r.step != Interval(0), "a step is 0");
  const auto starts = r.from_end_of_axis ? std::vector<int64_t>{0} : ends_by_sign(r.start);
  const auto stops = r.to_end_of_axis ? std::vector<int64_t>{0} : ends_by_sign(r.stop);
  // As a function of the size, the count bends only where an index meets an end of the dimension.
  std::vector<int64_t> sizes{size.min, size.is_unbounded() ? huge : std::min(size.max, huge)};
  if (sizes[0] != sizes[1])
    for (const auto& indices : {starts, stops})
      for (const int64_t i : indices)
        for (const int64_t near : {-1, 0, 1}) {
          const int64_t bend = std::clamp(i, -huge, huge) * (i < 0 ? -1 : 1) + near;
          if (bend > sizes[0] && bend < sizes[1]) sizes.push_back(bend);
        }
  Dim result{huge, 0};
  bool grows = false;
  for (const int64_t step : ends_of_steps(r.step))
    for (const int64_t start : starts)
      for (const int64_t stop : stops) {
        const SliceRange exact{start, stop, step, r.from_end_of_axis, r.to_end_of_axis};
        for (const int64_t s : sizes) {
          const int64_t n = slice_run(s, exact).count;
          result = {std::min(result.min, n), std::max(result.max, n)};
        }
        if (size.is_unbounded())
          grows = grows || slice_run(huge, exact).count > slice_run(huge / 2, exact).count;
      }
  return grows ? Dim(result.min, -1) : result;
}

}  // namespace mo::opset
