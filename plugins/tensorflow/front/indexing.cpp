// Elements and slices that indices choose, and where they are put.
#include "support/known.hpp"

#include <set>

namespace mo::tensorflow {

namespace indexing {

static bool all_differ(const Tensor& indices) {
  if (indices.rank() == 0 || indices.size() > 1U << 20) return false;
  const auto width = static_cast<size_t>(indices.dim(indices.rank() - 1));
  if (width == 0) return false;
  const Ints list = indices.to_ints();
  std::set<Ints> seen;
  for (size_t i = 0; i + width <= list.size(); i += width) {
    const auto from = list.begin() + static_cast<std::ptrdiff_t>(i);
    if (!seen.emplace(from, from + static_cast<std::ptrdiff_t>(width)).second) return false;
  }
  return true;
}

// Slices that replace others.
static OutPort replaced(const Build& b, const OutPort& data, const OutPort& indices, const OutPort& updates) {
  return b.op("ScatterNDUpdate", "opset4", {data, indices, updates});
}

// Slices [rows, …] that are combined with those of the data which `rows`, a list, says.
static OutPort combined(const Build& b, const OutPort& data, const OutPort& rows, const OutPort& slices,
                        std::string_view how) {
  const OutPort shape = b.shape_of(slices);
  const OutPort behind = b.op("Subtract", "opset1", {b.shape_of(b.shape_of(data)), b.list({1})});
  const OutPort ones = b.broadcast(b.integer(1), behind);
  const OutPort places = b.broadcast(b.reshape(rows, b.concat({b.list({-1}), ones})), shape);
  const bool negative = how == "sub";
  const Node n =
      b.node("ScatterElementsUpdate", "opset12",
             {data, places, negative ? b.op("Negative", "opset1", {slices}) : slices, b.integer(0)});
  n.set("reduction", negative ? "sum" : std::string(how)).set("use_init_val", true);
  return n.out_port();
}

// The same with indices of `depth` numbers each, which are counted in one dimension.
static OutPort combined_nd(const Build& b, const OutPort& data, const OutPort& indices,
                           const OutPort& updates, int64_t depth, std::string_view how) {
  const OutPort shape = b.shape_of(data);
  Ports strides;
  for (int64_t i = 0; i < depth; ++i)
    strides.push_back(b.reduce("ReduceProd", b.part(shape, i + 1, depth), b.list({0}), true));
  const OutPort places =
      b.op("Multiply", "opset1", {b.convert(indices, ElementType::i64), b.concat(strides)});
  const OutPort rows = b.reduce("ReduceSum", places, b.list({-1}), false);
  const OutPort flat = b.concat({b.list({-1}), b.part(shape, depth, INT64_MAX)});
  const OutPort all = combined(b, b.reshape(data, flat), rows, b.reshape(updates, flat), how);
  return b.reshape(all, shape);
}

static OutPort scattered(const Build& b, const OutPort& data, const OutPort& indices, const OutPort& updates,
                         std::string_view how) {
  if (how == "none") return replaced(b, data, indices, updates);
  if (!indices.shape().has_rank()) b.graph().infer_marked();
  const Shape s = indices.shape();
  // Indices of no numbers choose the whole of the data, and there are no rows to count.
  const Dim depth = s.has_rank() && !s.empty() ? s[s.size() - 1] : any_dim;
  if (depth.is_static() && depth.value() > 0 && depth.value() < 64)
    return combined_nd(b, data, indices, updates, depth.value(), how);
  return b.node("ScatterNDUpdate", "opset15", {data, indices, updates}).set("reduction", how).out_port();
}

static OutPort gathered(const Build& b, int64_t batch) { return b.gather(b.in(0), b.in(1), batch, batch); }

namespace reductions {
static constexpr char none[] = "none", sum[] = "sum", sub[] = "sub", prod[] = "prod", min[] = "min",
                      max[] = "max";
}

}  // namespace indexing

static Ports gather_first(Build& b, const SourceNode&) { return {indexing::gathered(b, 0)}; }

static Ports resource_gather(Build& b, const SourceNode& n) {
  return {indexing::gathered(b, n.native("batch_dims", 0))};
}

// Slices with the same index are added up.
static Ports scatter_nd(Build& b, const SourceNode&) {
  const OutPort zeros = b.broadcast(b.like(b.in(1), 0), b.in(2));
  const auto indices = b.constant(0);
  const bool differ = indices && indexing::all_differ(*indices);
  return {indexing::scattered(b, zeros, b.in(0), b.in(1), differ ? "none" : "sum")};
}

template <auto& How>
static Ports scatter_into(Build& b, const SourceNode&) {
  return {indexing::scattered(b, b.in(0), b.in(1), b.in(2), How)};
}

// Indices of slices along the first dimension; a scalar update is for all of them.
template <auto& How>
static Ports scatter_rows(Build& b, const SourceNode&) {
  const OutPort data = b.in(0), row = b.part(b.shape_of(data), 1, INT64_MAX);
  OutPort updates = b.in(2);
  const Shape s = updates.shape();
  if (s.has_rank() && s.empty()) updates = b.broadcast(updates, b.concat({b.shape_of(b.in(1)), row}));
  if (std::string_view(How) == "none")
    return {indexing::replaced(b, data, b.unsqueeze(b.in(1), b.list({-1})), updates)};
  const OutPort slices = b.reshape(updates, b.concat({b.list({-1}), row}));
  return {indexing::combined(b, data, b.in(1), slices, How)};
}

// Entry p[i] of the result is i.
static Ports invert_permutation(Build& b, const SourceNode& n) {
  const OutPort p = b.in(0);
  const ElementType type = n.native("T", ElementType::i32);
  const Node places = b.node("Range", "opset4", {b.integer(0), b.squeeze(b.dim(p, 0), {0}), b.integer(1)});
  places.set("output_type", type);
  return {b.op("ScatterElementsUpdate", "opset3", {p, p, places.out_port(), b.integer(0)})};
}

// Whether less than k predictions are greater than that of the target.
static Ports in_top_k(Build& b, const SourceNode& n) {
  require_float(b.in(0), "the input of predictions");
  const OutPort k = n.in_count() > 2 ? b.convert(b.in(2), ElementType::i32)
                                     : b.convert(b.integer(n.native<int64_t>("k")), ElementType::i32);
  const Node of_target = b.node("Gather", "opset7", {b.in(0), b.in(1), b.integer(1)});
  of_target.set("batch_dims", 1);
  const OutPort own = of_target.out_port();
  const OutPort above = b.op("Greater", "opset1", {b.in(0), b.unsqueeze(own, b.list({1}))});
  const OutPort count = b.reduce("ReduceSum", b.convert(above, ElementType::i32), b.list({1}), false);
  const OutPort infinity = b.like(b.in(0), std::numeric_limits<double>::infinity());
  const OutPort finite = b.op("Less", "opset1", {b.op("Abs", "opset1", {own}), infinity});
  return {b.op("LogicalAnd", "opset1", {b.op("Less", "opset1", {count, k}), finite})};
}

void register_indexing(Registry& r) {
  using namespace indexing::reductions;
  replace<gather_first>(r, {"Gather", "Gather(x, indices)", "Gather(x, indices, 0)"});
  replace<resource_gather>(r, {"ResourceGather", "ResourceGather(x, indices)", "Gather(x, indices, batch)"});
  replace<scatter_nd>(r, {"ScatterNd", "ScatterNd(indices, updates, shape)",
                          "ScatterNDUpdate(Broadcast(0, shape), indices, updates)"});
  const auto after = "ScatterElementsUpdate-12(x, rows, updates)";
  replace<scatter_into<sum>>(r, {"TensorScatterAdd", "TensorScatterAdd(x, indices, updates)", after});
  replace<scatter_into<sub>>(r, {"TensorScatterSub", "TensorScatterSub(x, indices, updates)", after});
  replace<scatter_into<max>>(r, {"TensorScatterMax", "TensorScatterMax(x, indices, updates)", after});
  replace<scatter_into<min>>(r, {"TensorScatterMin", "TensorScatterMin(x, indices, updates)", after});
  replace<scatter_into<sum>>(
      r, {"ScatterNdNonAliasingAdd", "ScatterNdNonAliasingAdd(x, indices, updates)", after});
  replace<scatter_into<none>>(r, {"ScatterNdUpdate", "ScatterNdUpdate(x, indices, updates)", after});
  replace<scatter_into<sum>>(r, {"ScatterNdAdd", "ScatterNdAdd(x, indices, updates)", after});
  replace<scatter_into<sub>>(r, {"ScatterNdSub", "ScatterNdSub(x, indices, updates)", after});
  replace<scatter_into<max>>(r, {"ScatterNdMax", "ScatterNdMax(x, indices, updates)", after});
  replace<scatter_into<min>>(r, {"ScatterNdMin", "ScatterNdMin(x, indices, updates)", after});
  const auto rows = "ScatterElementsUpdate-12(x, rows, updates)";
  replace<scatter_rows<none>>(r, {"ScatterUpdate", "ScatterUpdate(x, rows, updates)", rows});
  replace<scatter_rows<sum>>(r, {"ScatterAdd", "ScatterAdd(x, rows, updates)", rows});
  replace<scatter_rows<sub>>(r, {"ScatterSub", "ScatterSub(x, rows, updates)", rows});
  replace<scatter_rows<prod>>(r, {"ScatterMul", "ScatterMul(x, rows, updates)", rows});
  replace<scatter_rows<max>>(r, {"ScatterMax", "ScatterMax(x, rows, updates)", rows});
  replace<scatter_rows<min>>(r, {"ScatterMin", "ScatterMin(x, rows, updates)", rows});
  replace<invert_permutation>(
      r, {"InvertPermutation", "InvertPermutation(p)", "ScatterElementsUpdate(p, p, Range, 0)"});
  replace<in_top_k>(r,
                    {"InTopK", "InTopK(x, targets)", "Less(ReduceSum(Greater(x, Gather(x, targets))), k)"});
  replace<in_top_k>(
      r, {"InTopKV2", "InTopKV2(x, targets, k)", "Less(ReduceSum(Greater(x, Gather(x, targets))), k)"});
}

}  // namespace mo::tensorflow
