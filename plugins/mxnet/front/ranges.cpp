// Numbers in steps.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"
#include "support/types.hpp"

#include <cmath>

namespace mo::mxnet {

namespace ranges {

static std::vector<double> range(const SourceNode& n) {
  double start = n.native("start", 0.0), step = n.native("step", 1.0);
  const auto stop = n.find_native<double>("stop");
  const double end = stop ? *stop : start;
  if (!stop) start = 0;
  const auto repeat = n.native("repeat", 1);
  const double count = std::ceil((end - start) / step);
  require(step != 0 && count >= 0 && repeat >= 1 && count * static_cast<double>(repeat) <= 1 << 24, "start ",
          start, ", stop ", end, ", step ", step, " and repeat ", repeat, " do not make a range");
  std::vector<double> values;
  for (int64_t i = 0; i < static_cast<int64_t>(count); ++i)
    values.insert(values.end(), static_cast<size_t>(repeat), start + static_cast<double>(i) * step);
  return values;
}

static Ports arange(Build& b, const SourceNode& n) {
  require(!n.native("infer_range", false), "a range whose end is inferred (infer_range) is not supported");
  const auto values = range(n);
  return {b.constant(Tensor::filled(b.context(), type_of(n), values, {static_cast<int64_t>(values.size())}))};
}

// As many numbers as what it reads has elements, or as its axis is long.
static Ports arange_like(Build& b, const SourceNode& n) {
  require(n.native("repeat", 1) == 1, "repetitions of _contrib_arange_like are not supported");
  const auto axis = n.find_native<int64_t>("axis");
  const OutPort x = b.in(0);
  const OutPort count = axis ? b.reshape(b.dim(x, static_cast<int64_t>(axis_of(b, x, *axis))), b.list({}))
                             : b.reduce("ReduceProd", b.shape_of(x), b.list({0}), false);
  const OutPort places = b.convert(b.range(b.integer(0), count, 1), ElementType::f32);
  const OutPort scaled = b.multiply(places, b.like(places, n.native("step", 1.0)));
  const OutPort all = b.add(scaled, b.like(places, n.native("start", 0.0)));
  return {axis ? all : b.reshape(all, b.shape_of(x))};
}

}  // namespace ranges

void register_ranges(Registry& r) {
  convert<ranges::arange>(r, "_arange _npi_arange", "_arange(start, stop, step, repeat)", "a constant");
  convert<ranges::arange_like>(r, "_contrib_arange_like", "_contrib_arange_like(x)",
                               "Add(Multiply(Range(0, size of x), step), start)");
}

}  // namespace mo::mxnet
