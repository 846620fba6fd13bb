// Matching a pattern by hand, on one node. What the host does for a registered MatcherPass, done here by
// walking from the node to its inputs:
//
//   mo::Matcher m(mo::wrap_type({"Add"}, {x, mo::constant()}));
//   if (m.match(node)) use(m.state().port(x));
#pragma once

#include <mo/match.hpp>

#include <map>
#include <optional>

namespace mo {

namespace detail {

// Elements of a number or a list of numbers, whatever its kind.
inline std::optional<std::vector<double>> numbers_in(const mo_value& v) {
  const auto list = [&](const auto* items) { return std::vector<double>(items, items + v.count); };
  switch (v.kind) {
    case MO_VALUE_INT:
    case MO_VALUE_BOOL:
      return std::vector<double>{static_cast<double>(v.u.i)};
    case MO_VALUE_FLOAT:
      return std::vector<double>{v.u.f};
    case MO_VALUE_INTS:
      return list(v.u.ints);
    case MO_VALUE_FLOATS:
      return list(v.u.floats);
    case MO_VALUE_BOOLS:
      return list(v.u.bools);
    default:
      return std::nullopt;
  }
}

// As the host compares the attributes of a pattern: numbers by what they say.
inline bool same_value(const mo_value& a, const mo_value& b) {
  if ((a.kind < MO_VALUE_INTS) != (b.kind < MO_VALUE_INTS)) return false;
  if (const auto x = numbers_in(a), y = numbers_in(b); x && y) return *x == *y;
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case MO_VALUE_STRING:
    case MO_VALUE_BYTES:
      return view(a.u.s) == view(b.u.s);
    case MO_VALUE_TYPE:
      return a.u.i == b.u.i;
    case MO_VALUE_SHAPE:
      return Shape(a.u.shape) == Shape(b.u.shape);
    case MO_VALUE_STRINGS:
      return std::equal(a.u.strings, a.u.strings + a.count, b.u.strings, b.u.strings + b.count,
                        [](mo_str x, mo_str y) { return view(x) == view(y); });
    case MO_VALUE_TYPES:
      return std::equal(a.u.types, a.u.types + a.count, b.u.types, b.u.types + b.count);
    default:
      fail("a pattern cannot be matched by hand on an attribute that is ", kind_name(a.kind));
  }
}

}  // namespace detail

class Matcher {
 public:
  explicit Matcher(Pattern root) : root_(std::move(root)) {
    require(root_ != nullptr, "a Matcher needs a pattern");
  }

  bool match(const OutPort& at) {
    clear_state();
    bound_.clear();
    const Goal goal{root_.get(), at, nullptr};
    if (!solve(&goal)) return false;
    std::vector<MatchedPort> ports;
    for (const auto& [pattern, port] : bound_) ports.push_back(matched(*pattern, port));
    state_.emplace(at.node(), std::move(ports));
    return true;
  }
  bool match(const Node& at) { return match(OutPort(at.context(), at.id(), 0)); }

  // What the last match() that said yes found.
  Match& state() {
    require(state_.has_value(), "nothing has been matched");
    return *state_;
  }
  void clear_state() { state_.reset(); }

 private:
  using Bound = std::map<const PatternNode*, OutPort>;
  // What is left to be matched, as a list on the stack: an alternative that leads nowhere is given up
  // together with everything it decided.
  struct Goal {
    const PatternNode* pattern;
    OutPort port;
    const Goal* next;
  };

  bool solve(const Goal* goal) {
    if (goal == nullptr) return predicates_hold();
    const auto before = bound_.find(goal->pattern);
    if (before != bound_.end()) {
      const bool same = goal->pattern->kind_ == MO_PATTERN_OP ? before->second.node() == goal->port.node()
                                                              : before->second == goal->port;
      return same && solve(goal->next);
    }
    switch (goal->pattern->kind_) {
      case MO_PATTERN_OP:
        return solve_op(*goal);
      case MO_PATTERN_ANY:
        return bind_and(*goal, goal->next);
      case MO_PATTERN_OPTIONAL:
        return solve_op(*goal) || solve_through(*goal, goal->pattern->inputs_.front());
      case MO_PATTERN_OR:
        return std::any_of(goal->pattern->inputs_.begin(), goal->pattern->inputs_.end(),
                           [&](const PatternNode::Input& i) { return solve_through(*goal, i); });
      default:
        return false;
    }
  }
  bool bind_and(const Goal& goal, const Goal* next) {
    bound_[goal.pattern] = goal.port;
    if (solve(next)) return true;
    bound_.erase(goal.pattern);
    return false;
  }
  // The port of `goal`, as what `in` wants.
  bool solve_through(const Goal& goal, const PatternNode::Input& in) {
    if (in.out_port >= 0 && goal.port.index() != static_cast<uint32_t>(in.out_port)) return false;
    const Goal inner{in.node.get(), goal.port, goal.next};
    return bind_and(goal, &inner);
  }
  bool solve_op(const Goal& goal) {
    const PatternNode& p = *goal.pattern;
    const Node n = goal.port.node();
    if (!is_one_of(n, p.ops_) || !attributes_fit(p, goal.port) || !consumers_fit(p, n)) return false;
    std::vector<OutPort> sources;
    for (const InPort& in : n.in_ports()) sources.push_back(in.get_source());
    while (!sources.empty() && !sources.back()) sources.pop_back();
    const size_t count = p.inputs_.size();
    const bool variadic = (p.flags_ & MO_PATTERN_VARIADIC) != 0;
    if (variadic ? sources.size() < count : sources.size() != count) return false;
    sources.resize(count);
    if (!std::all_of(sources.begin(), sources.end(), [](const OutPort& s) { return static_cast<bool>(s); }))
      return false;
    bound_[&p] = goal.port;
    if (solve_inputs(goal, sources)) return true;
    if (count == 2 && commutes(n.context(), p)) {
      std::swap(sources[0], sources[1]);
      if (solve_inputs(goal, sources)) return true;
    }
    bound_.erase(&p);
    return false;
  }
  bool commutes(Context c, const PatternNode& p) {
    if ((p.flags_ & (MO_PATTERN_COMMUTATIVE | MO_PATTERN_IN_ORDER)) != 0)
      return (p.flags_ & MO_PATTERN_COMMUTATIVE) != 0;
    const auto [known, is_new] = commutes_.try_emplace(&p, false);
    if (is_new)
      known->second = !p.ops_.empty() && std::all_of(p.ops_.begin(), p.ops_.end(), [&](std::string_view op) {
        const size_t set = op.find("::");
        const mo_operation_def* d = nullptr;
        const bool named = set != std::string_view::npos;
        return c.graph().definition_of(c.get(), str(named ? op.substr(set + 2) : op),
                                       str(named ? op.substr(0, set) : std::string_view()), &d) == MO_OK &&
               (d->flags & MO_OP_COMMUTATIVE) != 0;
      });
    return known->second;
  }
  bool solve_inputs(const Goal& goal, const std::vector<OutPort>& sources) {
    const auto& inputs = goal.pattern->inputs_;
    std::vector<Goal> goals(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].out_port >= 0 && sources[i].index() != static_cast<uint32_t>(inputs[i].out_port))
        return false;
      goals[i] = {inputs[i].node.get(), sources[i], i + 1 < inputs.size() ? &goals[i + 1] : goal.next};
    }
    return solve(goals.empty() ? goal.next : goals.data());
  }

  static bool is_one_of(const Node& n, const std::vector<std::string>& ops) {
    return ops.empty() || std::any_of(ops.begin(), ops.end(), [&](const std::string& o) { return n.is(o); });
  }
  static bool consumers_fit(const PatternNode& p, const Node& n) {
    if ((p.flags_ & MO_PATTERN_ONE_CONSUMER) == 0) return true;
    const auto ports = n.out_ports();
    return std::all_of(ports.begin(), ports.end(),
                       [](const OutPort& o) { return o.destination_count() <= 1; });
  }
  static bool attributes_fit(const PatternNode& p, const OutPort& at) {
    return std::all_of(p.attrs_.begin(), p.attrs_.end(),
                       [&](const PatternNode::Attr& a) { return attribute_fits(a, at); });
  }
  static bool attribute_fits(const PatternNode::Attr& wanted, const OutPort& at) {
    const Node n = at.node();
    const mo_value& w = wanted.value;
    if (wanted.name == "type" && w.kind == MO_VALUE_TYPE) return at.type() == static_cast<ElementType>(w.u.i);
    if (w.kind == MO_VALUE_STRING) {
      const std::string_view value = view(w.u.s);
      if (wanted.name == "op" || wanted.name == "type") return n.op() == value;
      if (wanted.name == "opset") return n.opset() == value;
      if (wanted.name == "name") return n.name() == value;
    }
    mo_value v{};
    const Context c = n.context();
    const mo_status status = c.graph().node_attr(c.get(), n.id(), str(wanted.name), &v);
    if (status == MO_NOT_FOUND) return false;
    c.check(status);
    return detail::same_value(v, w);
  }

  // Predicates are asked last: what they need to know of the other nodes is matched by then.
  bool predicates_hold() const {
    try {
      return std::all_of(bound_.begin(), bound_.end(), [&](const auto& b) {
        return !matched(*b.first, b.second).is_present || b.first->predicates_hold(b.second);
      });
    } catch (const Declined&) {
      return false;
    }
  }
  MatchedPort matched(const PatternNode& p, const OutPort& port) const {
    bool is_present = true;
    if (p.kind_ == MO_PATTERN_OPTIONAL) {
      const auto inner = bound_.find(p.inputs_.front().node.get());
      is_present = inner == bound_.end() || inner->second != port;
    }
    const bool is_operation = p.kind_ == MO_PATTERN_OP || (p.kind_ == MO_PATTERN_OPTIONAL && is_present);
    return {p.alias_, &p, port, is_present, is_operation};
  }

  Pattern root_;
  Bound bound_;
  std::map<const PatternNode*, bool> commutes_;
  std::optional<Match> state_;
};

}  // namespace mo
