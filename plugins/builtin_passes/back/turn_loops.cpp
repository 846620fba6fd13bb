// What is reversed before a loop goes through it is read from the end, and what is reversed afterwards is
// written from the end:
//   Reverse(TensorIterator(Reverse(x)))  ->  TensorIterator(x) with strides of -1
#include "support/eliminate.hpp"
#include "support/expressions.hpp"

#include <mo/port_map.hpp>

#include <algorithm>
#include <numeric>

namespace mo::builtin_passes {

namespace {

using LoopAxes = std::vector<int64_t>;

bool has_known_sizes(const Shape& s) {
  return s.has_rank() && std::all_of(s.begin(), s.end(), [](const Dim& d) { return d.is_static(); });
}

std::optional<LoopAxes> listed(const Node& n, size_t input) {
  if (!n.is_in_port_connected(input) || !n.in_node(input).is("Const")) return std::nullopt;
  return n.in_port(input).value()->to_ints();
}

// The dimension all of whose elements the node gives in the other order.
std::optional<size_t> reversed_axis(const Node& n) {
  if (!n.is("StridedSlice") && !n.is("Slice") && !n.is("ReverseSequence")) return std::nullopt;
  const Shape s = n.in_port(0).get_source().shape();
  if (!has_known_sizes(s) || n.out_port().shape() != s) return std::nullopt;
  if (n.is("ReverseSequence")) {
    const size_t axis = normalize_axis(n.attr("seq_axis", int64_t{1}), s.size());
    const auto lengths = listed(n, 1);
    const bool all = lengths && std::all_of(lengths->begin(), lengths->end(),
                                            [&](int64_t l) { return Dim(l) == s[axis]; });
    return all ? std::optional(axis) : std::nullopt;
  }
  for (const char* mask : {"new_axis_mask", "shrink_axis_mask", "ellipsis_mask"})
    for (const int64_t bit : n.attr(mask, LoopAxes{}))
      if (bit != 0) return std::nullopt;
  const auto steps = listed(n, 3);
  if (!steps) return std::nullopt;
  LoopAxes axes(steps->size());
  std::iota(axes.begin(), axes.end(), 0);
  if (n.is("Slice") && n.is_in_port_connected(4)) {
    const auto own = listed(n, 4);
    if (!own || own->size() != axes.size()) return std::nullopt;
    axes = *own;
  }
  // As many elements as there are: with a step of one, all of them.
  std::optional<size_t> found;
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t axis = normalize_axis(axes[i], s.size());
    if ((*steps)[i] == 1 || s[axis] == Dim(1)) continue;
    if ((*steps)[i] != -1 || found) return std::nullopt;
    found = axis;
  }
  return found;
}

bool is_view(const Node& n) {
  return n.is("Transpose") || n.is("Reshape") || n.is("Squeeze") || n.is("Unsqueeze");
}

// Where a dimension of more than one element is on the other side of a view: from its output to its input, or
// down.
std::optional<size_t> across(const Node& view, size_t axis, bool down) {
  const Shape in = view.in_port(0).get_source().shape(), out = view.out_port().shape();
  if (!has_known_sizes(in) || !has_known_sizes(out)) return std::nullopt;
  if (view.is("Transpose")) {
    const auto order = listed(view, 1);
    if (!order || order->size() != in.size()) return std::nullopt;
    if (!down) return static_cast<size_t>((*order)[axis]);
    return static_cast<size_t>(std::find(order->begin(), order->end(), static_cast<int64_t>(axis)) -
                               order->begin());
  }
  // Only dimensions of one element come or go.
  const auto wide = [](const Shape& s) {
    std::vector<size_t> places;
    for (size_t i = 0; i < s.size(); ++i)
      if (s[i] != Dim(1)) places.push_back(i);
    return places;
  };
  const std::vector<size_t> of_in = wide(in), of_out = wide(out);
  if (!std::equal(of_in.begin(), of_in.end(), of_out.begin(), of_out.end(),
                  [&](size_t a, size_t b) { return in[a] == out[b]; }))
    return std::nullopt;
  const auto &from = down ? of_in : of_out, &to = down ? of_out : of_in;
  const auto at = std::find(from.begin(), from.end(), axis);
  return at == from.end() ? std::nullopt : std::optional(to[static_cast<size_t>(at - from.begin())]);
}

bool is_forward(const PortMapEntry& e) { return e.start == 0 && e.end == -1 && e.stride == 1; }
bool is_backward(const PortMapEntry& e) { return e.start == -1 && e.end == 0 && e.stride == -1; }

class LoopTurner {
 public:
  explicit LoopTurner(const Node& n) : n_(n) {
    for (const std::string& line : n.attr<std::vector<std::string>>("port_map"))
      entries_.push_back(parse_port_map_entry(line));
  }

  void turn() {
    bool turned = false;
    for (PortMapEntry& e : entries_) {
      if (e.external < 0 || !e.axis || e.part_size != 1 || (!is_forward(e) && !is_backward(e))) continue;
      if (!(e.output ? writes_reversed(e) : reads_reversed(e))) continue;
      const bool forward = is_forward(e);
      e.start = forward ? -1 : 0;
      e.end = forward ? 0 : -1;
      e.stride = -e.stride;
      turned = true;
    }
    if (!turned && !why_.empty()) decline(why_);
    if (!turned) return;
    std::vector<std::string> lines(entries_.size());
    for (size_t i = 0; i < lines.size(); ++i) append_text(lines[i], entries_[i]);
    n_.set("port_map", lines);
  }

 private:
  static constexpr size_t most_views = 4;

  // Views that only this loop reads are made again, of what was reversed.
  bool reads_reversed(const PortMapEntry& e) {
    const bool read_once = std::count_if(entries_.begin(), entries_.end(), [&](const PortMapEntry& other) {
                             return !other.output && other.external == e.external;
                           }) == 1;
    const InPort in = n_.in_port(static_cast<size_t>(e.external));
    OutPort p = in.get_source();
    const Shape s = p.shape();
    if (!has_known_sizes(s)) return false;
    std::optional<size_t> axis = normalize_axis(*e.axis, s.size());
    Nodes views;
    for (; axis && is_view(p.node()) && only_reader_of(p) && views.size() < most_views;
         p = p.node().in_port(0).get_source()) {
      views.push_back(p.node());
      axis = across(p.node(), *axis, false);
    }
    if (!axis || !reversed_axis(p.node())) return false;
    if (reversed_axis(p.node()) != axis)
      return leave(p.node(), "is reversed along another axis than the loop slices");
    if (!read_once) return leave(p.node(), "is read by the loop in another way, too");
    OutPort made = p.node().in_port(0).get_source();
    for (auto view = views.rbegin(); view != views.rend(); ++view) {
      std::vector<OutPort> inputs{made};
      for (size_t i = 1; i < view->in_count(); ++i) inputs.push_back(view->in_port(i).get_source());
      made = clone_with_new_inputs(*view, inputs, text(view->name(), "/forward")).out_port();
    }
    in.set_source(made);
    return true;
  }

  bool writes_reversed(const PortMapEntry& e) {
    OutPort p = n_.out_port(static_cast<size_t>(e.external));
    const Shape s = p.shape();
    if (!has_known_sizes(s)) return false;
    std::optional<size_t> axis = normalize_axis(*e.axis, s.size());
    auto next = only_reader_of(p);
    for (size_t i = 0; axis && next && is_view(*next) && next->in_port(0).get_source() == p && i < most_views;
         ++i) {
      axis = across(*next, *axis, true);
      p = next->out_port();
      next = only_reader_of(p);
    }
    if (!axis || !next || !reversed_axis(*next) || next->in_port(0).get_source() != p) return false;
    if (reversed_axis(*next) != axis) return leave(*next, "reverses along another axis than the loop joins");
    return eliminate(next->out_port(), p) ||
           leave(*next, "gives the model an output, whose name cannot move");
  }

  bool leave(const Node& n, std::string_view why) {
    why_ = text("'", n.name(), "' ", why);
    return false;
  }

  Node n_;
  std::vector<PortMapEntry> entries_;
  std::string why_;  // something stays that was near
};

}  // namespace

class TurnLoops : public FrontReplacementOp {
 public:
  TurnLoops() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.turn_loops";
    doc = "a loop reads and writes from the end what is reversed before or after it";
    before = R"(
      %x = Parameter -> f32[2,3,4]
      %from = Const -> i64[3] {0,-1,0}
      %to = Const -> i64[3] {2,-4,4}
      %steps = Const -> i64[3] {1,-1,1}
      %r = StridedSlice@opset1 (%x, %from, %to, %steps) {begin_mask=[1,1,1], end_mask=[1,1,1], new_axis_mask=[0,0,0], shrink_axis_mask=[0,0,0], ellipsis_mask=[0,0,0]}
      %h = Parameter -> f32[2,1,4]
      %y = TensorIterator@opset1 (%r, %h) {
        port_map=["in 0 -> 0 axis=1", "in 1 -> 1", "out 0 <- 0 axis=1"],
        back_edges=[0,1],
        body=graph { %a = Parameter -> f32[2,1,4]
          %b = Parameter -> f32[2,1,4]
          %s = Add@opset1 (%a, %b)
          Result (%s) }}
      %z = StridedSlice@opset1 (%y, %from, %to, %steps) {begin_mask=[1,1,1], end_mask=[1,1,1], new_axis_mask=[0,0,0], shrink_axis_mask=[0,0,0], ellipsis_mask=[0,0,0]}
      Result (%z))";
    after = R"(
      %x = Parameter -> f32[2,3,4]
      %h = Parameter -> f32[2,1,4]
      %y = TensorIterator@opset1 (%x, %h) {
        port_map=["in 0 -> 0 axis=1 start=-1 end=0 stride=-1", "in 1 -> 1", "out 0 <- 0 axis=1 start=-1 end=0 stride=-1"],
        back_edges=[0,1],
        body=graph { %a = Parameter -> f32[2,1,4]
          %b = Parameter -> f32[2,1,4]
          %s = Add@opset1 (%a, %b)
          Result (%s) }}
      Result (%y))";
    op = "TensorIterator";
    run_before = {"back.make_sequences", "back.simplify_again"};
    force_clean_up = true;
  }
  void replace_sub_graph(Graph, Match& m) override { LoopTurner(m["op"]).turn(); }
};

void register_turn_loops(Registry& r) { r.transformation<TurnLoops>(); }

}  // namespace mo::builtin_passes
