// Operations: schema, inference, values. An operation is a type with static functions:
//
//   struct Clamp {
//     static constexpr std::string_view type = "Clamp", opset = "opset1";
//     static void schema(mo::OpSchema& s) { s.inputs(1).outputs(1).attr<double>("min").attr<double>("max"); }
//     static void infer(mo::InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
//     static void evaluate(mo::EvalContext& c) { … }                 // optional: values
//     static void ir_attrs(mo::Node n, mo::IrAttributes& out) { … }  // optional: computed IR attributes
//     static void symbols(mo::SymbolsContext& c) { … }               // optional: where sizes come from
//   };
//   registry.operation<Clamp>();
#pragma once

#include <mo/symbols.hpp>

#include <limits>

namespace mo {

inline constexpr uint32_t any_number = std::numeric_limits<uint32_t>::max();

// Element types that an input or output may have.
using ElementTypes = uint64_t;
inline constexpr ElementTypes any_type = 0;
constexpr ElementTypes one_of_types(std::initializer_list<ElementType> list) {
  ElementTypes bits = 0;
  for (const ElementType t : list) bits |= ElementTypes{1} << static_cast<unsigned>(t);
  return bits;
}
constexpr ElementTypes types_that(bool (*fits)(ElementType)) {
  ElementTypes bits = 0;
  for (const auto& e : element_types)
    if (fits(e.type)) bits |= one_of_types({e.type});
  return bits;
}
inline constexpr ElementTypes float_types = types_that([](ElementType t) { return is_float(t); }),
                              integer_types = types_that([](ElementType t) { return is_integer(t); }),
                              number_types = float_types | integer_types,
                              boolean_type = one_of_types({ElementType::boolean});

// How an operation is said to be:
//   s.input("data", Role::data).input("axes", Role::axes).attr<bool>("keep_dims", false);
// Roles say what follows when dimensions change their order (mo/plugin.h, MO_ROLE_). Inputs that are only
// counted, with inputs(), have no names in messages.
class OpSchema {
 public:
  OpSchema& doc(std::string_view line) {
    doc_ = line;
    return *this;
  }
  OpSchema& inputs(uint32_t exactly) { return inputs(exactly, exactly); }
  OpSchema& inputs(uint32_t least, uint32_t most) {
    min_in_ = least;
    max_in_ = most;
    return *this;
  }
  OpSchema& outputs(uint32_t exactly) { return outputs(exactly, exactly); }
  OpSchema& outputs(uint32_t least, uint32_t most) {
    min_out_ = least;
    max_out_ = most;
    return *this;
  }
  OpSchema& input(std::string_view name, Role role = Role::none, ElementTypes types = any_type) {
    min_in_ = ++max_in_;
    return port(in_, name, role, types);
  }
  OpSchema& inputs(std::initializer_list<std::string_view> names, Role role = Role::none) {
    for (const std::string_view name : names) input(name, role);
    return *this;
  }
  // They may be left out.
  OpSchema& optional_inputs(std::initializer_list<std::string_view> names, Role role = Role::none) {
    for (const std::string_view name : names) optional_input(name, role);
    return *this;
  }
  OpSchema& optional_input(std::string_view name, Role role = Role::none, ElementTypes types = any_type) {
    ++max_in_;
    return port(in_, name, role, types);
  }
  // All that follow, `least` of them or more.
  OpSchema& input_list(std::string_view name, uint32_t least = 0, Role role = Role::none,
                       ElementTypes types = any_type) {
    min_in_ += least;
    max_in_ = any_number;
    return port(in_, name, role, types);
  }
  OpSchema& outputs(std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) output(name);
    return *this;
  }
  OpSchema& output(std::string_view name, ElementTypes types = any_type) {
    min_out_ = max_out_ = static_cast<uint32_t>(out_.size()) + 1;
    return port(out_, name, Role::none, types);
  }
  // Of the last input: it is a shape, sizes or positions, and nothing that it is computed from may lose
  // digits.
  OpSchema& takes_sizes() {
    in_.back().flags |= MO_PORT_TAKES_SIZES;
    return *this;
  }
  OpSchema& flags(uint32_t op_flags) {
    flags_ |= op_flags;
    return *this;
  }

  // A required attribute …
  template <class T>
  OpSchema& attr(std::string_view name) {
    return add<T>(name, nullptr);
  }
  // … or one with a default. Both are written to the IR.
  template <class T>
  OpSchema& attr(std::string_view name, const T& fallback) {
    using C = canonical_t<T>;
    const mo_value v = make_value(storage_, fallback);
    return add<C>(name, &storage_.keep(mo_value(v)));
  }
  // An attribute that may be absent and then is not written.
  template <class T>
  OpSchema& optional_attr(std::string_view name) {
    add<T>(name, nullptr);
    attrs_.back().required = 0;
    return *this;
  }
  // Of the last attribute: legal values, name in the IR, or not written at all.
  OpSchema& one_of(const std::vector<std::string>& values) {
    std::vector<mo_str> list;
    for (const auto& v : values) list.push_back(str(storage_.keep(std::string(v))));
    const auto& kept = storage_.keep(std::move(list));
    attrs_.back().allowed = kept.data();
    attrs_.back().n_allowed = kept.size();
    return *this;
  }
  OpSchema& ir_name(std::string_view name) {
    attrs_.back().ir_name = str(storage_.keep(std::string(name)));
    return *this;
  }
  OpSchema& not_in_ir() { return ir_name("-"); }

  // Of the last attribute: axes, reduced_axes, per_dimension, or spread.
  OpSchema& role(Role role) {
    attrs_.back().role = static_cast<int32_t>(role);
    return *this;
  }

  // Each element of a result is made of those at its place in the inputs, spread over one another.
  OpSchema& element_wise() { return flags(MO_OP_ELEMENT_WISE); }
  OpSchema& commutative() { return flags(MO_OP_COMMUTATIVE); }
  // Every output has the shape of the first input.
  OpSchema& keeps_shape() { return flags(MO_OP_KEEPS_SHAPE); }
  // All inputs of which nothing else is said, and the outputs, may have their dimensions in another order,
  // the same one: the change from channels last to channels first goes through the operation. Without it,
  // operands are put back into the order of the model first.
  OpSchema& layout_agnostic() { return others(Role::data); }
  // The other way round: that is what has to be.
  OpSchema& in_model_order() { return others(Role::fixed); }

  void fill(mo_operation_def& d) const {
    d.doc = str(doc_);
    d.attrs = attrs_.data();
    d.n_attrs = attrs_.size();
    d.min_inputs = min_in_;
    d.max_inputs = max_in_;
    d.min_outputs = min_out_;
    d.max_outputs = max_out_;
    d.flags = flags_;
    d.inputs = in_.data();
    d.n_inputs = in_.size();
    d.outputs = out_.data();
    d.n_outputs = out_.size();
  }

 private:
  template <class T>
  OpSchema& add(std::string_view name, const mo_value* fallback) {
    mo_attr_def d{};
    d.size = sizeof d;
    d.name = str(storage_.keep(std::string(name)));
    d.fallback = fallback;
    d.kind = ValueOf<canonical_t<T>>::kind;
    d.required = fallback == nullptr ? 1 : 0;
    attrs_.push_back(d);
    return *this;
  }
  OpSchema& port(std::vector<mo_port_def>& ports, std::string_view name, Role role, ElementTypes types) {
    const std::string_view kept = name.empty() ? name : storage_.keep(std::string(name));
    ports.push_back({sizeof(mo_port_def), str(kept), types, static_cast<int32_t>(role), 0});
    return *this;
  }
  OpSchema& others(Role role) {
    if (in_.empty()) port(in_, {}, Role::none, any_type);
    for (mo_port_def& p : in_)
      if (p.role == MO_ROLE_NONE) p.role = static_cast<int32_t>(role);
    return *this;
  }
  ValueStorage storage_;
  std::string doc_;
  std::vector<mo_attr_def> attrs_;
  std::vector<mo_port_def> in_, out_;
  uint32_t min_in_ = 0, max_in_ = 0, min_out_ = 1, max_out_ = 1, flags_ = 0;
};

// Common to inference and evaluation: the node and its attributes.
class OpContext {
 public:
  OpContext(Context c, mo_node node, uint32_t inputs, uint32_t outputs)
      : c_(c), node_(c, node), n_inputs_(inputs), n_outputs_(outputs) {}
  Context context() const { return c_; }
  const Node& node() const { return node_; }
  uint32_t inputs() const { return n_inputs_; }
  uint32_t outputs() const { return n_outputs_; }
  template <class T>
  T attr(std::string_view name) const {
    return node_.attr<T>(name);
  }
  template <class T>
  canonical_t<T> attr(std::string_view name, T fallback) const {
    return node_.attr(name, fallback);
  }
  template <class T>
  std::optional<T> find_attr(std::string_view name) const {
    return node_.find_attr<T>(name);
  }
  template <class... Args>
  void require(bool condition, const Args&... args) const {
    mo::require(condition, args...);
  }

 protected:
  Context c_;
  Node node_;
  uint32_t n_inputs_, n_outputs_;
};

class InferContext : public OpContext {
 public:
  InferContext(mo_context* c, const mo_infer_args* a)
      : OpContext(Context(c), a->node, a->n_inputs, a->n_outputs), args_(a) {}

  bool has(size_t i) const { return i < n_inputs_ && args_->inputs[i] != nullptr; }
  Shape shape(size_t i) const { return Shape(desc(i).shape); }
  ElementType type(size_t i) const { return static_cast<ElementType>(desc(i).element_type); }
  // The constant value of an input, when there is one.
  std::optional<Tensor> value(size_t i) const {
    if (!has(i) || desc(i).value == nullptr) return std::nullopt;
    return Tensor::borrow(c_.host(), desc(i).value);
  }
  // All elements of a constant integer input.
  std::optional<std::vector<int64_t>> ints(size_t i) const {
    const auto v = value(i);
    if (!v) {
      const auto b = bounds(i);
      if (!b || !std::all_of(b->begin(), b->end(), [](const Bound& e) { return e.is_exact(); }))
        return std::nullopt;
      std::vector<int64_t> exact;
      for (const Bound& e : *b) exact.push_back(e.min);
      return exact;
    }
    return v->to_ints();
  }
  // Elements of an integer input as intervals: exact ones of a constant, bounds where only those are known.
  std::optional<std::vector<Bound>> bounds(size_t i) const {
    if (!has(i)) return std::nullopt;
    return detail::bounds_of(c_.host(), desc(i));
  }

  void output(uint32_t i, ElementType type, const Shape& shape) const {
    const mo_shape s = shape.abi();
    c_.check(c_.host()->infer->set_output(c_.get(), i, static_cast<mo_type>(type), &s));
  }
  // What is known about the elements of an integer output of static shape.
  void output_bounds(uint32_t i, const std::vector<Bound>& bounds) const {
    c_.check(c_.host()->infer->set_bounds(c_.get(), i, bounds.data(), bounds.size()));
  }
  void output_bounds(uint32_t i, const std::vector<Dim>& sizes) const {
    output_bounds(i, std::vector<Bound>(sizes.begin(), sizes.end()));
  }
  void output_value(uint32_t i, const Tensor& value) const {
    c_.check(c_.host()->infer->set_value(c_.get(), i, value.get()));
  }

 private:
  const mo_tensor_desc& desc(size_t i) const {
    if (!has(i)) fail("input ", i, " is not connected");
    return *args_->inputs[i];
  }
  const mo_infer_args* args_;
};

class EvalContext : public OpContext {
 public:
  EvalContext(mo_context* c, const mo_evaluate_args* a)
      : OpContext(Context(c), a->node, a->n_inputs, a->n_outputs), args_(a) {}

  bool has(size_t i) const { return i < n_inputs_ && args_->inputs[i] != nullptr; }
  Tensor input(size_t i) const {
    if (!has(i)) fail("input ", i, " is not connected");
    return Tensor::borrow(c_.host(), args_->inputs[i]);
  }
  void output(uint32_t i, const Tensor& value) const {
    c_.check(c_.host()->infer->set_value(c_.get(), i, value.get()));
  }
  template <class T>
  std::pair<Tensor, T*> create(const std::vector<int64_t>& dims,
                               ElementType type = element_type_of<T>()) const {
    return Tensor::create<T>(c_, dims, type);
  }
  // The values of a body's Results from one value for each of its Parameters. An Error with MO_UNSUPPORTED
  // when something in it has no value; let it pass.
  std::vector<Tensor> run_body(const Graph& body, const std::vector<Tensor>& inputs) const {
    std::vector<mo_tensor*> in, out(body.results().size());
    for (const Tensor& t : inputs) in.push_back(t.get());
    c_.check(
        c_.host()->infer->evaluate_graph(c_.get(), body.id(), in.data(), in.size(), out.data(), out.size()));
    std::vector<Tensor> values;
    for (mo_tensor* t : out) values.push_back(Tensor::adopt(c_.host(), t));
    return values;
  }

 private:
  const mo_evaluate_args* args_;
};

// Where the sizes of outputs come from, from where those of inputs do. What is not said is a size of its own.
class SymbolsContext : public OpContext {
 public:
  SymbolsContext(mo_context* c, mo_node node, const mo_symbols* inputs, uint32_t n_outputs)
      : OpContext(Context(c), node, static_cast<uint32_t>(inputs->count), n_outputs) {
    for (uint64_t i = 0; i < inputs->count; ++i) in_.push_back(TensorSymbols::from(inputs->tensors[i]));
  }
  // Of a tensor of known rank; of a scalar or a list that is made of sizes.
  const std::optional<Symbols>& dims(size_t i) const { return at(i).dims; }
  const std::optional<Symbols>& values(size_t i) const { return at(i).values; }
  // What inference found for an output, and dimensions and elements of which nothing else is known.
  Shape shape(uint32_t i = 0) const { return node_.out_port(i).shape(); }
  Symbols own_dims(uint32_t i = 0) const { return mo::own_dims(node_.out_port(i), shape(i)); }
  Symbols own_values(size_t count, uint32_t i = 0) const {
    return symbols_of(MO_SYMBOL_ELEMENT, node_.out_port(i), count);
  }
  void output(uint32_t i, const Symbols& dims) const {
    c_.check(c_.host()->infer->set_symbols(c_.get(), i, dims.data(), dims.size()));
  }
  void output(uint32_t i, const std::optional<Symbols>& dims) const {
    if (dims) output(i, *dims);
  }
  void output_values(uint32_t i, const std::optional<Symbols>& values) const {
    if (values) c_.check(c_.host()->infer->set_value_symbols(c_.get(), i, values->data(), values->size()));
  }

 private:
  const TensorSymbols& at(size_t i) const {
    static const TensorSymbols none;
    return i < in_.size() ? in_[i] : none;
  }
  std::vector<TensorSymbols> in_;
};

class IrAttributes {
 public:
  explicit IrAttributes(Context c) : c_(c) {}
  // Later additions of a name replace earlier ones.
  void add(std::string_view name, std::string_view text) {
    c_.check(c_.host()->infer->add_ir_attr(c_.get(), str(name), str(text)));
  }

 private:
  Context c_;
};

}  // namespace mo
