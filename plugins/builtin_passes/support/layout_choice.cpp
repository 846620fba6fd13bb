#include "support/layout_choice.hpp"

#include "support/minimum_cut.hpp"

#include <algorithm>
#include <cmath>

namespace mo::builtin_passes {

namespace {

constexpr int64_t transpose_cost = 1024, reshape_cost = 16, list_cost = 1;
constexpr int64_t never = int64_t{1} << 40;

using Kind = LayoutItem::Kind;

bool makes_channels_first(std::string_view op) {
  return op == "Convolution" || op == "GroupConvolution" || op == "ConvolutionBackpropData" ||
         op == "GroupConvolutionBackpropData" || op == "MaxPool" || op == "AvgPool";
}

// With three dimensions the way there is the way back: what stands before it decides.
bool comes_from_channels_first(OutPort p) {
  for (int steps = 0; steps < 8 && p; ++steps) {
    const Node n = p.node();
    if (makes_channels_first(n.op())) return true;
    if (n.in_count() == 0 || n.in_count() > 2) return false;
    p = n.in_port(0).get_source();
  }
  return false;
}

Kind kind_of(const Node& transpose) {
  const auto order = order_of(transpose);
  if (!order || order->size() < 3) return Kind::other;
  const bool first = *order == channels_first(order->size()), last = *order == channels_last(order->size());
  if (first && last)
    return comes_from_channels_first(transpose.in_port(0).get_source()) ? Kind::last : Kind::first;
  return first ? Kind::first : last ? Kind::last : Kind::other;
}

// What little there is between tensors of different sizes lets the smaller one be transposed.
int64_t cost_of(const Shape& s) {
  if (reshape_target(s, channels_first(s.size())) && reshape_target(s, channels_last(s.size())))
    return reshape_cost;
  int64_t size = 0;
  for (const Dim& d : s) size += d.is_static() ? std::ilogb(static_cast<double>(d.value()) + 1) : 8;
  return transpose_cost + std::min<int64_t>(size, 64);
}

}  // namespace

LayoutChoice::LayoutChoice(const Graph& g) {
  const auto transposes = g.get_op_nodes("Transpose");
  if (std::none_of(transposes.begin(), transposes.end(),
                   [](const Node& n) { return n.opset() == "opset1" && kind_of(n) != Kind::other; }))
    return;
  for (const Node& n : g.topological()) add(n);
  for (LayoutItem& item : items_) read(item);
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
    if (how == Read::model || how == Read::spread) t.readers.push_back(0);
    if (how == Read::node) t.readers.push_back(item.in);
  }
}

void LayoutChoice::choose() {
  std::vector<CutEdge> edges;
  uint32_t vertices = labels_;
  for (const auto& [label, cost] : costs_) edges.push_back({label, cut_sink, cost});
  for (LayoutTensor& t : tensors_) {
    std::sort(t.readers.begin(), t.readers.end());
    t.readers.erase(std::unique(t.readers.begin(), t.readers.end()), t.readers.end());
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
