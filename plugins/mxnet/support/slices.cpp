#include <mo/slices.hpp>

namespace mo::mxnet {

OutPort slice(const Build& b, const OutPort& x, const std::vector<Range>& ranges) {
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

}  // namespace mo::mxnet
