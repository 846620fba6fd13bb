// Operations that do the same with the same are one:
//   f(ReLU(x)), g(ReLU(x))  ->  f(y), g(y) with y = ReLU(x)
// Constants count as the same when they are equal. They stay layers of their own, whose bytes are stored once:
// old runtimes refuse layers of many readers, new ones fuse less.
#include "support/eliminate.hpp"
#include "support/equal_constants.hpp"
#include "support/simplifying.hpp"

#include <tsl/robin_set.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace mo::builtin_passes {

namespace {

template <class T>
void append_bytes(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_string(std::string& key, std::string_view s) {
  append_bytes(key, s.size());
  key += s;
}

// False for what is not compared: tensors, bodies.
bool append_value(std::string& key, const mo_value& v) {
  append_bytes(key, v.kind);
  append_bytes(key, v.count);
  const auto items = [&](const auto* list) {
    for (uint64_t i = 0; i < v.count; ++i) append_bytes(key, list[i]);
    return true;
  };
  switch (v.kind) {
    case MO_VALUE_INT:
    case MO_VALUE_BOOL:
    case MO_VALUE_TYPE:
      append_bytes(key, v.u.i);
      return true;
    case MO_VALUE_FLOAT:
      append_bytes(key, v.u.f);
      return true;
    case MO_VALUE_STRING:
    case MO_VALUE_BYTES:
      append_string(key, view(v.u.s));
      return true;
    case MO_VALUE_SHAPE:
      append_bytes(key, v.u.shape.rank);
      for (int64_t i = 0; i < v.u.shape.rank; ++i) append_bytes(key, v.u.shape.dims[i]);
      return true;
    case MO_VALUE_INTS:
      return items(v.u.ints);
    case MO_VALUE_FLOATS:
      return items(v.u.floats);
    case MO_VALUE_BOOLS:
      return items(v.u.bools);
    case MO_VALUE_TYPES:
      return items(v.u.types);
    case MO_VALUE_STRINGS:
      for (uint64_t i = 0; i < v.count; ++i) append_string(key, view(v.u.strings[i]));
      return true;
    default:
      return false;
  }
}

// What an operation of an opset does depends on its inputs and attributes alone. Bodies are no values that
// could be compared, and a Result computes nothing.
bool is_pure(const Node& n, const Definition& d, std::string_view opset) {
  return is_operation_set(opset) && d && !d.has(MO_OP_NO_FOLD) && n.out_count() != 0;
}

class SharedOperations {
 public:
  void look_at_all(const Graph& g) {
    open_ = g.nodes();
    open_.erase(std::remove_if(open_.begin(), open_.end(), is_left_alone), open_.end());
    std::reverse(open_.begin(), open_.end());
    waits_.reserve(open_.size());
    for (const Node& n : open_) waits_.insert(n.id());
    while (!open_.empty()) {
      const Node n = open_.back();
      open_.pop_back();
      waits_.erase(n.id());
      if (gone_.count(n.id()) != 0 || !may_have_a_twin(n)) continue;
      if (const auto twin = twin_of(n)) merge(n, *twin);
    }
  }

 private:
  static constexpr size_t most_readers = 16;

  // Constants are most of a graph, and become one elsewhere.
  static bool is_left_alone(const Node& n) { return op_of(n) == "Const"; }

  // Something else of its type reads the same tensors. With many readers, that is found by the key. Constants
  // say nothing: the other one may read an equal one.
  static bool may_have_a_twin(const Node& n) {
    const Context c = n.context();
    uint32_t inputs = 0;
    c.check(c.graph().port_counts(c.get(), n.id(), &inputs, nullptr));
    for (uint32_t i = 0; i < inputs; ++i) {
      const OutPort source = source_of(n, i);
      if (!source || is_constant(source)) continue;
      std::array<mo_port, most_readers> readers{};
      uint64_t count = 0;
      c.check(c.graph().destinations(c.get(), source.abi(), readers.data(), readers.size(), &count));
      if (count < 2) return false;
      if (count > readers.size()) return true;
      const std::string_view op = op_of(n);
      for (uint64_t k = 0; k < count; ++k)
        if (const Node other(c, readers[k].node);
            other != n && op_of(other) == op && reads_alike(n, other, inputs))
          return true;
      return false;
    }
    return false;  // of constants alone, as packed weights are: each reader has its own, as it has its constants
  }

  // The same tensors, or constants; in any order where there are two.
  static bool reads_alike(const Node& a, const Node& b, uint32_t inputs) {
    const auto like = [](const OutPort& x, const OutPort& y) {
      return x == y || (x && y && is_constant(x) && is_constant(y));
    };
    if (inputs == 2) {
      const OutPort a0 = source_of(a, 0), a1 = source_of(a, 1), b0 = source_of(b, 0), b1 = source_of(b, 1);
      return (like(a0, b0) && like(a1, b1)) || (like(a0, b1) && like(a1, b0));
    }
    for (uint32_t i = 0; i < inputs; ++i)
      if (!like(source_of(a, i), source_of(b, i))) return false;
    return true;
  }

  std::optional<std::string> key_of(const Node& n) {
    const std::string op = n.op(), opset = n.opset();
    const Definition definition = n.definition();
    if (!is_pure(n, definition, opset)) return std::nullopt;
    std::string key;
    append_string(key, op);
    append_string(key, opset);
    append_bytes(key, n.out_count());
    std::vector<std::string> inputs;
    for (const InPort& in : n.in_ports()) inputs.push_back(key_of(in.get_source()));
    if (definition.has(MO_OP_COMMUTATIVE)) std::sort(inputs.begin(), inputs.end());
    for (const std::string& i : inputs) append_string(key, i);
    return key;
  }

  // Remembers a node that has none.
  std::optional<Node> twin_of(const Node& n) {
    const auto key = key_of(n);
    if (!key) return std::nullopt;
    auto& alike = first_[*key];
    for (const Node& other : alike)
      if (other != n && gone_.count(other.id()) == 0 && same_inputs(n, other) && same_attributes(n, other))
        return other;
    const bool is_new = std::find(alike.begin(), alike.end(), n) == alike.end();
    if (is_new && alike.size() < most_alike) alike.push_back(n);
    return std::nullopt;
  }

  // An attribute that is not there has its default.
  static bool same_attributes(const Node& a, const Node& b) {
    std::set<std::string> names;
    for (const Node* n : {&a, &b})
      for (const mo_str name :
           detail::list<mo_str>(a.context(), [&](mo_str*items, uint64_t count, uint64_t*all) {
             return a.context().graph().node_attr_names(a.context().get(), n->id(), items, count, all);
           }))
        names.emplace(view(name));
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      const auto x = value_of(a, name), y = value_of(b, name);
      return x && y && *x == *y;
    });
  }

  static std::optional<std::string> value_of(const Node& n, const std::string& name) {
    mo_value v{};
    const Context c = n.context();
    const mo_status status = c.graph().node_attr(c.get(), n.id(), str(name), &v);
    if (status == MO_NOT_FOUND) return std::nullopt;
    c.check(status);
    std::string bytes;
    return append_value(bytes, v) ? std::optional(bytes) : std::nullopt;
  }

  // Of a constant, what it says.
  static std::string key_of(const OutPort& p) {
    std::string key;
    if (!p) return key;
    const auto value = is_constant(p) ? p.value() : std::nullopt;
    if (value && value->type() != ElementType::string) {
      append_bytes(key, sketch_of(p.context(), *value));
      return key;
    }
    append_bytes(key, p.node().id());
    append_bytes(key, p.index());
    return key;
  }

  // Equal keys are no proof that constants are equal.
  static bool same_inputs(const Node& a, const Node& b) {
    const auto same = [](const OutPort& x, const OutPort& y) {
      if (x == y) return true;
      return x && y && is_constant(x) && is_constant(y) && x.value() && y.value() &&
             equal_constants(x.context(), *x.value(), *y.value());
    };
    const auto in = a.in_ports();
    bool all = b.in_count() == in.size();
    for (uint32_t i = 0; i < in.size() && all; ++i) all = same(source_of(a, i), source_of(b, i));
    if (all || in.size() != 2 || !a.definition().has(MO_OP_COMMUTATIVE)) return all;
    return same(source_of(a, 0), source_of(b, 1)) && same(source_of(a, 1), source_of(b, 0));
  }

  void merge(const Node& n, const Node& same) {
    const bool single = n.out_count() == 1;
    for (size_t i = 0; i < n.out_count(); ++i)
      if (n.out_port(i).type() != same.out_port(i).type()) return;
    for (size_t i = 0; i < n.out_count() && !single; ++i)
      if (has_result_consumers(n.out_port(i))) return keeps_name(n, same);
    std::vector<Node> readers;
    for (const OutPort& p : same.out_ports())
      if (p.destination_count() <= most_readers)  // with more, each of them has been remembered
        for (const InPort& reader : p.get_destinations()) readers.push_back(reader.node());
    bool all = true;
    for (size_t i = 0; i < n.out_count(); ++i) {
      const auto moved = n.out_port(i).get_destinations();
      if (!moved.empty() && eliminate(n.out_port(i), same.out_port(i)))
        for (const InPort& reader : moved) readers.push_back(reader.node());
      all = all && n.out_port(i).disconnected();
    }
    if (!all) return keeps_name(n, same);
    gone_.insert(n.id());
    // What reads the one that is left may have a twin now. What is looked at anyway is looked at once,
    // however many of its inputs become one.
    for (auto reader = readers.rbegin(); reader != readers.rend(); ++reader)
      if (waits_.insert(reader->id()).second) open_.push_back(*reader);
  }

  static void keeps_name(const Node& n, const Node& same) {
    pass_over(n, "it does what '", same.name(), "' does, and is an output of the model under its own name");
  }

  std::vector<Node> open_;         // to be looked at, the last one first
  tsl::robin_set<mo_node> waits_;  // those in open_
  std::set<mo_node> gone_;
  static constexpr size_t most_alike = 16;
  std::unordered_map<std::string, std::vector<Node>> first_;
};

}  // namespace

// Compares each node with all others: no pattern says that.
class ShareOperations : public ModelPass {
 public:
  ShareOperations() : ModelPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.share_operations";
    doc = "operations that do the same with the same are one";
    before = R"(
      %x = Parameter -> f32[2,3]
      %a = ReLU@opset1 (%x)
      %b = ReLU@opset1 (%x)
      %e = Exp@opset1 (%a)
      %y = Add@opset1 (%e, %b)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %a = ReLU@opset1 (%x)
      %e = Exp@opset1 (%a)
      %y = Add@opset1 (%e, %a)
      Result (%y))";
    run_after = {"middle.read_dimensions"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override { SharedOperations().look_at_all(g); }
};

void register_share_operations(Registry& r) { simplifying<ShareOperations>(r, Stage::dimensions); }

}  // namespace mo::builtin_passes
