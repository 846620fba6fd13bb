// Reverse: some dimensions the other way round, named by number or by a mask.
#include "support/limits.hpp"
#include "support/movement.hpp"

namespace mo::opset {

namespace reversing {

static Movement movement(const Dims& dims, const std::vector<bool>& turned) {
  Dims from = dense_strides(dims);
  int64_t start = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!turned[i] || dims[i] == 0) continue;
    start += (dims[i] - 1) * from[i];
    from[i] = -from[i];
  }
  return gathered(dims, from, start);
}
static std::vector<bool> chosen(const Dims& list, bool mask, size_t rank) {
  std::vector<bool> turned(rank, false);
  if (mask) {
    require(list.size() == rank, "the mask has ", list.size(), " entries but the rank is ", rank);
    for (size_t i = 0; i < rank; ++i) turned[i] = list[i] != 0;
  } else {
    require(list.size() <= rank, "axes have ", list.size(), " entries but the rank is ", rank);
    for (const int64_t a : list) turned[normalize_axis(a, rank, "an axis")] = true;
  }
  return turned;
}
static bool is_mask(const OpContext& c) { return c.attr<std::string>("mode") == "mask"; }

}  // namespace reversing

struct Reverse {
  static constexpr std::string_view type = "Reverse", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("data, and the dimensions that are turned round")
        .input("data", Role::data)
        .input("axes", Role::axes)
        .keeps_shape()
        .outputs(1);
    s.attr<std::string>("mode").one_of({"index", "mask"});
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"axes count from the start", "2022.3",
                      "ngraph/core/reference/src/coordinate_range.cpp:129", from_start<1>}});
  }
  static void infer(InferContext& c) {
    const bool mask = reversing::is_mask(c);
    mask ? require_boolean(c, 1) : require_integer(c, 1);
    const Shape in = c.shape(0), list = c.shape(1);
    require_rank(list, mask ? "the mask" : "the axes", mask ? 1 : 0, 1);
    const Dim n = !list.has_rank() ? any_dim : list.empty() ? Dim(1) : list[0];
    if (mask && !in.has_rank() && n.is_static() && n.value() <= bounds_limit)
      return c.output(0, c.type(0), Shape::of_rank(static_cast<size_t>(n.value())));
    if (!in.has_rank()) return c.output(0, c.type(0), in);
    require(mask ? n.contains(in.rank()) : n.min <= in.rank(), mask ? "the mask has " : "axes have ", n,
            " entries but the rank is ", in.rank());
    const auto known = c.ints(1);
    const auto turned = known ? std::optional(reversing::chosen(*known, mask, in.size())) : std::nullopt;
    output_moved(c, 0, in, [&](const Dims& dims) -> std::optional<Movement> {
      if (!turned) return std::nullopt;
      return reversing::movement(dims, *turned);
    });
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const auto turned = reversing::chosen(c.input(1).to_ints(), reversing::is_mask(c), in.rank());
    c.output(0, moved(c, in, reversing::movement(in.dims(), turned)));
  }
};

void register_reverse(Registry& r) { r.operation<Reverse>(); }

}  // namespace mo::opset
