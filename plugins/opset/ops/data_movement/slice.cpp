// Slice: start, stop and step for the named axes, or for the first ones.
#include "support/movement.hpp"
#include "support/slicing.hpp"
#include "support/symbols.hpp"

namespace mo::opset {

namespace slicing {
static std::vector<SliceRange> ranges(const std::vector<Interval>& start, const std::vector<Interval>& stop,
                                      const std::vector<Interval>& step) {
  std::vector<SliceRange> list;
  for (size_t i = 0; i < start.size(); ++i) list.push_back({start[i], stop[i], step[i]});
  return list;
}
static Shape shape_of(const Shape& in, const std::vector<size_t>& axes,
                      const std::vector<SliceRange>& ranges) {
  Shape out = in;
  for (size_t i = 0; i < axes.size(); ++i) out[axes[i]] = sliced_dim(in[axes[i]], ranges[i]);
  return out;
}
static Movement movement(const Dims& in, const std::vector<size_t>& axes,
                         const std::vector<SliceRange>& ranges) {
  const Dims strides = dense_strides(in);
  Dims dims = in, from = strides;
  int64_t start = 0;
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t a = axes[i];
    const SliceRun run = slice_run(in[a], ranges[i]);
    dims[a] = run.count;
    from[a] = run.count > 1 ? strides[a] * ranges[i].step.lo : 0;
    start += run.count > 0 ? strides[a] * run.first : 0;
  }
  return gathered(dims, from, start);
}
static Dims first_axes(size_t n) {
  Dims axes;
  for (size_t i = 0; i < n; ++i) axes.push_back(static_cast<int64_t>(i));
  return axes;
}
}  // namespace slicing

struct Slice {
  static constexpr std::string_view type = "Slice", opset = "opset8";
  static void schema(OpSchema& s) {
    s.doc("data, start, stop, step, [axes]")
        .input("data")
        .input("start", Role::any)
        .takes_sizes()
        .input("stop", Role::any)
        .takes_sizes()
        .input("step", Role::any)
        .takes_sizes()
        .optional_input("axes", Role::any)
        .outputs(1);
  }
  static void symbols(SymbolsContext& c) { slice_symbols(c); }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0);
    Dim n = vector_length(c, 1, "start");
    n = same_dim(n, vector_length(c, 2, "stop"), "lengths of start and stop");
    n = same_dim(n, vector_length(c, 3, "step"), "lengths of start and step");
    if (c.has(4)) n = same_dim(n, vector_length(c, 4, "axes"), "lengths of start and axes");
    if (!in.has_rank()) return c.output(0, c.type(0), in);
    require(n.min <= in.rank(), "start has ", n, " entries but the rank is ", in.rank());
    const auto axes = c.has(4) ? axes_input(c, 4, in.size())
                      : n.is_static()
                          ? std::optional(unique_axes(slicing::first_axes(static_cast<size_t>(n.value())),
                                                      in.size(), "axes"))
                          : std::nullopt;
    if (!axes) {
      Shape out = in;
      for (Dim& d : out) d = Dim(0, d.max);
      return c.output(0, c.type(0), out);
    }
    const size_t count = axes->size();
    const auto ranges = slicing::ranges(intervals_or_unknown(c, 1, count), intervals_or_unknown(c, 2, count),
                                        intervals_or_unknown(c, 3, count));
    output_moved(c, 0, slicing::shape_of(in, *axes, ranges),
                 [&](const Dims& dims) -> std::optional<Movement> {
                   for (const SliceRange& r : ranges)
                     if (!r.start.exact() || !r.stop.exact() || !r.step.exact()) return std::nullopt;
                   return slicing::movement(dims, *axes, ranges);
                 });
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const auto list = [&](size_t i) {
      const auto ints = c.input(i).to_ints();
      return std::vector<Interval>(ints.begin(), ints.end());
    };
    const auto start = list(1), stop = list(2), step = list(3);
    const auto axes =
        unique_axes(c.has(4) ? c.input(4).to_ints() : slicing::first_axes(start.size()), in.rank(), "axes");
    require(start.size() == axes.size() && stop.size() == axes.size() && step.size() == axes.size(),
            "start, stop, step and axes have ", start.size(), ", ", stop.size(), ", ", step.size(), " and ",
            axes.size(), " entries; expected the same number");
    const auto ranges = slicing::ranges(start, stop, step);
    slicing::shape_of(in.shape(), axes, ranges);  // checks them
    c.output(0, moved(c, in, slicing::movement(in.dims(), axes, ranges)));
  }
};

void register_slice(Registry& r) { r.operation<Slice>(); }

}  // namespace mo::opset
