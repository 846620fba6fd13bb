// What operations make of the sizes of their inputs.
#include "support/extents.hpp"
#include "support/slices.hpp"

#include <algorithm>

namespace mo::builtin_passes {

namespace {

using OutExtents = std::vector<PortExtents>;
using Ints = std::vector<int64_t>;

// Axes as they are counted in a tensor of this rank; nothing when one is out of it.
std::optional<std::vector<size_t>> places(const std::optional<Ints>& axes, size_t rank) {
  if (!axes) return std::nullopt;
  std::vector<size_t> list;
  const auto r = static_cast<int64_t>(rank);
  for (const int64_t a : *axes) {
    if (a < -r || a >= r) return std::nullopt;
    list.push_back(static_cast<size_t>(a < 0 ? a + r : a));
  }
  return list;
}

// An element of its own where nothing is known, the number where it is fixed.
Extents own_values(const OutPort& p, size_t count) {
  Extents list;
  for (size_t i = 0; i < count; ++i)
    list.push_back({Extent::Kind::element, 0, p.node().id(), p.index(), static_cast<uint32_t>(i)});
  return list;
}

void extents_same(const ExtentsQuery& q, OutExtents& out) { out[0].dims = q.dims(0); }

// Elements are taken at the places that input 1 says, one for each of its own.
void extents_like_indices(const ExtentsQuery& q, OutExtents& out) { out[0].dims = q.dims(1); }

void extents_convert(const ExtentsQuery& q, OutExtents& out) {
  out[0].dims = q.dims(0);
  if (is_integer(q.node.in_port(0).type())) out[0].values = q.values(0);
}

void extents_arithmetic(const ExtentsQuery& q, OutExtents& out) {
  const OutPort p = q.node.out_port();
  const Shape s = p.shape();
  if (q.dims(0) && q.dims(1)) out[0].dims = broadcast_extents(*q.dims(0), *q.dims(1), own_dims(p, s));
  const auto &a = q.values(0), &b = q.values(1);
  const Dim count = s.elements();
  if (!a || !b || s.rank() > 1 || !count.is_static() || count.value() > 64) return;
  const auto n = static_cast<size_t>(count.value());
  out[0].values = own_values(p, n);
  const auto value = p.value();
  const auto at = [](const Extents& list, size_t i) { return list[list.size() == 1 ? 0 : i]; };
  if ((a->size() != 1 && a->size() != n) || (b->size() != 1 && b->size() != n)) return;
  for (size_t i = 0; i < n; ++i)
    if (value && at(*a, i).is_fixed() && at(*b, i).is_fixed())
      (*out[0].values)[i] = fixed_extent(value->integer(i));
}

void extents_shape_of(const ExtentsQuery& q, OutExtents& out) {
  if (!q.dims(0)) return;
  out[0].dims = Extents{fixed_extent(static_cast<int64_t>(q.dims(0)->size()))};
  out[0].values = q.dims(0);
}

void extents_concat(const ExtentsQuery& q, OutExtents& out) {
  const Shape s = q.node.out_port().shape();
  if (!s.has_rank() || s.empty()) return;
  const size_t axis = normalize_axis(q.node.attr<int64_t>("axis"), s.size());
  Extents dims = own_dims(q.node.out_port(), s), values;
  bool sized = true, valued = s.rank() == 1;
  for (size_t i = 0; i < q.in.size(); ++i) {
    if (!q.dims(i) || q.dims(i)->size() != s.size()) return;
    sized = sized && (*q.dims(i))[axis].is_fixed();
    for (size_t d = 0; d < s.size(); ++d) {
      const Extent& e = (*q.dims(i))[d];
      if (d != axis && (i == 0 || e.is_fixed())) dims[d] = e;
    }
    valued = valued && q.values(i);
    if (valued) values.insert(values.end(), q.values(i)->begin(), q.values(i)->end());
  }
  if (sized && s[axis].is_static()) dims[axis] = fixed_extent(s[axis].value());
  out[0].dims = dims;
  if (valued) out[0].values = values;
}

void extents_gather(const ExtentsQuery& q, OutExtents& out) {
  // Rows of a cache: runtimes look for sizes that are read from them.
  if (q.node.in_node(0).op() == "ReadValue") return;
  const auto axis = constant_ints(q.node, 2);
  if (!q.dims(0) || !q.dims(1) || !axis || axis->size() != 1 || q.node.attr<int64_t>("batch_dims", 0) != 0)
    return;
  const auto at = places(axis, q.dims(0)->size());
  if (!at) return;
  Extents dims = *q.dims(0);
  const auto place = dims.begin() + static_cast<std::ptrdiff_t>(at->front());
  dims.insert(dims.erase(place), q.dims(1)->begin(), q.dims(1)->end());
  out[0].dims = dims;
  const auto indices = q.dims(1)->size() <= 1 ? constant_ints(q.node, 1) : std::nullopt;
  if (!q.values(0) || q.dims(0)->size() != 1 || !indices) return;
  const auto list = places(indices, q.values(0)->size());
  if (!list) return;
  out[0].values.emplace();
  for (const size_t i : *list) out[0].values->push_back((*q.values(0))[i]);
}

void extents_slice(const ExtentsQuery& q, OutExtents& out) {
  const auto steps = sliced_dims(q.node);
  if (!q.dims(0) || !steps) return;
  Extents dims;
  const Shape s = q.node.out_port().shape();
  const Extents own = own_dims(q.node.out_port(), s);
  for (const SlicedDim& d : *steps) {
    if (d.kind == SlicedDim::Kind::gone) continue;
    if (dims.size() >= own.size()) return;
    const Extent in = d.kind == SlicedDim::Kind::made ? fixed_extent(1) : (*q.dims(0))[d.axis];
    if (d.kind != SlicedDim::Kind::part)
      dims.push_back(in);
    else
      dims.push_back(in.is_fixed() ? fixed_extent(taken(d, in.value).count) : own[dims.size()]);
  }
  out[0].dims = dims;
  if (!q.values(0) || q.dims(0)->size() != 1 || steps->size() != 1) return;
  const SlicedDim d = steps->front();
  if (d.kind == SlicedDim::Kind::made) return;
  SlicedDim all = d;
  if (d.kind == SlicedDim::Kind::whole) all = {SlicedDim::Kind::part, 0};
  out[0].values.emplace();
  const TakenElements elements = taken(all, static_cast<int64_t>(q.values(0)->size()));
  for (int64_t i = 0; i < elements.count; ++i)
    out[0].values->push_back((*q.values(0))[static_cast<size_t>(elements.at(i))]);
}

void extents_squeeze(const ExtentsQuery& q, OutExtents& out) {
  if (!q.dims(0)) return;
  out[0].values = q.values(0);
  const auto axes = places(constant_ints(q.node, 1), q.dims(0)->size());
  if (!axes) return;
  Extents dims;
  for (size_t i = 0; i < q.dims(0)->size(); ++i)
    if (std::find(axes->begin(), axes->end(), i) == axes->end()) dims.push_back((*q.dims(0))[i]);
  out[0].dims = dims;
}

void extents_unsqueeze(const ExtentsQuery& q, OutExtents& out) {
  if (!q.dims(0)) return;
  out[0].values = q.values(0);
  const auto given = constant_ints(q.node, 1);
  auto axes = places(given, q.dims(0)->size() + (given ? given->size() : 0));
  if (!axes) return;
  std::sort(axes->begin(), axes->end());
  Extents dims = *q.dims(0);
  for (const size_t a : *axes) {
    if (a > dims.size()) return;
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(a), fixed_extent(1));
  }
  out[0].dims = dims;
}

void extents_reshape(const ExtentsQuery& q, OutExtents& out) {
  const Shape s = q.node.out_port().shape();
  if (s.rank() >= 0 && s.rank() <= 1) out[0].values = q.values(0);
  if (!q.dims(0) || !q.values(1) || q.values(1)->size() != s.size()) return;
  const bool special = q.node.attr<bool>("special_zero", false);
  const Extents& in = *q.dims(0);
  Extents dims = own_dims(q.node.out_port(), s);
  std::vector<bool> copied(in.size());
  std::optional<size_t> rest;
  bool others_fixed = true;
  for (size_t i = 0; i < dims.size(); ++i) {
    const Extent& e = (*q.values(1))[i];
    if (e == fixed_extent(-1)) {
      rest = i;
    } else if (special && e == fixed_extent(0)) {
      if (i >= in.size()) return;
      dims[i] = in[i];
      copied[i] = true;
    } else {
      dims[i] = e;
      others_fixed = others_fixed && e.is_fixed();
    }
  }
  // What is left over is fixed when all that may change is copied.
  for (size_t i = 0; i < in.size(); ++i) others_fixed = others_fixed && (copied[i] || in[i].is_fixed());
  if (rest && others_fixed && s[*rest].is_static()) dims[*rest] = fixed_extent(s[*rest].value());
  out[0].dims = dims;
}

void extents_transpose(const ExtentsQuery& q, OutExtents& out) {
  if (!q.dims(0)) return;
  const auto order = places(constant_ints(q.node, 1), q.dims(0)->size());
  if (!order || order->size() != q.dims(0)->size()) return;
  out[0].dims.emplace();
  for (const size_t i : *order) out[0].dims->push_back((*q.dims(0))[i]);
}

void extents_mat_mul(const ExtentsQuery& q, OutExtents& out) {
  if (!q.dims(0) || !q.dims(1) || q.dims(0)->size() < 2 || q.dims(1)->size() < 2) return;
  Extents a = *q.dims(0), b = *q.dims(1);
  if (q.node.attr<bool>("transpose_a", false)) std::swap(a[a.size() - 1], a[a.size() - 2]);
  if (q.node.attr<bool>("transpose_b", false)) std::swap(b[b.size() - 1], b[b.size() - 2]);
  const Extent rows = a[a.size() - 2], columns = b.back();
  a.resize(a.size() - 2);
  b.resize(b.size() - 2);
  Extents own = own_dims(q.node.out_port(), q.node.out_port().shape());
  if (own.size() != std::max(a.size(), b.size()) + 2) return;
  own.resize(own.size() - 2);
  out[0].dims = broadcast_extents(a, b, own);
  out[0].dims->insert(out[0].dims->end(), {rows, columns});
}

// Batch and, where it is known, the number of channels.
void extents_convolution(const ExtentsQuery& q, OutExtents& out) {
  const Shape s = q.node.out_port().shape();
  if (!q.dims(0) || !q.dims(1) || s.size() < 3 || q.dims(1)->size() < 3) return;
  Extents dims = own_dims(q.node.out_port(), s);
  dims[0] = q.dims(0)->front();
  const Extents& w = *q.dims(1);
  const bool grouped = q.op == "GroupConvolution";
  if (w[0].is_fixed() && w[1].is_fixed())
    dims[1] = fixed_extent(grouped ? w[0].value * w[1].value : w[0].value);
  out[0].dims = dims;
}

void extents_pool(const ExtentsQuery& q, OutExtents& out) {
  const Shape s = q.node.out_port().shape();
  if (!q.dims(0) || s.size() < 3 || q.dims(0)->size() != s.size()) return;
  out[0].dims = own_dims(q.node.out_port(), s);
  for (size_t i = 0; i < 2; ++i) (*out[0].dims)[i] = (*q.dims(0))[i];
}

void extents_reduce(const ExtentsQuery& q, OutExtents& out) {
  if (!q.dims(0)) return;
  const auto axes = places(constant_ints(q.node, 1), q.dims(0)->size());
  if (!axes) return;
  const bool keep = q.node.attr<bool>("keep_dims", false);
  Extents dims;
  for (size_t i = 0; i < q.dims(0)->size(); ++i) {
    const bool gone = std::find(axes->begin(), axes->end(), i) != axes->end();
    if (!gone) dims.push_back((*q.dims(0))[i]);
    if (gone && keep) dims.push_back(fixed_extent(1));
  }
  out[0].dims = dims;
}

void extents_split(const ExtentsQuery& q, OutExtents& out) {
  const auto axis = constant_ints(q.node, 1);
  if (!q.dims(0) || !axis || axis->size() != 1) return;
  const auto at = places(axis, q.dims(0)->size());
  if (!at) return;
  for (size_t i = 0; i < out.size(); ++i) {
    const Shape s = q.node.out_port(i).shape();
    if (s.size() != q.dims(0)->size()) return;
    Extents dims = *q.dims(0);
    Extent& cut = dims[at->front()];
    cut = cut.is_fixed() && s[at->front()].is_static() ? fixed_extent(s[at->front()].value())
                                                       : own_dims(q.node.out_port(i), s)[at->front()];
    out[i].dims = dims;
  }
}

void extents_broadcast(const ExtentsQuery& q, OutExtents& out) {
  const std::string mode = q.node.attr<std::string>("mode", "numpy");
  if (mode != "bidirectional") {
    if (q.values(1)) out[0].dims = q.values(1);
  } else if (q.dims(0) && q.values(1)) {
    out[0].dims =
        broadcast_extents(*q.dims(0), *q.values(1), own_dims(q.node.out_port(), q.node.out_port().shape()));
  }
}

void extents_select(const ExtentsQuery& q, OutExtents& out) {
  if (!q.dims(0) || !q.dims(1) || !q.dims(2)) return;
  const Extents own = own_dims(q.node.out_port(), q.node.out_port().shape());
  if (q.dims(1)->size() > own.size() || q.dims(2)->size() > own.size() || q.dims(0)->size() > own.size())
    return;
  out[0].dims = broadcast_extents(broadcast_extents(*q.dims(1), *q.dims(2), own), *q.dims(0), own);
}

void extents_sequence(const ExtentsQuery& q, OutExtents& out) {
  const auto &x = q.dims(0), &h = q.dims(1);
  if (!x || !h || x->size() != 3 || h->size() != 3) return;
  const Extents state{(*x)[0], (*h)[1], (*h)[2]};
  out[0].dims = Extents{(*x)[0], (*h)[1], (*x)[1], (*h)[2]};
  for (size_t i = 1; i < out.size(); ++i) out[i].dims = state;
}

std::map<std::string_view, ExtentsRule> all_extents_rules() {
  std::map<std::string_view, ExtentsRule> rules;
  const auto add = [&](ExtentsRule rule, std::initializer_list<std::string_view> ops) {
    for (const std::string_view op : ops) rules.emplace(op, rule);
  };
  add(extents_same, {"Abs",
                     "Acos",
                     "Acosh",
                     "Asin",
                     "Asinh",
                     "Atan",
                     "Atanh",
                     "BatchNormInference",
                     "BitwiseNot",
                     "Bucketize",
                     "Ceiling",
                     "Clamp",
                     "ConvertLike",
                     "Cos",
                     "Cosh",
                     "CumSum",
                     "Elu",
                     "Erf",
                     "Exp",
                     "FakeConvert",
                     "FakeQuantize",
                     "Floor",
                     "Gelu",
                     "GRN",
                     "GroupNormalization",
                     "HardSigmoid",
                     "HSigmoid",
                     "HSwish",
                     "Inverse",
                     "IsFinite",
                     "IsInf",
                     "IsNaN",
                     "LRN",
                     "Log",
                     "LogSoftmax",
                     "LogicalNot",
                     "MVN",
                     "Mish",
                     "Negative",
                     "NormalizeL2",
                     "PReLU",
                     "ReLU",
                     "Reverse",
                     "ReverseSequence",
                     "Roll",
                     "Round",
                     "ScatterElementsUpdate",
                     "ScatterNDUpdate",
                     "ScatterUpdate",
                     "Selu",
                     "Sigmoid",
                     "Sign",
                     "Sin",
                     "Sinh",
                     "SliceScatter",
                     "SoftMax",
                     "SoftPlus",
                     "SoftSign",
                     "Sqrt",
                     "Swish",
                     "Tan",
                     "Tanh",
                     "Identity"});
  add(extents_convert, {"Convert"});
  add(extents_arithmetic, {"Add",
                           "Subtract",
                           "Multiply",
                           "Divide",
                           "Maximum",
                           "Minimum",
                           "Power",
                           "FloorMod",
                           "Mod",
                           "Equal",
                           "NotEqual",
                           "Less",
                           "LessEqual",
                           "Greater",
                           "GreaterEqual",
                           "LogicalAnd",
                           "LogicalOr",
                           "LogicalXor",
                           "Xor",
                           "BitwiseAnd",
                           "BitwiseOr",
                           "BitwiseXor",
                           "BitwiseLeftShift",
                           "BitwiseRightShift",
                           "SquaredDifference"});
  add(extents_like_indices, {"GatherElements"});
  add(extents_shape_of, {"ShapeOf"});
  add(extents_concat, {"Concat"});
  add(extents_gather, {"Gather"});
  add(extents_slice, {"StridedSlice", "Slice"});
  add(extents_squeeze, {"Squeeze"});
  add(extents_unsqueeze, {"Unsqueeze"});
  add(extents_reshape, {"Reshape"});
  add(extents_transpose, {"Transpose"});
  add(extents_mat_mul, {"MatMul"});
  add(extents_convolution, {"Convolution", "GroupConvolution"});
  add(extents_pool, {"MaxPool", "AvgPool"});
  add(extents_reduce, {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1",
                       "ReduceL2", "ReduceLogicalAnd", "ReduceLogicalOr"});
  add(extents_split, {"Split", "VariadicSplit"});
  add(extents_broadcast, {"Broadcast"});
  add(extents_select, {"Select"});
  add(extents_sequence, {"LSTMSequence", "GRUSequence", "RNNSequence"});
  return rules;
}

}  // namespace

ExtentsRule extents_rule(const std::string& op) {
  static const std::map<std::string_view, ExtentsRule> rules = all_extents_rules();
  const auto found = rules.find(op);
  return found == rules.end() ? nullptr : found->second;
}

}  // namespace mo::builtin_passes
