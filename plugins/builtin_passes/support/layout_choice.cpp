#include "support/layout_choice.hpp"

#include "support/eliminate.hpp"
#include "support/minimum_cut.hpp"

#include <algorithm>
#include <cmath>

namespace mo::builtin_passes {

namespace {

// Of two places of equal cost the one counts where a Transpose is: that is worth less than anything that is
// gained.
constexpr int64_t move_cost = 1, list_cost = 256, reshape_cost = 16 * list_cost,
                  transpose_cost = 64 * reshape_cost;
constexpr int64_t never = int64_t{1} << 40;

using Kind = LayoutItem::Kind;

bool has_channels_first(const Node& n) { return n.definition().has(MO_OP_CHANNELS_FIRST); }

constexpr int most_steps = 64;

bool comes_from_channels_first(const Node& transpose) {
  OutPort p = transpose.in_port(0).get_source();
  for (int steps = 0; steps < most_steps && p; ++steps) {
    const Node n = p.node();
    if (has_channels_first(n)) return true;
    p = n.in_count() == 0 ? OutPort() : n.in_port(0).get_source();
  }
  return false;
}

bool leads_to_channels_first(const Node& transpose) {
  Node n = transpose;
  for (int steps = 0; steps < most_steps && n.out_count() != 0; ++steps) {
    const auto readers = n.out_port().get_destinations();
    if (readers.empty()) return false;
    n = readers.front().node();
    if (has_channels_first(n)) return true;
  }
  return false;
}

Kind kind_of(const Node& transpose) {
  const auto order = order_of(transpose);
  if (!order || order->size() < 3) return Kind::other;
  const bool first = *order == channels_first(order->size()), last = *order == channels_last(order->size());
  if (first && last) {  // of three dimensions: the way there is the way back, what stands around it decides
    const bool from = comes_from_channels_first(transpose), to = leads_to_channels_first(transpose);
    return from == to ? Kind::other : from ? Kind::last : Kind::first;
  }
  return first ? Kind::first : last ? Kind::last : Kind::other;
}

// What little there is between tensors of different sizes lets the smaller one be transposed.
int64_t cost_of(const Shape& s) {
  if (reshape_target(s, channels_first(s.size())) && reshape_target(s, channels_last(s.size())))
    return reshape_cost;
  int64_t size = 0;
  for (const Dim& d : s) size += d.is_static() ? std::ilogb(static_cast<double>(d.value()) + 1) : 8;
  return transpose_cost + std::min<int64_t>(size, 64) * list_cost;
}

// Of the same sizes but for the places of ones, as middle.reshape_transposes writes a Transpose.
bool only_moves_ones(const OpView& v) {
  if (v.op != "Reshape" || v.in_rank(0) != v.out_rank()) return false;
  std::vector<Dim> from, to;
  for (const Dim& d : v.in_shapes[0])
    if (d != Dim(1)) from.push_back(d);
  for (const Dim& d : v.out_shapes[0])
    if (d != Dim(1)) to.push_back(d);
  return from == to;
}

}  // namespace

LayoutChoice::LayoutChoice(const Graph& g) {
  const auto transposes = g.get_op_nodes("Transpose");
  if (std::none_of(transposes.begin(), transposes.end(),
                   [](const Node& n) { return n.opset() == "opset1" && kind_of(n) != Kind::other; }))
    return;
  for (const Node& n : g.topological()) add(n);
  for (LayoutItem& item : items_)
    if (item.kind == Kind::other) read(item);
  for (LayoutItem& item : items_) {
    if (item.kind == Kind::other) continue;
    // What is only read in the model's order takes one Transpose, from whichever order its input has.
    if (item.kind == Kind::last && tensors_[item.tensor].readers == std::vector<Label>{0}) set_free(item);
    read(item);
  }
  for (const LayoutItem& item : items_)
    if (item.kind != Kind::other && item.view.in_rank(0) == 3) keep(item);
}

// The way there is the way back: once moved, it may look like one that is to be moved back.
void LayoutChoice::keep(const LayoutItem& item) {
  if (item.kind == Kind::first) {
    costs_.emplace_back(tensors_[tensor_of(item.view.in[0])].made, move_cost);
  } else {
    for (const Label reader : tensors_[item.tensor].readers) costs_.emplace_back(reader, move_cost);
  }
}

void LayoutChoice::set_free(LayoutItem& item) {
  item.kind = Kind::other;
  item.behaviour = behaviour_of(item.view);
  item.in = labels_++;
  item.out = 0;
  tensors_[item.tensor].made = 0;
}

void LayoutChoice::add(const Node& n) {
  LayoutItem item{OpView(n), {}};
  const OpView& v = item.view;
  if (v.op == "Transpose" && v.opset == "opset1") item.kind = kind_of(n);
  if (item.kind == Kind::other) {
    item.behaviour = behaviour_of(v);
    if (v.op == "ShapeOf") item.behaviour.inputs = {Read::any};
    item.in = item.behaviour.turns ? labels_++ : 0;
    item.out = item.behaviour.out == Behaviour::Out::node  ? item.in
               : item.behaviour.out == Behaviour::Out::own ? labels_++
                                                           : 0;
    // It was a Transpose and has become one with that before it: what is behind that one is no better for it.
    if (item.in > 1 && only_moves_ones(v)) costs_.emplace_back(item.in, move_cost);
  } else {
    item.behaviour.inputs = {Read::node, Read::any};
    item.in = item.kind == Kind::first ? 1 : 0;
    item.out = 1 - item.in;
  }
  item.tensor = tensors_.size();
  for (const Shape& s : v.out_shapes) tensors_.push_back({s, item.out, v.op == "Const", {}});
  places_.emplace(n.id(), items_.size());
  items_.push_back(std::move(item));
}

void LayoutChoice::read(LayoutItem& item) {
  const OpView& v = item.view;
  for (size_t i = 0; i < v.in.size(); ++i) {
    if (!v.has(i)) continue;
    LayoutTensor& t = tensors_[tensor_of(v.in[i])];
    const Read how = item.behaviour.inputs[i];
    if (how == Read::list && !v.is_constant(i)) costs_.emplace_back(item.in, list_cost);
    if (how == Read::spread && !t.constant)
      costs_.emplace_back(item.in, t.shape.rank() == 1 ? reshape_cost : transpose_cost);
    if (v.op == "ShapeOf" && t.made > 1) costs_.emplace_back(t.made, list_cost);
    const Label wanted = how == Read::node ? item.in : 0;
    if (how != Read::node && how != Read::model && how != Read::spread) continue;
    if (std::find(t.readers.begin(), t.readers.end(), wanted) == t.readers.end()) t.readers.push_back(wanted);
  }
}

void LayoutChoice::choose() {
  std::vector<CutEdge> edges;
  uint32_t vertices = labels_;
  for (const auto& [label, cost] : costs_) edges.push_back({label, cut_sink, cost});
  for (LayoutTensor& t : tensors_) {
    if (!t.has_forms() || t.constant || t.readers.empty()) continue;
    if (t.readers == std::vector<Label>{t.made}) continue;
    const int64_t cost = cost_of(t.shape);
    if (t.readers.size() == 1) {
      edges.push_back({t.readers[0], t.made, cost});
      edges.push_back({t.made, t.readers[0], cost});
      continue;
    }
    // One Transpose for all readers that want it turned, and one for those that do not.
    const uint32_t any_turned = vertices++, all_turned = vertices++;
    edges.push_back({any_turned, t.made, cost});
    edges.push_back({t.made, all_turned, cost});
    for (const Label r : t.readers) {
      edges.push_back({r, any_turned, never});
      edges.push_back({all_turned, r, never});
    }
  }
  sides_ = minimum_cut(vertices, edges);
}

}  // namespace mo::builtin_passes
