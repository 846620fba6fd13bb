// SliceScatter: updates written over the slice start:stop:step of the data.
#include "support/first_releases.hpp"
#include "support/scattering.hpp"
#include "support/slicing.hpp"

namespace mo::opset {

namespace slice_scattering {

struct Slices {
  std::vector<size_t> axes;
  std::vector<SliceRange> ranges;
};
static Slices slices_of(const std::vector<size_t>& axes, const std::vector<Interval>& start,
                        const std::vector<Interval>& stop, const std::vector<Interval>& step) {
  Slices s{axes, {}};
  for (size_t i = 0; i < axes.size(); ++i) s.ranges.push_back({start[i], stop[i], step[i]});
  return s;
}
static Dims first_axes(size_t n) {
  Dims axes;
  for (size_t i = 0; i < n; ++i) axes.push_back(static_cast<int64_t>(i));
  return axes;
}
// The data's shape, as far as the updates tell about it. `slices`: nothing when the axes are not known.
static Shape shape_of(const Shape& data, const Shape& updates, const std::optional<Slices>& slices) {
  require_rank(data, "the data", 1, std::numeric_limits<int64_t>::max());
  if (!data.has_rank()) {
    require_rank(updates, "updates", 1, std::numeric_limits<int64_t>::max());
    return updates.has_rank() ? Shape::of_rank(updates.size()) : data;
  }
  require_rank(updates, "updates", data.rank());
  if (!updates.has_rank() || !slices) return data;
  Shape out = data;
  for (size_t i = 0; i < out.size(); ++i) {
    const auto at = std::find(slices->axes.begin(), slices->axes.end(), i);
    const std::string what = text("dimension ", i, " of the slice and of the updates");
    if (at == slices->axes.end())
      out[i] = same_dim(out[i], updates[i], what);
    else
      same_dim(sliced_dim(data[i], slices->ranges[static_cast<size_t>(at - slices->axes.begin())]),
               updates[i], what);
  }
  return out;
}
static void write(const Dims& data, const Dims& updates, const Slices& s, void* to, const void* from,
                  size_t width) {
  Copy c{updates, dense_strides(updates), dense_strides(data), 0, 0};
  for (size_t i = 0; i < s.axes.size(); ++i) {
    const size_t a = s.axes[i];
    const SliceRun run = slice_run(data[a], s.ranges[i]);
    if (run.count == 0) return;
    c.to_start += run.first * c.to[a];
    c.to[a] = run.count > 1 ? c.to[a] * s.ranges[i].step.lo : 0;
  }
  run_copies({c}, from, to, width);
}

}  // namespace slice_scattering

struct SliceScatter {
  static constexpr std::string_view type = "SliceScatter", opset = "opset15";
  static void schema(OpSchema& s) {
    s.doc("data, updates, start, stop, step, [axes]")
        .inputs({"data", "updates"}, Role::fixed)
        .input("start", Role::any)
        .takes_sizes()
        .input("stop", Role::any)
        .takes_sizes()
        .input("step", Role::any)
        .takes_sizes()
        .optional_input("axes", Role::any)
        .keeps_shape()
        .outputs(1);
  }
  static void infer(InferContext& c) {
    const ElementType t = common_type(c, {0, 1});
    const Shape data = c.shape(0), updates = c.shape(1);
    Dim n = vector_length(c, 2, "start");
    n = same_dim(n, vector_length(c, 3, "stop"), "lengths of start and stop");
    n = same_dim(n, vector_length(c, 4, "step"), "lengths of start and step");
    if (c.has(5)) n = same_dim(n, vector_length(c, 5, "axes"), "lengths of start and axes");
    std::optional<slice_scattering::Slices> slices;
    if (data.has_rank()) {
      require(n.min <= data.rank(), "start has ", n, " entries but the rank is ", data.rank());
      std::optional<std::vector<size_t>> axes;
      if (c.has(5))
        axes = axes_input(c, 5, data.size());
      else if (n.is_static())
        axes = unique_axes(slice_scattering::first_axes(static_cast<size_t>(n.value())), data.size(), "axes");
      if (axes)
        slices = slice_scattering::slices_of(*axes, intervals_or_unknown(c, 2, axes->size()),
                                             intervals_or_unknown(c, 3, axes->size()),
                                             intervals_or_unknown(c, 4, axes->size()));
    }
    const Shape out = slice_scattering::shape_of(data, updates, slices);
    const bool exact = slices && std::all_of(slices->ranges.begin(), slices->ranges.end(), [](const auto& r) {
                         return r.start.exact() && r.stop.exact() && r.step.exact();
                       });
    if (!exact || !may_have_bounds(t, data) || !may_have_bounds(t, updates) || !bounds_wanted(c, {0, 1}))
      return c.output(0, t, out);
    auto list = intervals_or_unknown(c, 0, static_cast<size_t>(data.elements().value()));
    const auto from = intervals_or_unknown(c, 1, static_cast<size_t>(updates.elements().value()));
    slice_scattering::write(data.to_static(), updates.to_static(), *slices, list.data(), from.data(),
                            sizeof(Interval));
    output_intervals(c, 0, t, out, list);
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0), updates = c.input(1);
    require(updates.type() == data.type(), "updates are ", name(updates.type()), "; expected ",
            name(data.type()));
    const auto list = [&](size_t i) {
      const auto ints = c.input(i).to_ints();
      return std::vector<Interval>(ints.begin(), ints.end());
    };
    const auto start = list(2), stop = list(3), step = list(4);
    const auto axes = unique_axes(
        c.has(5) ? c.input(5).to_ints() : slice_scattering::first_axes(start.size()), data.rank(), "axes");
    require(start.size() == axes.size() && stop.size() == axes.size() && step.size() == axes.size(),
            "start, stop, step and axes have ", start.size(), ", ", stop.size(), ", ", step.size(), " and ",
            axes.size(), " entries; expected the same number");
    const auto slices = slice_scattering::slices_of(axes, start, stop, step);
    slice_scattering::shape_of(data.shape(), updates.shape(), slices);
    const bool packed = is_packed(data.type());
    const Tensor from = packed ? unpacked(c, updates) : updates;
    const auto out = copied(c, packed ? unpacked(c, data) : data);
    slice_scattering::write(data.dims(), updates.dims(), slices, out.second, from.data(),
                            width_of(from.type()));
    c.output(0, packed ? repacked(c, out.first, data.type()) : out.first);
  }
};

void register_slice_scatter(Registry& r) {
  r.operation<SliceScatter>();
  came_with("2024.4", "SliceScatter", "opset15");
}

}  // namespace mo::opset
