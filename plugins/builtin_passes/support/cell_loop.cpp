#include "support/cell_loop.hpp"

#include <mo/port_map.hpp>

#include "support/eliminate.hpp"

#include <map>

namespace mo::builtin_passes {

namespace {

bool is_view(const Node& n) { return n.is("Reshape") || n.is("Squeeze") || n.is("Unsqueeze"); }

// `p` without what leaves the order of its elements as it is.
OutPort viewed(OutPort p) {
  while (p && is_view(p.node())) p = p.node().in_port(0).get_source();
  return p;
}

std::optional<int64_t> only_integer(const OutPort& p) {
  const auto value = p ? p.value() : std::nullopt;
  return value && value->size() == 1 ? std::optional(value->integer(0)) : std::nullopt;
}

bool is_true(const OutPort& p) { return only_integer(p).value_or(0) != 0; }

// `count` is the number of elements of x along the axis, whatever that is.
bool counts(const OutPort& count, const OutPort& x, int64_t axis) {
  const Dim d = x.shape()[static_cast<size_t>(axis)];
  if (const auto known = only_integer(count)) return d == Dim(*known);
  OutPort p = viewed(count);
  // Neither changes a number that is not negative.
  while (p.node().is("Convert") ||
         (p.node().is("Maximum") && only_integer(p.node().in_port(1).get_source()) == 0))
    p = viewed(p.node().in_port(0).get_source());
  const Node pick = p.node();
  if (!pick.is("Gather") || only_integer(pick.in_port(1).get_source()) != axis) return false;
  const OutPort shape = viewed(pick.in_port(0).get_source());
  return shape.node().is("ShapeOf") && shape.node().in_port(0).get_source() == x;
}

class CellLoopReader {
 public:
  explicit CellLoopReader(const Node& n) : n_(n), body_(n.context(), n.attr<GraphHandle>("body").id) {}

  // Nothing where the body is not one cell and what brings its inputs into form; declines where it is, and
  // something else is missing.
  std::optional<CellLoop> read() {
    if (!find_cell()) return std::nullopt;
    read_connections();
    const size_t states = found_.cell.is("LSTMCell") ? 2 : 1;
    only_when(found_.cell.in_count() == states + 4, "its cell has more inputs than a step of a sequence");
    only_when(read_x(),
              "what its cell reads is no slice of one element, from the first step to the last, of a tensor ",
              "of three dimensions");
    for (size_t i = 1; i <= states; ++i)
      only_when(read_state(i), "state ", i, " of its cell does not go from step to step");
    for (size_t i = states + 1; i < states + 4; ++i)
      only_when(read_weights(i), "input ", i, " of its cell is not the same in each step");
    only_when(runs_for_each_step(), "it may run more or less often than there are steps");
    for (const PortMapEntry& e : entries_)
      if (e.output)
        only_when(read_output(e), "output ", e.external,
                  " is not what a cell gives: all its results, or the last one");
    return found_;
  }

 private:
  bool find_cell() {
    for (const Node& n : body_.nodes()) {
      if (n.is("LSTMCell") || n.is("GRUCell") || n.is("RNNCell")) {
        // The first version of LSTMCell has peepholes, and gates in other orders.
        if (found_.cell || n.is("opset1::LSTMCell")) return false;
        found_.cell = n;
      } else if (!n.is("Parameter") && !n.is("Result") && !n.is("Const") && !n.is("Gather") && !is_view(n)) {
        return false;
      }
    }
    return static_cast<bool>(found_.cell);
  }

  void read_connections() {
    for (const std::string& line : n_.attr<std::vector<std::string>>("port_map"))
      entries_.push_back(parse_port_map_entry(line));
    parameters_ = body_.parameters();
    results_ = body_.results();
    const auto edges = n_.attr("back_edges", std::vector<int64_t>{});
    for (size_t i = 0; i + 1 < edges.size(); i += 2)
      next_[edges[i + 1]] = results_.at(static_cast<size_t>(edges[i])).in_port(0).get_source();
    found_.outputs.resize(n_.out_count());
  }

  // How the Parameter at the port is fed; nothing when something else is there.
  const PortMapEntry* feeding(const OutPort& p) const {
    const auto at = std::find(parameters_.begin(), parameters_.end(), p.node());
    if (at == parameters_.end()) return nullptr;
    const auto e = std::find_if(entries_.begin(), entries_.end(), [&](const PortMapEntry& entry) {
      return !entry.output && entry.internal == at - parameters_.begin();
    });
    return e == entries_.end() ? nullptr : &*e;
  }
  OutPort outside(const PortMapEntry& e) const {
    return n_.in_port(static_cast<size_t>(e.external)).get_source();
  }
  // Read as a whole, and the same in each step.
  bool is_fixed(const PortMapEntry& e) const {
    return e.external >= 0 && !e.axis && next_.count(e.internal) == 0;
  }

  bool read_x() {
    const OutPort in = found_.cell.in_port(0).get_source(), step = viewed(in);
    const Node made = step.node();
    const PortMapEntry* from = nullptr;
    if (made.is("Gather")) {
      // The step that the number of the iteration picks.
      from = feeding(made.in_port(0).get_source());
      const PortMapEntry* number = feeding(viewed(made.in_port(1).get_source()));
      const auto axis = only_integer(made.in_port(2).get_source());
      if (!from || !is_fixed(*from) || !number || number->purpose != "current_iteration" || !axis ||
          made.attr("batch_dims", int64_t{0}) != 0)
        return false;
      found_.axis = *axis;
    } else {
      from = feeding(step);
      if (!from || !from->axis || from->part_size != 1) return false;
      found_.axis = *from->axis;
      found_.reverse = from->stride < 0;
      if (!is_whole(*from)) return false;
    }
    found_.x = outside(*from);
    const Shape x = found_.x.shape(), cell = in.shape();
    if (found_.axis < 0) found_.axis += 3;
    return x.size() == 3 && cell.size() == 2 && (found_.axis == 0 || found_.axis == 1) && x[2].is_static() &&
           x[2] == cell[1];
  }

  // From the first step to the last, or from the last to the first, as x is read.
  bool is_whole(const PortMapEntry& e) const {
    return found_.reverse ? e.start == -1 && e.end == 0 && e.stride == -1
                          : e.start == 0 && e.end == -1 && e.stride == 1;
  }

  bool read_state(size_t i) {
    const PortMapEntry* e = feeding(viewed(found_.cell.in_port(i).get_source()));
    if (!e || e->external < 0 || e->axis) return false;
    const auto next = next_.find(e->internal);
    if (next == next_.end() || viewed(next->second) != found_.cell.out_port(i - 1)) return false;
    found_.states.push_back(outside(*e));
    return found_.states.back().shape().has_rank();
  }

  bool read_weights(size_t i) {
    OutPort w = found_.cell.in_port(i).get_source();
    if (!w.node().is("Const")) {
      const PortMapEntry* e = feeding(w);
      if (!e || !is_fixed(*e)) return false;
      w = outside(*e);
    }
    found_.weights.push_back(w);
    return true;
  }

  bool runs_for_each_step() const {
    if (n_.is("TensorIterator")) return true;
    return is_true(n_.in_port(1).get_source()) && counts(n_.in_port(0).get_source(), found_.x, found_.axis);
  }

  // A constant, or the condition before the first step, handed on.
  bool stays_true(const OutPort& condition) const {
    if (is_true(condition)) return true;
    const PortMapEntry* e = feeding(condition);
    if (!e || e->external < 0 || e->axis || !is_true(outside(*e))) return false;
    const auto next = next_.find(e->internal);
    return next == next_.end() || next->second == condition;
  }

  bool read_output(const PortMapEntry& e) {
    const OutPort given = results_.at(static_cast<size_t>(e.internal)).in_port(0).get_source();
    if (e.purpose == "execution_condition" && !stays_true(given)) return false;
    if (e.external < 0) return true;
    const auto hidden = found_.cell.attr<int64_t>("hidden_size");
    const OutPort made = viewed(given);
    const Shape s = given.shape();
    if (made.node() != found_.cell || !s.has_rank() || s.size() < 2 || s.size() > 3 ||
        s[s.size() - 1] != Dim(hidden))
      return false;
    CellLoop::Output out;
    out.state = made == found_.cell.out_port(0) ? 0 : 1;
    out.rank = s.size();
    for (const size_t i : {size_t{0}, size_t{1}})
      if (out.rank == 3 && !out.one && s[i] == Dim(1)) out.one = i;
    if (out.rank == 3 && !out.one) return false;
    if (e.axis) {
      const int64_t axis = *e.axis < 0 ? *e.axis + 3 : *e.axis;
      if (out.rank != 3 || axis > 1 || s[static_cast<size_t>(axis)] != Dim(1) || out.state != 0 ||
          e.part_size != 1 || !is_whole(e))
        return false;
      out.axis = axis;
    }
    found_.outputs.at(static_cast<size_t>(e.external)) = out;
    return true;
  }

  Node n_;
  Graph body_;
  CellLoop found_;
  std::vector<PortMapEntry> entries_;
  Nodes parameters_, results_;
  std::map<int64_t, OutPort> next_;  // by the number of a Parameter: its value in the next step
};

}  // namespace

std::optional<CellLoop> cell_loop(const Node& n) { return CellLoopReader(n).read(); }

}  // namespace mo::builtin_passes
