// Broadcast: data stretched to a target shape. opset3 adds the mode bidirectional, in which the target is
// stretched too.
#include "support/broadcasting.hpp"
#include "support/limits.hpp"
#include "support/movement.hpp"

namespace mo::opset {

namespace broadcasting {

// The data's shape with 1s for the dimensions of the target that axes_mapping leaves out.
static Shape mapped(const Shape& data, const Dims& mapping, size_t rank) {
  require(mapping.size() == data.size(), "axes_mapping has ", mapping.size(),
          " entries but the data has rank ", data.rank());
  Shape r = Shape::of_rank(rank, 1);
  int64_t before = -1;
  for (size_t i = 0; i < mapping.size(); ++i) {
    require(mapping[i] > before && mapping[i] < static_cast<int64_t>(rank), "axes_mapping is ", mapping,
            "; expected growing axes of a target of rank ", rank);
    before = mapping[i];
    r[static_cast<size_t>(mapping[i])] = data[i];
  }
  return r;
}

// Only the data is stretched.
static Shape stretched(const Shape& data, const Shape& target) {
  require(data.size() <= target.size(), "data of shape ", data, " does not broadcast to ", target);
  Shape out = target;
  for (size_t i = 0; i < data.size(); ++i) {
    Dim& d = out[target.size() - data.size() + i];
    if (data[i].contains(1)) continue;
    const auto both = intersect(d, data[i]);
    if (!both) fail("data of shape ", data, " does not broadcast to ", target);
    d = *both;
  }
  // A dimension that may be 1 still has to be the target's when it is not.
  for (size_t i = 0; i < data.size(); ++i) {
    const Dim& d = out[target.size() - data.size() + i];
    if (data[i] != Dim(1) && data[i].min > 0 && !data[i].overlaps(d) && !data[i].contains(1))
      fail("data of shape ", data, " does not broadcast to ", target);
  }
  return out;
}

// `data` has the rank of the result, or less.
static Movement movement(const Dims& data, const Dims& out) {
  const Dims strides = dense_strides(data);
  Dims from(out.size(), 0);
  for (size_t i = 0; i < data.size(); ++i)
    if (data[i] != 1) from[out.size() - data.size() + i] = strides[i];
  return gathered(out, from);
}

// Data as it is aligned with the target, and the result.
struct Shapes {
  Shape data, out;
};
static Shapes shapes_of(const Shape& data, const Shape& target, std::string_view mode,
                        const std::optional<Dims>& map) {
  if (mode == "bidirectional") {
    const auto both = broadcast(data, target);
    if (!both) fail("shapes ", data, " and ", target, " do not broadcast");
    return {data, *both};
  }
  if (!data.has_rank() || !target.has_rank()) return {data, target};
  if (mode == "explicit") {
    if (!map) return {data, target};
    const Shape aligned = mapped(data, *map, target.size());
    return {aligned, stretched(aligned, target)};
  }
  const Shape aligned = mode == "pdpd" ? align_pdpd(target, data, -1) : data;
  return {aligned, stretched(aligned, target)};
}

template <int Version>
struct Broadcast {
  static void schema(OpSchema& s) {
    s.doc("data, target_shape, [axes_mapping for the mode explicit]")
        .input("data")
        .input("target_shape", Role::any)
        .takes_sizes()
        .optional_input("axes_mapping", Role::any)
        .outputs(1);
    s.attr<std::string>("mode", "numpy");
    if constexpr (Version == 1)
      s.one_of({"numpy", "explicit", "pdpd"});
    else
      s.one_of({"numpy", "explicit", "bidirectional"});
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"no device computes the mode pdpd", "",
                      "src/plugins/intel_cpu/src/nodes/broadcast.cpp (isSupportedOperation) of 2026",
                      [](const Node& l) { return l.attr<std::string>("mode", "numpy") != "pdpd"; }}});
  }
  static void symbols(SymbolsContext& c) {
    if (c.attr<std::string>("mode") != "bidirectional")
      c.output(0, c.values(1));
    else if (c.dims(0) && c.values(1))
      c.output(0, spread(*c.dims(0), *c.values(1), c.own_dims()));
  }
  static void infer(InferContext& c) {
    const auto mode = c.attr<std::string>("mode");
    std::optional<Dims> map;
    if (mode == "explicit") {
      require(c.has(2), "mode is explicit but there is no input axes_mapping");
      const Dim n = vector_length(c, 2, "axes_mapping");
      const Shape data = c.shape(0);
      // The mapping of a scalar is a scalar in some models.
      require(!data.has_rank() || n.contains(data.rank()) || data.empty(), "axes_mapping has ", n,
              " entries but the data has rank ", data.rank());
      map = c.ints(2);
      if (map && data.has_rank() && data.empty()) map->clear();
    }
    const Shapes s = shapes_of(c.shape(0), shape_input(c, 1, "target_shape"), mode, map);
    output_moved(c, 0, s.out, [&](const Dims&) -> std::optional<Movement> {
      if (mode == "explicit" && !map) return std::nullopt;
      return movement(s.data.to_static(), s.out.to_static());
    });
  }
  static void evaluate(EvalContext& c) {
    const auto mode = c.attr<std::string>("mode");
    const Tensor in = c.input(0);
    std::optional<Dims> map;
    if (mode == "explicit") map = in.rank() == 0 ? Dims{} : c.input(2).to_ints();
    const Dims target = c.input(1).to_ints();
    for (const int64_t d : target) require(d >= 0, "target_shape is ", target, "; expected 0 or more");
    const Shapes s = shapes_of(in.shape(), Shape(target), mode, map);
    c.output(0, moved(c, in, movement(s.data.to_static(), s.out.to_static())));
  }
};

}  // namespace broadcasting

void register_broadcast(Registry& r) {
  r.operation<broadcasting::Broadcast<1>>("Broadcast", "opset1");
  r.operation<broadcasting::Broadcast<3>>("Broadcast", "opset3");
}

}  // namespace mo::opset
