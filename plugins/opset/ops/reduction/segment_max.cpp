// SegmentMax: the greatest of the slices that belong to one segment. Slices are sorted by their segments;
// those of no slice are 0 or the lowest number.
#include "support/elements.hpp"
#include "support/first_releases.hpp"
#include "support/inference.hpp"
#include "support/limits.hpp"

namespace mo::opset {

namespace segments {

template <class E>
typename E::computed lowest() {
  if constexpr (E::type == ElementType::f16) return -65504.0F;
  if constexpr (E::type == ElementType::bf16) return bfloat_to_float(0xff7f);
  return std::numeric_limits<typename E::computed>::lowest();
}
static void check_sorted(const std::vector<int64_t>& ids) {
  for (size_t i = 0; i < ids.size(); ++i) {
    require(ids[i] >= 0, "segment_ids has ", ids[i], "; expected 0 or more");
    require(i == 0 || ids[i - 1] <= ids[i], "segment_ids go from ", ids[i == 0 ? 0 : i - 1], " to ", ids[i],
            "; expected sorted ones");
  }
}

// How many segments there are.
static Dim count(const InferContext& c, const Dim& slices) {
  const auto ids = intervals(c, 1);
  if (ids && std::all_of(ids->begin(), ids->end(), [](const Interval& v) { return v.exact(); }))
    check_sorted(*c.ints(1));
  if (c.has(2)) {
    require_integer(c, 2);
    require_elements(c, 2, "num_segments", 1);
    const Interval n = intervals_or_unknown(c, 2, 1)[0];
    require(n.hi >= 0, "num_segments is ", n.hi, "; expected 0 or more");
    return n.to_dim();
  }
  if (slices == Dim(0)) return 0;
  if (!ids || ids->empty()) return {slices.min > 0 ? 1 : 0, -1};
  // They are sorted, so that none is less than one before, and the last one counts.
  int64_t least = 0;
  for (const Interval& v : *ids) least = std::max(least, v.lo);
  const int64_t most = ids->back().hi;
  require(most >= least, "segment_ids end with ", most, " but have ", least, "; expected sorted ones");
  return Interval(detail::checked_add(least, 1), interval::add(most, 1, Interval::highest)).to_dim();
}

}  // namespace segments

struct SegmentMax {
  static constexpr std::string_view type = "SegmentMax", opset = "opset16";
  static void schema(OpSchema& s) {
    s.doc("data, segment_ids, [num_segments]: the greatest of each segment")
        .input("data", Role::fixed, number_types)
        .input("segment_ids", Role::fixed, integer_types)
        .optional_input("num_segments", Role::any)
        .takes_sizes()
        .outputs(1);
    s.attr<std::string>("fill_mode")
        .one_of({"ZERO", "LOWEST", "zero", "lowest"});  // the runtime writes the latter
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"segment_ids and num_segments are i32 or i64", "",
                      "src/core/src/op/segment_max.cpp of 2025", are_i32_or_i64<1, 2>}});
  }
  static void infer(InferContext& c) {
    Shape out = c.shape(0);
    const Shape ids = c.shape(1);
    require_rank(out, "the data", 1, std::numeric_limits<int64_t>::max());
    require_rank(ids, "segment_ids", 1);
    Dim slices = ids.has_rank() ? ids[0] : any_dim;
    if (out.has_rank()) slices = same_dim(slices, out[0], "the numbers of segment_ids and of slices");
    const Dim n = segments::count(c, slices);
    if (out.has_rank()) out[0] = n;
    c.output(0, c.type(0), out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const auto ids = c.input(1).to_ints();
    require(in.rank() >= 1 && static_cast<int64_t>(ids.size()) == in.dim(0), "segment_ids have ", ids.size(),
            " entries for data of shape ", in.shape());
    segments::check_sorted(ids);
    int64_t n = ids.empty() ? 0 : detail::checked_add(ids.back(), 1);
    if (c.has(2)) n = c.input(2).to_ints().at(0);
    require(n >= 0, "num_segments is ", n, "; expected 0 or more");
    auto dims = in.dims();
    dims[0] = n;
    const auto out = create_grown(c, in.type(), dims, in.bytes());
    size_t inner = 1;
    for (size_t i = 1; i < dims.size(); ++i) inner *= static_cast<size_t>(dims[i]);
    for_number(in.type(), [&](auto e) {
      using E = decltype(e);
      if (c.attr<std::string>("fill_mode") == "LOWEST" || c.attr<std::string>("fill_mode") == "lowest")
        for (size_t i = 0, size = out.first.size(); i < size; ++i)
          E::put(out.second, i, segments::lowest<E>());
      for (size_t row = 0; row < ids.size() && ids[row] < n; ++row)
        for (size_t k = 0; k < inner; ++k) {
          const auto v = E::get(in.data(), row * inner + k);
          const size_t to = static_cast<size_t>(ids[row]) * inner + k;
          if (row == 0 || ids[row - 1] != ids[row] || v > E::get(out.second, to)) E::put(out.second, to, v);
        }
    });
    c.output(0, out.first);
  }
};

void register_segment_max(Registry& r) {
  r.operation<SegmentMax>();
  came_with("2025.1", "SegmentMax", "opset16");
}

}  // namespace mo::opset
