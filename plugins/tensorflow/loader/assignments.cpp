#include "loader/assignments.hpp"

#include <set>

namespace mo::tensorflow {

namespace assignments {

static bool starts_with(std::string_view s, std::string_view with) {
  return s.substr(0, with.size()) == with;
}
static bool sets(std::string_view op) { return op == "Assign" || op == "AssignVariableOp"; }
static bool adds(std::string_view op) { return op == "AssignAdd" || op == "AssignAddVariableOp"; }
static bool subtracts(std::string_view op) { return op == "AssignSub" || op == "AssignSubVariableOp"; }
// Writes to its first input, and perhaps to others: optimizers.
static bool writes(std::string_view op) {
  if (sets(op) || adds(op) || subtracts(op)) return true;
  if (starts_with(op, "ResourceScatter") || starts_with(op, "ResourceApply")) return true;
  if (starts_with(op, "ResourceSparseApply") || starts_with(op, "SparseApply")) return true;
  return (starts_with(op, "Scatter") && op != "ScatterNd" && op != "ScatterNdNonAliasingAdd") ||
         (starts_with(op, "Apply") && op != "ApplyAdaMaxV2");
}
static bool hands_on(std::string_view op) {
  return op == "Identity" || op == "RefIdentity" || op == "Enter" || op == "RefEnter" || op == "Switch" ||
         op == "RefSwitch";
}
// Behind it, what was written may have been written, or not.
static bool joins(std::string_view op) {
  return op == "Merge" || op == "RefMerge" || op == "NextIteration" || op == "RefNextIteration" ||
         op == "Exit" || op == "RefExit";
}

class Order {
 public:
  Order(TensorflowModel& model, const Scope& scope, Body& body) : model_(model), scope_(scope), body_(body) {}

  void run() {
    if (!find_writers()) return;
    find_what_is_behind();
    struct Edit {
      uint32_t node;
      size_t input;
      std::optional<Source> value;
    };
    std::vector<Edit> edits;
    const auto count = static_cast<uint32_t>(body_.nodes.size());
    for (uint32_t n = 0; n < count; ++n) {
      if (!behind_[n]) continue;
      for (size_t k = 0; k < body_.nodes[n].inputs.size(); ++k) {
        const Source from = body_.nodes[n].inputs[k];
        if (!reads(n, from)) continue;
        const uint32_t v = variable_of(from);
        try {
          const Source value = before(n, v, from, 0);
          if (!(value == from)) edits.push_back({n, k, value});
        } catch (const Error&) {
          edits.push_back({n, k, std::nullopt});
        }
      }
    }
    for (const Edit& e : edits) {
      NodeDef& n = body_.nodes[e.node];
      if (e.value)
        n.inputs[e.input] = *e.value;
      else
        n.op = model_.keep(text(body_.nodes[e.node].op, " of a variable that is written before"));
    }
  }

 private:
  static constexpr uint32_t none = UINT32_MAX;

  // The way is walked once, however many ask along it.
  uint32_t variable_of(Source s) const {
    ends_.resize(body_.nodes.size(), none);  // some are added
    std::vector<uint32_t> way;
    uint32_t n = s.node;
    while (ends_[n] == none && way.size() < ends_.size()) {
      const NodeDef& node = body_.nodes[n];
      if (!hands_on(node.op) || node.inputs.empty()) break;
      way.push_back(n);
      n = node.inputs[0].node;
    }
    const uint32_t end = ends_[n] == none ? n : ends_[n];
    for (const uint32_t passed : way) ends_[passed] = end;
    return end;
  }
  bool is_reference(uint32_t node) const {
    const std::string_view op = body_.nodes[node].op;
    return op == "VariableV2" || op == "Variable";
  }
  bool is_resource(uint32_t node) const {
    const std::string_view op = body_.nodes[node].op;
    return op == "VarHandleOp" || op == "AutoReloadVariable" || op == "_Arg" || op == "Placeholder";
  }

  // Whether a node takes the value, and not the variable itself.
  bool reads(uint32_t node, Source from) const {
    const NodeDef& n = body_.nodes[node];
    if (sets(n.op) || (writes(n.op) && !adds(n.op) && !subtracts(n.op))) return false;
    if (is_reference(from.node))
      return n.op != "RefIdentity" && n.op != "RefEnter" && n.op != "RefSwitch" &&
             n.op != "IsVariableInitialized";
    if (!is_resource(variable_of(from))) return false;
    return n.op == "ReadVariableOp" || n.op == "ResourceGather" || n.op == "ResourceGatherNd" ||
           (!functions_of(n).empty() && written_variables_.count(variable_of(from)) != 0);
  }

  std::vector<std::string_view> functions_of(const NodeDef& n) const {
    std::vector<std::string_view> names;
    if (model_.find_operator(n.op) == nullptr && model_.function(n.op)) names.push_back(n.op);
    for (const wire::Field& f : wire::Message(n.bytes)) {
      if (f.number != field::node::attr) continue;
      const AttrValue a = parse_attr_value(parse_entry(f.bytes()).second);
      if (a.kind != AttrValue::function) continue;
      for (const Bytes m : a.messages) names.push_back(parse_function_value(m).name);
    }
    return names;
  }
  // Whether one of the functions that a node calls, or one that these call, writes to a variable.
  bool calls_writer(const NodeDef& n) {
    const uint64_t most = (uint64_t{1} << 24) + 16 * uint64_t{model_.tensors().file().size()};
    std::vector<std::string_view> waiting = functions_of(n);
    std::set<std::string_view> seen(waiting.begin(), waiting.end());
    while (!waiting.empty()) {
      const auto function = model_.function(waiting.back());
      waiting.pop_back();
      if (!function) continue;
      searched_ += function->size();
      if (searched_ > most) return true;
      for (const wire::Field& f : wire::Message(*function)) {
        if (f.number != field::function::node) continue;
        NodeDef inner;
        inner.bytes = f.bytes();
        for (const wire::Field& part : wire::Message(f.bytes()))
          if (part.number == field::node::op) inner.op = part.bytes();
        if (writes(inner.op)) return true;
        for (const std::string_view name : functions_of(inner))
          if (seen.insert(name).second) waiting.push_back(name);
      }
    }
    return false;
  }

  bool find_writers() {
    writer_.assign(body_.nodes.size(), false);
    for (size_t n = 0; n < body_.nodes.size(); ++n) {
      const NodeDef& node = body_.nodes[n];
      if (!writes(node.op)) continue;
      writer_[n] = true;
      for (const Source& s : node.inputs) written_variables_.insert(variable_of(s));
    }
    bool any = !written_variables_.empty();
    for (size_t n = 0; n < body_.nodes.size(); ++n) {
      const NodeDef& node = body_.nodes[n];
      if (writer_[n] || node.inputs.empty() || node.bytes.empty()) continue;
      const bool given = std::any_of(node.inputs.begin(), node.inputs.end(),
                                     [&](const Source& s) { return is_resource(variable_of(s)); });
      if (!given || !calls_writer(node)) continue;
      writer_[n] = any = true;
    }
    return any;
  }

  template <class F>
  void each_before(uint32_t node, F f) const {
    for (const uint32_t c : body_.nodes[node].controls) f(c);
    for (const Source& s : body_.nodes[node].inputs) f(s.node);
  }

  // Nodes that some writer has to be done before.
  void find_what_is_behind() {
    std::vector<std::vector<uint32_t>> after(body_.nodes.size());
    for (uint32_t n = 0; n < body_.nodes.size(); ++n)
      each_before(n, [&](uint32_t from) { after[from].push_back(n); });
    behind_.assign(body_.nodes.size(), false);
    std::vector<uint32_t> waiting;
    for (uint32_t n = 0; n < body_.nodes.size(); ++n)
      if (writer_[n]) waiting.push_back(n);
    while (!waiting.empty()) {
      const uint32_t n = waiting.back();
      waiting.pop_back();
      for (const uint32_t next : after[n]) {
        if (behind_[next]) continue;
        behind_[next] = true;
        waiting.push_back(next);
      }
    }
  }

  bool writes_to(uint32_t node, uint32_t variable) const {
    if (!writer_[node]) return false;
    const NodeDef& n = body_.nodes[node];
    const bool first_only = sets(n.op) || adds(n.op) || subtracts(n.op);
    for (size_t i = 0; i < n.inputs.size() && (i == 0 || !first_only); ++i)
      if (variable_of(n.inputs[i]) == variable) return true;
    return false;
  }

  // The writers to a variable that come before a node, without those before them. Error when some of them
  // need not have come.
  std::vector<uint32_t> last_writers(uint32_t node, uint32_t variable) const {
    std::vector<uint32_t> waiting, joined, found;
    std::set<uint32_t> seen;
    const auto look_at = [&](uint32_t n) {
      if (!seen.insert(n).second) return;
      if (writes_to(n, variable))
        found.push_back(n);
      else if (behind_[n])
        (joins(body_.nodes[n].op) ? joined : waiting).push_back(n);
    };
    const auto go = [&] {
      while (!waiting.empty()) {
        const uint32_t n = waiting.back();
        waiting.pop_back();
        each_before(n, look_at);
      }
    };
    each_before(node, look_at);
    go();
    const size_t certain = found.size();
    while (!joined.empty()) {
      waiting.push_back(joined.back());
      joined.pop_back();
      go();
    }
    require(found.size() == certain, "written in a branch or a loop");
    return found;
  }

  bool comes_before(uint32_t first, uint32_t second) const {
    std::vector<uint32_t> waiting{second};
    std::set<uint32_t> seen;
    while (!waiting.empty()) {
      const uint32_t n = waiting.back();
      waiting.pop_back();
      if (n == first) return true;
      each_before(n, [&](uint32_t from) {
        if (seen.insert(from).second) waiting.push_back(from);
      });
    }
    return false;
  }

  // What a variable is when a node reads it; `initial` stands for the value that it has in the file.
  Source before(uint32_t node, uint32_t variable, Source initial, int depth) {
    constexpr size_t most = 16;
    constexpr int deepest = 64;
    std::vector<uint32_t> writers = last_writers(node, variable);
    require(writers.size() <= most && depth < deepest, "written too often");
    for (const uint32_t w : std::vector<uint32_t>(writers))
      if (std::any_of(writers.begin(), writers.end(),
                      [&](uint32_t other) { return other != w && comes_before(w, other); }))
        writers.erase(std::remove(writers.begin(), writers.end(), w), writers.end());
    if (writers.empty()) return initial;
    require(writers.size() == 1, "written in no order");
    return after(writers.front(), variable, initial, depth);
  }

  Source after(uint32_t writer, uint32_t variable, Source initial, int depth) {
    const std::string_view op = body_.nodes[writer].op;
    require((sets(op) || adds(op) || subtracts(op)) && body_.nodes[writer].inputs.size() == 2,
            "written by an operator that is for training");
    const Source given = body_.nodes[writer].inputs[1];
    if (sets(op)) return given;
    const auto known = combined_.find(writer);
    if (known != combined_.end()) return known->second;
    NodeDef made;
    made.name = model_.keep(text(body_.nodes[writer].name, "/assigned"));
    made.op = adds(op) ? "AddV2" : "Sub";
    made.inputs = {before(writer, variable, initial, depth + 1), given};
    const bool reference = op == "AssignAdd" || op == "AssignSub";
    if (const auto type = model_.attribute(body_.nodes[writer], reference ? "T" : "dtype", scope_))
      made.made.emplace_back("T", *type);
    const Source value{static_cast<uint32_t>(body_.nodes.size()), 0};
    body_.nodes.push_back(std::move(made));
    writer_.push_back(false);
    behind_.push_back(true);
    return combined_[writer] = value;
  }

  TensorflowModel& model_;
  const Scope& scope_;
  Body& body_;
  std::vector<bool> writer_, behind_;
  mutable std::vector<uint32_t> ends_;  // of variable_of()
  std::set<uint32_t> written_variables_;
  std::map<uint32_t, Source> combined_;
  uint64_t searched_ = 0;  // bytes of functions; a bound for those that call one another without end
};

}  // namespace assignments

void order_assignments(TensorflowModel& model, const Scope& scope, Body& body) {
  assignments::Order(model, scope, body).run();
}

}  // namespace mo::tensorflow
