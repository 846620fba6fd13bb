#include "core/infer/infer.hpp"
#include "core/infer/replaced_graph.hpp"
#include "core/registry/abi.hpp"

#include <xxhash.h>

namespace mo::core {

namespace {

constexpr int64_t default_fold_limit = int64_t{16} << 20;

bool flag(const Session& s, std::string_view name) {
  const Attribute* a = s.option(name);
  const bool* b = a == nullptr ? nullptr : std::get_if<bool>(a);
  return b != nullptr && *b;
}

uint64_t fold_limit(const Session& s) {
  const Attribute* a = s.option(infer_options::fold_limit);
  const int64_t* limit = a == nullptr ? nullptr : std::get_if<int64_t>(a);
  return static_cast<uint64_t>(limit == nullptr ? default_fold_limit : *limit);
}

// The inputs of a node in the form plugins read.
class Inputs {
  template <class T>
  using Few = boost::container::small_vector<T, 4>;  // nearly every node has fewer

 public:
  // What the graph knows about them.
  Inputs(const Graph& g, NodeId n) {
    for (const InSlot& in : g.node(n).inputs)
      states_.push_back(in.source ? &g.out(in.source).tensor : nullptr);
    describe();
  }
  // What is said about them; nullptr: not connected.
  explicit Inputs(std::span<const TensorState* const> states) : states_(states.begin(), states.end()) {
    describe();
  }
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;
  const mo_tensor_desc* const* data() const { return pointers_.data(); }
  uint32_t size() const { return static_cast<uint32_t>(pointers_.size()); }
  std::span<const TensorState* const> states() const { return {states_.data(), states_.size()}; }
  bool all_have_values() const {
    return std::all_of(states_.begin(), states_.end(),
                       [](const TensorState* t) { return t == nullptr || t->value; });
  }
  bool any_from_shape() const {
    return std::any_of(states_.begin(), states_.end(),
                       [](const TensorState* t) { return t != nullptr && t->from_shape; });
  }
  // What is read twice counts once: else a chain of Concat(x, x) would double its constants for ever.
  uint64_t bytes_of_values() const {
    Few<const mo_tensor*> values;
    for (const TensorState* t : states_)
      if (t != nullptr) values.push_back(t->value.get());
    std::sort(values.begin(), values.end());
    uint64_t sum = 0;
    for (auto v = values.begin(), end = std::unique(values.begin(), values.end()); v != end; ++v)
      sum += (*v)->bytes;
    return sum;
  }
  std::string text_form() const {
    std::string s;
    for (size_t i = 0; i < states_.size(); ++i) {
      if (i != 0) s += ", ";
      if (states_[i] == nullptr)
        s += "not connected";
      else
        s += text(name(states_[i]->type), " ", states_[i]->shape, states_[i]->value ? " (constant)" : "");
    }
    return s.empty() ? "none" : s;
  }

 private:
  void describe() {
    descs_.resize(states_.size());
    pointers_.resize(states_.size());
    for (size_t i = 0; i < states_.size(); ++i) {
      if (states_[i] == nullptr) continue;
      descs_[i] = desc_of(*states_[i]);
      pointers_[i] = &descs_[i];
    }
  }
  Few<mo_tensor_desc> descs_;
  Few<const mo_tensor_desc*> pointers_;
  Few<const TensorState*> states_;
};

// Elements that are all known exactly are a value.
void bounds_to_value(const Session& session, TensorState& t) {
  if (t.bounds.empty() || t.value || !is_integer(t.type) || bits(t.type) < 8) return;
  if (!std::all_of(t.bounds.begin(), t.bounds.end(), [](const Bound& b) { return b.is_exact(); })) return;
  TensorRef value = make_tensor(t.type, t.shape.to_static(), session.memory());
  std::byte* to = value->buffer.get();
  const auto width = static_cast<size_t>(bits(t.type)) / 8;
  for (const Bound& b : t.bounds) {  // little-endian: the low bytes are the narrower integer
    std::memcpy(to, &b.min, width);
    to += width;
  }
  t.value = std::move(value);
  t.bounds.clear();
}

class NodeInference {
 public:
  NodeInference(Session& s, Graph& g, NodeId n, const Operation& op)
      : session_(s), graph_(g), id_(n), op_(op), inputs_(g, n), outputs_(g.node(n).outputs.size()) {}
  NodeInference(Session& s, Graph& g, NodeId n, const Operation& op,
                std::span<const TensorState* const> inputs)
      : session_(s), graph_(g), id_(n), op_(op), inputs_(inputs), outputs_(g.node(n).outputs.size()) {}

  // From what the graph knows, into the graph. True when it knows something else now.
  bool run() {
    check();
    infer();
    if (may_evaluate()) evaluate();
    mark_origin();
    bool changed = false;
    for (uint32_t i = 0; i < outputs_.size(); ++i)
      if (graph_.set_tensor({id_, i}, std::move(outputs_[i]))) changed = true;
    if (graph_.has_bodies()) graph_.forget_changes_of_bodies(id_);
    return changed;
  }

  // The values of all outputs, whatever folding may do.
  std::vector<TensorState> values() {
    check();
    if (!session_.executing && (op_.flags & MO_OP_NO_FOLD) != 0)
      throw located(Failure(Exit::model, "MO0504", "the operation is never folded"));
    infer();
    if (!all_known()) {
      if (op_.evaluate == nullptr)
        throw located(Failure(Exit::model, "MO0504", "the operation has no value inference")
                          .with("hint", "its plugin gives shapes only; to compute it, evaluate is needed"));
      if (!session_.executing && !session_.memory()->try_fold(inputs_.bytes_of_values(), bytes_of_outputs()))
        throw located(Failure(Exit::model, "MO0504", "constants of this model take too long to be computed"));
      if (const std::string why_not = evaluate(); !all_known())
        throw located(Failure(Exit::model, "MO0504",
                              why_not.empty() ? "evaluate left an output without a value" : why_not));
    }
    return std::move(outputs_);
  }

 private:
  void check() const {
    const auto problems = schema_problems(session_, graph_, id_);
    if (problems.empty()) return;
    std::string all;
    for (const auto& p : problems) all += (all.empty() ? "" : "; ") + p;
    throw located(Failure(Exit::model, "MO0502", all));
  }

  bool all_known() const {
    return std::all_of(outputs_.begin(), outputs_.end(),
                       [](const TensorState& t) { return static_cast<bool>(t.value); });
  }

  void infer() {
    if (op_.infer == nullptr) return infer_without_callback();
    Call call(session_);
    prepare(call);
    const mo_infer_args args{sizeof args, node_handle(graph_, id_), inputs_.data(), inputs_.size(),
                             static_cast<uint32_t>(outputs_.size())};
    finish(call, op_.infer(op_.self, call.get(), &args), "infer");
    if (!call->has_output) take_type_of_input();
    for (TensorState& t : outputs_) bounds_to_value(session_, t);
  }

  // What the node replaced tells, when a configuration put it there; otherwise it keeps what is known.
  void infer_without_callback() {
    if (replaced_graph(graph_, id_) != nullptr)
      outputs_ = infer_replaced(session_, graph_, id_);
    else
      for (uint32_t i = 0; i < outputs_.size(); ++i) outputs_[i] = graph_.out({id_, i}).tensor;
    take_type_of_input();
  }

  // Of an operation that says nothing about its outputs.
  void take_type_of_input() {
    const auto states = inputs_.states();
    if (states.empty() || states[0] == nullptr) return;
    for (TensorState& t : outputs_)
      if (t.type == ElementType::unknown) t.type = states[0]->type;
  }

  bool may_evaluate() const {
    if (op_.evaluate == nullptr || (op_.flags & MO_OP_NO_FOLD) != 0 || outputs_.empty() ||
        !inputs_.all_have_values())
      return false;
    if (inputs_.states().empty()) return false;
    if (all_known() || is_stopped()) return false;
    const uint64_t in = inputs_.bytes_of_values(), out = bytes_of_outputs();
    return (out <= in || out <= fold_limit(session_)) && session_.memory()->try_fold(in, out);
  }

  uint64_t bytes_of_outputs() const {
    uint64_t sum = 0;
    for (size_t i = 0; i < outputs_.size(); ++i)
      if (outputs_[i].shape.is_static() && bits(outputs_[i].type) != 0) sum += bytes_of(i);
    return sum;
  }

  uint64_t bytes_of(size_t output) const {
    const auto dims = outputs_[output].shape.to_static();
    try {
      return dense_bytes(outputs_[output].type, dims.data(), static_cast<int64_t>(dims.size()));
    } catch (const Error& e) {
      throw located(Failure(Exit::model, "MO0501", text("output ", output, ": ", e.what())));
    }
  }

  // Where the sizes are known from the values only: what has grown beyond the limit is not kept.
  void drop_what_has_grown() {
    if (session_.executing) return;
    const uint64_t in = inputs_.bytes_of_values();
    uint64_t out = 0;
    for (const TensorState& t : outputs_) out += t.value ? t.value->bytes : 0;
    if (out <= in || out <= fold_limit(session_)) return;
    for (TensorState& t : outputs_) t.value = {};
  }

  bool is_stopped() const {
    const Attribute* a = graph_.attribute(id_, infer_attributes::stop_value_propagation);
    const bool* stopped = a == nullptr ? nullptr : std::get_if<bool>(a);
    return stopped != nullptr && *stopped;
  }

  // Of a plugin that is not built in: it may not change what it reads, and weights are in memory that it can write to.
  std::vector<uint64_t> digests() const {
    std::vector<uint64_t> list;
    if (op_.plugin == nullptr || op_.plugin->built_in) return list;
    for (const TensorState* t : inputs_.states())
      list.push_back(t == nullptr || t->value->lazy ? 0 : XXH3_64bits(t->value->data(), t->value->bytes));
    return list;
  }

  // "" or why there are no values.
  std::string evaluate() {
    const std::vector<uint64_t> before = digests();
    std::vector<TensorState> inferred = outputs_;
    std::vector<mo_tensor*> values;
    for (const TensorState* t : inputs_.states()) values.push_back(t == nullptr ? nullptr : t->value.get());
    {
      Call call(session_);
      prepare(call);
      const mo_evaluate_args args{sizeof args, node_handle(graph_, id_), values.data(), inputs_.size(),
                                  static_cast<uint32_t>(outputs_.size())};
      const mo_status status = op_.evaluate(op_.self, call.get(), &args);
      if (status == MO_NOT_APPLICABLE || status == MO_UNSUPPORTED) {  // shapes are known, this value is not
        outputs_ = std::move(inferred);
        return call->error.empty() ? "no values are computed for these inputs" : call->error;
      }
      finish(call, status, "evaluate");
    }
    if (digests() != before)
      throw located(Failure(Exit::plugin, "MO0503",
                            "evaluate has changed the elements of an input, which it may only read"));
    for (uint32_t i = 0; i < outputs_.size(); ++i) {
      const TensorState &now = outputs_[i], &said = inferred[i];
      const bool type_fits = said.type == ElementType::unknown || said.type == now.type;
      if (now.value && (!type_fits || !merge(said.shape, now.shape)))
        throw located(Failure(Exit::plugin, "MO0503",
                              text("evaluate gives output ", i, " as ", name(now.type), " ", now.shape,
                                   " but infer said ", name(said.type), " ", said.shape)));
    }
    drop_what_has_grown();
    return {};
  }

  // What follows from shapes stays computable when the model is reshaped: it is known, but not folded.
  void mark_origin() {
    bool from_shape = inputs_.any_from_shape();
    if ((op_.flags & MO_OP_SHAPE_SOURCE) != 0) {
      const auto states = inputs_.states();
      from_shape = from_shape || states.empty() || states[0] == nullptr || !states[0]->value;
    }
    from_shape = from_shape && !flag(session_, infer_options::static_shape);
    for (TensorState& t : outputs_) t.from_shape = from_shape && (t.value || !t.bounds.empty());
  }

  void prepare(Call& call) {
    call->plugin = op_.plugin;
    call->graph = &graph_;
    call->node = id_;
    call->outputs = &outputs_;
  }
  void finish(Call& call, mo_status status, std::string_view callback) {
    try {
      call.check(status, callback);
    } catch (Failure& f) {
      f.with("inputs", inputs_.text_form());
      throw;
    }
  }
  Failure located(Failure f) const {
    f.with("node", text("'", graph_.name(id_), "' (", graph_.opset(id_), "::", graph_.op(id_), ")"))
        .at(node_handle(graph_, id_))
        .with("inputs", inputs_.text_form());
    if (op_.plugin != nullptr) f.with("plugin", text(op_.plugin->id, " ", op_.plugin->version));
    return f;
  }

  Session& session_;
  Graph& graph_;
  NodeId id_;
  const Operation& op_;
  Inputs inputs_;
  std::vector<TensorState> outputs_;
};

// A Parameter is what its attributes declare, and where they declare nothing what was known.
bool infer_parameter(Graph& g, NodeId n) {
  if (g.node(n).outputs.empty()) return false;
  TensorState t = g.out({n, 0}).tensor;
  if (const Attribute* a = g.attribute(n, "element_type"))
    if (const auto* type = std::get_if<ElementType>(a)) t.type = *type;
  if (const Attribute* a = g.attribute(n, "shape"))
    if (const auto* shape = std::get_if<std::shared_ptr<const Shape>>(a)) t.shape = **shape;
  return g.set_tensor({n, 0}, std::move(t));
}

}  // namespace

bool infer_node(Session& session, Graph& g, NodeId n) {
  if (g.node(n).op == g.space().parameter) return infer_parameter(g, n);
  const Operation* op = operation_of(session, g, n);
  if (op == nullptr)
    return false;  // Const, Result, or an operation nobody defines: it keeps what is known about it
  return NodeInference(session, g, n, *op).run();
}

std::vector<TensorState> evaluate_node(Session& session, Graph& g, NodeId n,
                                       std::span<const TensorState* const> inputs) {
  const Operation* op = operation_of(session, g, n);
  if (op == nullptr)
    throw Failure(Exit::model, "MO0504", "nobody defines the operation, so it has no values")
        .with("node", describe(g, n))
        .at(node_handle(g, n))
        .with("hint", "load a plugin that knows the operation (--extensions)");
  return NodeInference(session, g, n, *op, inputs).values();
}

}  // namespace mo::core
