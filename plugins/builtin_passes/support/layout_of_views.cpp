// Operations that take dimensions away, put some in, or count the same elements in other ones.
#include "support/layout_rules.hpp"

#include <algorithm>
#include <numeric>

namespace mo::builtin_passes {

namespace {

using Ints = std::vector<int64_t>;
using Out = Behaviour::Out;

// Squeeze, Unsqueeze
Behaviour look_squeeze(const OpView& v) {
  const size_t rank = v.in_rank(0);
  if (rank < 3 || v.node.attr<bool>("allow_axis_skip", false)) return stays(v);
  std::optional<std::vector<size_t>> gone;
  if (v.has(1)) {
    const auto values = v.ints(1);
    if (values) gone = axes_in(*values, rank);
  } else {
    gone.emplace();
    for (size_t i = 0; i < rank; ++i) {
      if (v.in_shapes[0][i] == Dim(1))
        gone->push_back(i);
      else if (v.in_shapes[0][i].contains(1))
        return stays(v);
    }
  }
  const auto out = gone ? out_without(rank, *gone) : std::nullopt;
  if (!out) return stays(v);
  Behaviour b = turning(v, rank, *out);
  b.inputs[0] = Read::node;
  return b;
}

void turn_squeeze(const Turn& t) {
  if (t.in && t.view.has(1)) turn_axes_input(t, 1, t.behaviour.rank);
}

// The other way round: what is put in is gone from the result.
Behaviour look_unsqueeze(const OpView& v) {
  const size_t rank = v.out_rank();
  const auto values = v.ints(1);
  const auto axes = values && rank >= 3 ? axes_in(*values, rank) : std::nullopt;
  const auto rest = axes ? out_without(rank, *axes) : std::nullopt;
  if (!rest) return stays(v);
  Behaviour b = turning(v, rank, *rest == Out::node ? Out::node : Out::own);
  b.turns = *rest == Out::node;
  b.inputs[0] = b.turns ? Read::node : Read::model;
  return b;
}

void turn_unsqueeze(const Turn& t) {
  if (t.out) turn_axes_input(t, 1, t.behaviour.rank);
}

// Reshape
// The target for inputs and results that are turned, or nothing when it cannot be told. 0 stands for the
// dimension of the input at the same place.
std::optional<Ints> turned_target(const OpView& v, const Ints& target, bool in, bool out) {
  const size_t rank = target.size(), in_rank = v.in_rank(0);
  const bool zeros = v.node.attr<bool>("special_zero", false);
  const Order order = channels_first(rank);
  bool rest = std::find(target.begin(), target.end(), -1) != target.end();
  Ints result;
  for (size_t j = 0; j < rank; ++j) {
    const size_t i = out ? static_cast<size_t>(order[j]) : j;
    int64_t d = target[i];
    const bool copied = zeros && d == 0;
    if (copied && (in ? turned_axis(i, in_rank) : i) != j) {
      const Dim known = v.out_shapes[0][i];
      if (!known.is_static() && rest) return std::nullopt;
      d = known.is_static() ? known.value() : -1;
      if (d == 0) return std::nullopt;  // an empty dimension
      rest = rest || d == -1;
    }
    result.push_back(d);
  }
  return result;
}

Dim product_inside(const Shape& s) {
  Dim product = 1;
  for (size_t i = 1; i + 1 < s.size(); ++i) product = product * s[i];
  return product;
}

bool same_size(const Dim& a, const Dim& b) { return a.is_static() && a == b; }

// The first dimension and the channels are what they were: only what is between them is counted otherwise.
bool keeps_ends(const OpView& v, const std::optional<Ints>& target) {
  const Shape &x = v.in_shapes[0], &y = v.out_shapes[0];
  const bool zeros = target && v.node.attr<bool>("special_zero", false);
  const bool last = same_size(x.back(), y.back()) || (zeros && target->back() == 0 && x.size() == y.size());
  if (!last) return false;
  if (same_size(x[0], y[0]) || (zeros && target->front() == 0)) return true;
  const Dim inside = product_inside(x);
  return inside != Dim(0) && x.back() != Dim(0) && same_size(inside, product_inside(y));
}

Behaviour look_reshape(const OpView& v) {
  const size_t in_rank = v.in_rank(0), rank = v.out_rank();
  if (!v.in_shapes[0].has_rank() || !v.out_shapes[0].has_rank() || !v.is_list(1, rank)) return stays(v);
  if (in_rank < 3 && rank < 3) return stays(v);
  const auto target = v.is_constant(1) ? v.ints(1) : std::nullopt;
  if (!target && v.node.attr<bool>("special_zero", false)) {
    const auto now = v.ints(1);
    if (!now || std::find(now->begin(), now->end(), 0) != now->end()) return stays(v);
  }
  const bool free_in = in_rank >= 3 && keeps_elements_in_place(v.in_shapes[0], channels_first(in_rank));
  const bool free_out = rank >= 3 && keeps_elements_in_place(v.out_shapes[0], channels_first(rank));
  Behaviour b = turning(v, rank, free_out ? Out::own : Out::model);
  b.turns = free_in;
  b.inputs = {free_in ? Read::node : Read::model, Read::any};
  if (!free_in && !free_out) {
    if (in_rank < 3 || rank < 3 || !keeps_ends(v, target)) return stays(v);
    b.turns = true;
    b.out = Out::node;
    b.inputs[0] = Read::node;
  }
  const auto possible = [&](bool in, bool out) { return !target || turned_target(v, *target, in, out); };
  const bool all = b.out == Out::node
                       ? possible(true, true)
                       : (!free_in || possible(true, false)) && (!free_out || possible(false, true)) &&
                             (!free_in || !free_out || possible(true, true));
  return all ? b : stays(v);
}

void turn_reshape(const Turn& t) {
  if (t.view.is_constant(1)) {
    const Ints target = *t.view.ints(1), now = *turned_target(t.view, target, t.in, t.out);
    if (now != target) set_ints(t, 1, now);
  } else if (t.out) {
    t.view.node.in_port(1).set_source(t.lists.permuted(t.view.in[1], channels_first(t.behaviour.rank)));
  }
}

// Transpose: an order that has nothing to do with channels. Another one does the same between turned tensors.
Behaviour look_transpose(const OpView& v) {
  const size_t rank = v.out_rank();
  const auto written = v.ints(1);
  if (rank < 3 || v.in_rank(0) != rank || !written || !order_of(*written, rank)) return stays(v);
  Behaviour b = turning(v, rank, Out::own);
  b.inputs[0] = Read::node;
  return b;
}

void turn_transpose(const Turn& t) {
  const size_t rank = t.behaviour.rank;
  Order order = *order_of(*t.view.ints(1), rank);
  if (t.in)
    for (int64_t& d : order) d = static_cast<int64_t>(turned_axis(static_cast<size_t>(d), rank));
  if (t.out) order = permuted(order, channels_first(rank));
  set_ints(t, 1, order);
}

}  // namespace

void add_rules_of_views(LayoutRules& rules) {
  rules["Squeeze"] = {&look_squeeze, &turn_squeeze};
  rules["Unsqueeze"] = {&look_unsqueeze, &turn_unsqueeze};
  rules["Reshape"] = {&look_reshape, &turn_reshape};
  rules["Transpose"] = {&look_transpose, &turn_transpose};
}

}  // namespace mo::builtin_passes
