// StridedSlice. A mask bit of 1 in begin_mask or end_mask means that the number there is not used.
#include "support/limits.hpp"
#include "support/movement.hpp"
#include "support/slicing.hpp"
#include "support/symbols.hpp"

namespace mo::opset {

namespace strided_slicing {

struct Masks {
  Dims begin, end, new_axis, shrink, ellipsis;
};

static Dims mask(const OpContext& c, std::string_view name, size_t n) {
  auto bits = c.find_attr<Dims>(name).value_or(Dims{});
  for (const int64_t b : bits)
    c.require(b == 0 || b == 1, "attribute '", name, "' is ", bits, "; expected 0s and 1s");
  bits.resize(n, 0);
  return bits;
}
static Masks masks(const OpContext& c, size_t n) {
  Masks m{mask(c, "begin_mask", n), mask(c, "end_mask", n), mask(c, "new_axis_mask", n),
          mask(c, "shrink_axis_mask", n), mask(c, "ellipsis_mask", n)};
  c.require(std::count(m.ellipsis.begin(), m.ellipsis.end(), 1) <= 1, "attribute 'ellipsis_mask' is ",
            m.ellipsis, "; expected one 1 at most");
  return m;
}

// What happens to the dimensions, in order of the result.
struct Step {
  enum { slice, shrink, new_axis } kind;
  size_t axis = 0;  // of the input
  SliceRange range;
};

static std::vector<Step> steps(size_t rank, const Masks& m, const std::vector<Interval>& begin,
                               const std::vector<Interval>& end, const std::vector<Interval>& stride) {
  const size_t n = begin.size();
  size_t used = 0;  // dimensions of the input that have an entry of their own
  for (size_t i = 0; i < n; ++i) used += m.ellipsis[i] == 0 && m.new_axis[i] == 0;
  require(used <= rank, "begin has ", n, " entries for ", used, " dimensions but the rank is ", rank);
  std::vector<Step> list;
  size_t axis = 0;
  const auto whole = [&](size_t count) {
    for (; count > 0; --count) list.push_back({Step::slice, axis++, {0, 0, 1, true, true}});
  };
  for (size_t i = 0; i < n; ++i) {
    if (m.ellipsis[i] != 0)
      whole(rank - used);
    else if (m.new_axis[i] != 0)
      list.push_back({Step::new_axis, 0, {}});
    else if (m.shrink[i] != 0)
      list.push_back({Step::shrink, axis++, {m.begin[i] != 0 ? Interval(0) : begin[i], 0, 1}});
    else
      list.push_back({Step::slice, axis++, {begin[i], end[i], stride[i], m.begin[i] != 0, m.end[i] != 0}});
  }
  whole(rank - axis);
  return list;
}

static Shape shape_of(const Shape& in, const std::vector<Step>& list) {
  Shape out;
  for (const Step& s : list) {
    if (s.kind == Step::new_axis) {
      out.push_back(1);
    } else if (s.kind == Step::slice) {
      out.push_back(sliced_dim(in[s.axis], s.range));
    } else {
      const Interval& at = s.range.start;
      const Dim& d = in[s.axis];
      require(d.is_unbounded() || (at.lo < d.max && at.hi >= -d.max), "begin has ", at.lo, " for dimension ",
              s.axis, " of shape ", in, "; expected an index inside");
    }
  }
  return out;
}

// Of exact numbers.
static Movement movement(const Dims& in, const std::vector<Step>& list) {
  const Dims strides = dense_strides(in);
  Dims dims, from;
  int64_t start = 0;
  for (const Step& s : list) {
    if (s.kind == Step::new_axis) {
      dims.push_back(1);
      from.push_back(0);
    } else if (s.kind == Step::shrink) {
      const int64_t at = s.range.start.lo;
      start += strides[s.axis] * (at < 0 ? at + in[s.axis] : at);
    } else {
      const SliceRun run = slice_run(in[s.axis], s.range);
      dims.push_back(run.count);
      // A step that is taken at most once may be as long as it likes.
      from.push_back(run.count > 1 ? strides[s.axis] * s.range.step.lo : 0);
      start += run.count > 0 ? strides[s.axis] * run.first : 0;
    }
  }
  return gathered(dims, from, start);
}

static bool exact(const std::vector<Step>& list) {
  return std::all_of(list.begin(), list.end(), [](const Step& s) {
    const SliceRange& r = s.range;
    return s.kind == Step::new_axis || ((r.from_end_of_axis || r.start.exact()) &&
                                        (r.to_end_of_axis || r.stop.exact()) && r.step.exact());
  });
}

}  // namespace strided_slicing

namespace strided_slicing {
// The ellipsis is counted as a dimension.
static bool fits_with_ellipsis(const Node& n) {
  const Shape in = n.in_port(0).shape(), begin = n.in_port(1).shape();
  if (!in.has_rank() || begin.size() != 1 || !begin[0].is_static()) return true;
  const auto new_axes = n.attr("new_axis_mask", Dims{});
  const auto count = std::count(new_axes.begin(), new_axes.end(), 1);
  return begin[0].value() <= in.rank() + count;
}
}  // namespace strided_slicing

struct StridedSlice {
  static constexpr std::string_view type = "StridedSlice", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("a part of the input by begin, end and stride of each dimension")
        .input("data")
        .input("begin", Role::any)
        .takes_sizes()
        .input("end", Role::any)
        .takes_sizes()
        .optional_input("strides", Role::any)
        .takes_sizes()
        .outputs(1);
    s.attr<std::vector<int64_t>>("begin_mask").attr<std::vector<int64_t>>("end_mask");
    for (const auto name : {"new_axis_mask", "shrink_axis_mask", "ellipsis_mask"})
      s.optional_attr<std::vector<int64_t>>(name);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"an ellipsis stands for a dimension or more", "2024.6",
                      "ngraph/core/src/validation_util.cpp:808", strided_slicing::fits_with_ellipsis}});
  }
  static void symbols(SymbolsContext& c) { slice_symbols(c); }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0);
    Dim n = same_dim(vector_length(c, 1, "begin"), vector_length(c, 2, "end"), "lengths of begin and end");
    if (c.has(3)) n = same_dim(n, vector_length(c, 3, "stride"), "lengths of begin and stride");
    if (!in.has_rank() || !n.is_static()) return c.output(0, c.type(0), Shape::unknown());
    require(n.value() <= bounds_limit, "begin has ", n, " entries; expected at most ", bounds_limit);
    const auto count = static_cast<size_t>(n.value());
    const auto steps = strided_slicing::steps(
        in.size(), strided_slicing::masks(c, count), intervals_or_unknown(c, 1, count),
        intervals_or_unknown(c, 2, count),
        c.has(3) ? intervals_or_unknown(c, 3, count) : std::vector<Interval>(count, Interval(1)));
    output_moved(c, 0, strided_slicing::shape_of(in, steps),
                 [&](const Dims& dims) -> std::optional<Movement> {
                   if (!strided_slicing::exact(steps)) return std::nullopt;
                   return strided_slicing::movement(dims, steps);
                 });
  }
  static void evaluate(EvalContext& c) {
    const auto list = [&](size_t i) {
      const auto ints = c.input(i).to_ints();
      return std::vector<Interval>(ints.begin(), ints.end());
    };
    const auto begin = list(1), end = list(2);
    const auto stride = c.has(3) ? list(3) : std::vector<Interval>(begin.size(), Interval(1));
    require(begin.size() == end.size() && begin.size() == stride.size(), "begin, end and stride have ",
            begin.size(), ", ", end.size(), " and ", stride.size(), " entries; expected the same number");
    const Tensor in = c.input(0);
    const auto steps =
        strided_slicing::steps(in.rank(), strided_slicing::masks(c, begin.size()), begin, end, stride);
    strided_slicing::shape_of(in.shape(), steps);  // checks them
    c.output(0, moved(c, in, strided_slicing::movement(in.dims(), steps)));
  }
};

void register_strided_slice(Registry& r) { r.operation<StridedSlice>(); }

}  // namespace mo::opset
