// Operations that choose, repeat or resize along dimensions, with inputs that have more than one form.
#include "support/layout_rules.hpp"

#include <algorithm>
#include <numeric>

namespace mo::builtin_passes {

namespace {

using Ints = std::vector<int64_t>;
using Out = Behaviour::Out;

// StridedSlice
Ints mask_of(const Node& n, std::string_view name, size_t length) {
  Ints mask = n.find_attr<Ints>(name).value_or(Ints{});
  mask.resize(length, 0);
  return mask;
}

bool any_set(const Ints& mask) {
  return std::any_of(mask.begin(), mask.end(), [](int64_t bit) { return bit != 0; });
}

size_t list_length(const OpView& v, size_t input) {
  const Shape& s = v.in_shapes[input];
  return s.rank() == 1 && s[0].is_static() ? static_cast<size_t>(s[0].value()) : SIZE_MAX;
}

Behaviour look_strided_slice(const OpView& v) {
  const size_t rank = v.in_rank(0), length = v.has(1) ? list_length(v, 1) : SIZE_MAX;
  if (rank < 3 || length > rank) return stays(v);
  if (any_set(mask_of(v.node, "new_axis_mask", length)) || any_set(mask_of(v.node, "ellipsis_mask", length)))
    return stays(v);
  for (size_t i = 1; i < v.in.size(); ++i)
    if (v.has(i) && length != rank && !v.is_constant(i)) return stays(v);
  std::vector<size_t> gone;
  const Ints shrunk = mask_of(v.node, "shrink_axis_mask", length);
  for (size_t i = 0; i < length; ++i)
    if (shrunk[i] != 0) gone.push_back(i);
  const auto out = out_without(rank, gone);
  if (!out) return stays(v);
  Behaviour b = turning(v, rank, *out);
  b.inputs[0] = Read::node;
  return b;
}

void turn_strided_slice(const Turn& t) {
  if (!t.in) return;
  const OpView& v = t.view;
  const size_t rank = t.behaviour.rank, length = list_length(v, 1);
  const Order order = channels_first(rank);
  for (size_t i = 1; i < v.in.size(); ++i) {
    if (!v.has(i)) continue;
    if (!v.is_constant(i)) {
      v.node.in_port(i).set_source(t.lists.permuted(v.in[i], order));
      continue;
    }
    Ints values = *v.ints(i);
    values.resize(rank, i == 3 ? 1 : 0);
    set_ints(t, i, permuted(values, order));
  }
  for (const std::string_view name : {"begin_mask", "end_mask"}) {
    Ints mask = mask_of(v.node, name, length);
    mask.resize(rank, 1);  // the whole of what is not listed
    v.node.set(name, permuted(mask, order));
  }
  v.node.set("shrink_axis_mask", permuted(mask_of(v.node, "shrink_axis_mask", rank), order));
  for (const std::string_view name : {"new_axis_mask", "ellipsis_mask"})
    if (v.node.has(name)) v.node.set(name, Ints(rank, 0));
}

// Slice
std::optional<Ints> slice_axes(const OpView& v) {
  if (v.has(4)) return v.ints(4);
  const size_t length = list_length(v, 1);
  if (length > v.in_rank(0)) return std::nullopt;
  Ints axes(length);
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

Behaviour look_slice(const OpView& v) {
  const size_t rank = v.in_rank(0);
  const auto axes = rank >= 3 && v.has(1) ? slice_axes(v) : std::nullopt;
  if (!axes || !axes_in(*axes, rank)) return stays(v);
  Behaviour b = turning(v, rank, Out::node);
  b.inputs[0] = Read::node;
  return b;
}

void turn_slice(const Turn& t) {
  if (!t.in) return;
  Ints axes = *slice_axes(t.view);
  const size_t rank = t.behaviour.rank;
  for (int64_t& a : axes) a = static_cast<int64_t>(turned_axis(normalize_axis(a, rank), rank));
  set_ints(t, 4, axes);
}

// Gather
Behaviour look_gather(const OpView& v) {
  const size_t rank = v.in_rank(0);
  const auto axis = v.ints(2);
  if (rank < 3 || !axis || axis->size() != 1 || v.node.attr<int64_t>("batch_dims", 0) != 0) return stays(v);
  const auto at = axes_in(*axis, rank);
  const int64_t indices = v.in_shapes[1].rank();
  if (!at || indices < 0 || indices > 1) return stays(v);
  const auto out = indices == 1 ? std::optional(Out::node) : out_without(rank, *at);
  if (!out) return stays(v);
  Behaviour b = turning(v, rank, *out);
  b.inputs = {Read::node, Read::any, Read::axes};
  return b;
}

void turn_gather(const Turn& t) {
  if (t.in) turn_axes_input(t, 2, t.behaviour.rank);
}

// Interpolate
size_t axes_input_of(const OpView& v) { return v.opset == "opset11" ? 2 : 3; }

bool is_turnable_padding(const OpView& v, std::string_view name, size_t rank) {
  const Ints list = v.node.find_attr<Ints>(name).value_or(Ints{});
  return list.size() == rank || !any_set(list);
}

Behaviour look_interpolate(const OpView& v) {
  const size_t rank = v.in_rank(0);
  if (rank < 3 || !is_turnable_padding(v, "pads_begin", rank) || !is_turnable_padding(v, "pads_end", rank))
    return stays(v);
  Behaviour b = turning(v, rank, Out::node);
  b.inputs[0] = Read::node;
  if (v.opset == "opset1") return axes_in(v.node.attr<Ints>("axes", Ints{}), rank) ? b : stays(v);
  const size_t at = axes_input_of(v);
  if (v.has(at)) {
    const auto axes = v.ints(at);
    if (!axes || !axes_in(*axes, rank)) return stays(v);
    b.inputs[at] = Read::axes;
    return b;
  }
  for (size_t i = 1; i < v.in.size() && i < at; ++i) {
    if (!v.has(i)) continue;
    if (!v.is_list(i, rank)) return stays(v);
    b.inputs[i] = Read::list;
  }
  return b;
}

void turn_interpolate(const Turn& t) {
  if (!t.in) return;
  const OpView& v = t.view;
  for (size_t i = 1; i < v.in.size(); ++i) {
    if (t.behaviour.inputs[i] == Read::axes) turn_axes_input(t, i, t.behaviour.rank);
    if (t.behaviour.inputs[i] == Read::list)
      v.node.in_port(i).set_source(t.lists.permuted(v.in[i], channels_first(t.behaviour.rank)));
  }
  if (v.opset == "opset1") turn_axes_attribute(t, "axes");
  for (const std::string_view name : {"pads_begin", "pads_end"}) turn_list_attribute(t, name);
}

// Broadcast
Behaviour look_broadcast(const OpView& v) {
  const size_t rank = v.out_rank();
  const auto mode = v.node.attr<std::string>("mode", "numpy");
  if (rank < 3 || (mode != "numpy" && mode != "bidirectional") || !v.is_list(1, rank)) return stays(v);
  const Shape& s = v.in_shapes[0];
  if (!s.has_rank() || s.size() > rank) return stays(v);
  Behaviour b = turning(v, rank, Out::node);
  b.inputs[0] = s.size() == rank ? Read::node : s.elements() == Dim(1) ? Read::any : Read::spread;
  b.inputs[1] = Read::list;
  return b;
}

void turn_broadcast(const Turn& t) {
  if (!t.in) return;
  t.view.node.in_port(1).set_source(t.lists.permuted(t.view.in[1], channels_first(t.behaviour.rank)));
}

// Reverse: the dimensions are numbered, or marked in a list of all
Behaviour look_reverse(const OpView& v) {
  if (v.node.attr<std::string>("mode", "index") != "mask") return look_declared(v);
  const size_t rank = v.out_rank();
  if (rank < 3 || v.in_rank(0) != rank || !v.is_list(1, rank)) return stays(v);
  Behaviour b = turning(v, rank, Out::node);
  b.inputs = {Read::node, Read::list};
  return b;
}

// SpaceToBatch, BatchToSpace: blocks are counted in the order of their dimensions, so channels may have none
Behaviour look_blocks(const OpView& v) {
  const auto block = v.ints(1);
  return block && !block->empty() && block->back() == 1 ? look_declared(v) : stays(v);
}

}  // namespace

void add_rules_of_slices(LayoutRules& rules) {
  rules["StridedSlice"] = {&look_strided_slice, &turn_strided_slice};
  rules["Slice"] = {&look_slice, &turn_slice};
  rules["Gather"] = {&look_gather, &turn_gather};
  rules["Interpolate"] = {&look_interpolate, &turn_interpolate};
  rules["Reverse"] = {&look_reverse, &turn_declared};
  rules["SpaceToBatch"] = rules["BatchToSpace"] = {&look_blocks, &turn_declared};
  rules["Broadcast"] = {&look_broadcast, &turn_broadcast};
}

}  // namespace mo::builtin_passes
