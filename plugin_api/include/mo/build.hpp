// mo/build.hpp: operations that take the place of a framework's operator.
//
//   static Ports reciprocal(Build& b, const SourceNode&) {
//     return {b.op("Divide", "opset1", {b.like(b.in(0), 1), b.in(0)})};
//   }
//   r.transformation<ReplaceOperator<reciprocal>>(
//       OperatorText{"acme", "Reciprocal", "Reciprocal(x)", "Divide(1, x)"});
//
// Everything here is for front transformations: [session], see plugin.h.
#ifndef MO_BUILD_HPP
#define MO_BUILD_HPP

#include <mo/decline.hpp>
#include <mo/sdk.hpp>

#include <algorithm>

namespace mo {

using Ports = std::vector<OutPort>;
using Ints = std::vector<int64_t>;

// Makes the nodes that take the place of `origin`. What depends on a rank that is not known yet is computed
// by nodes.
class Build {
 public:
  Build(Graph graph, const Node& origin) : graph_(graph), origin_(origin), name_(origin.name()) {}
  Graph graph() const { return graph_; }
  Context context() const { return graph_.context(); }

  // Inputs of the origin. The type is known when the front-end set it.
  bool has(size_t i) const { return origin_.is_in_port_connected(i); }
  OutPort in(size_t i) const;  // error when it is not connected
  std::optional<Tensor> constant(size_t i) const { return has(i) ? in(i).value() : std::nullopt; }
  // A list without elements: exporters write one where an optional input is left out.
  bool is_empty(size_t i) const;
  // All elements of a constant input.
  std::optional<Ints> ints(size_t i) const;
  std::optional<std::vector<double>> floats(size_t i) const;
  // Whether something reads output i of the origin.
  bool wants(size_t i) const { return origin_.is_out_port_connected(i); }

  Node node(std::string_view type, std::string_view opset, const Ports& inputs, uint32_t outputs = 1) const {
    return graph_.create_node(type, opset, text(name_, '/', type), inputs, outputs);
  }
  OutPort op(std::string_view type, std::string_view opset, const Ports& inputs) const {
    return node(type, opset, inputs).out_port();
  }

  OutPort constant(const Tensor& t) const { return graph_.create_const(text(name_, "/const"), t).out_port(); }
  OutPort list(const Ints& values) const { return constant(Tensor::vector<int64_t>(context(), values)); }
  OutPort integer(int64_t value) const { return constant(Tensor::scalar<int64_t>(context(), value)); }
  OutPort number(double value) const {  // f32
    return constant(Tensor::filled(context(), ElementType::f32, {value}, {}));
  }
  // A scalar of the element type of x.
  OutPort like(const OutPort& x, double value) const;
  // Values of the element type of x.
  OutPort like(const OutPort& x, const std::vector<double>& values, const Ints& dims) const;

  OutPort convert(const OutPort& x, ElementType type) const;
  OutPort reshape(const OutPort& x, const OutPort& shape, bool special_zero = false) const;
  // A constant is looked at in another shape; -1 and 0 as Reshape with special_zero has them.
  OutPort reshape(const OutPort& x, const Ints& shape) const;
  OutPort unsqueeze(const OutPort& x, const OutPort& axes) const {
    return op("Unsqueeze", "opset1", {x, axes});
  }
  OutPort squeeze(const OutPort& x, const Ints& axes) const {
    return op("Squeeze", "opset1", {x, list(axes)});
  }
  OutPort concat(const Ports& parts, int64_t axis = 0) const;
  OutPort add(const OutPort& x, const OutPort& y) const { return op("Add", "opset1", {x, y}); }
  OutPort subtract(const OutPort& x, const OutPort& y) const { return op("Subtract", "opset1", {x, y}); }
  OutPort multiply(const OutPort& x, const OutPort& y) const { return op("Multiply", "opset1", {x, y}); }
  OutPort divide(const OutPort& x, const OutPort& y) const { return op("Divide", "opset1", {x, y}); }
  OutPort matmul(const OutPort& x, const OutPort& y, bool transpose_x = false,
                 bool transpose_y = false) const;
  OutPort clamp(const OutPort& x, double low, double high) const;
  OutPort softmax(const OutPort& x, int64_t axis) const;
  OutPort broadcast(const OutPort& x, const OutPort& shape, std::string_view mode = "numpy") const;
  OutPort gather(const OutPort& x, const OutPort& indices, int64_t axis, int64_t batch_dims = 0) const;
  // So many parts of one size.
  Ports split(const OutPort& x, int64_t axis, int64_t parts) const;
  // With `value` around it.
  OutPort pad(const OutPort& x, const OutPort& begins, const OutPort& ends, const OutPort& value) const;
  OutPort reduce(std::string_view type, const OutPort& x, const OutPort& axes, bool keep) const;
  OutPort select(const OutPort& condition, const OutPort& yes, const OutPort& no) const {
    return op("Select", "opset1", {condition, yes, no});
  }

  OutPort shape_of(const OutPort& x) const { return op("ShapeOf", "opset3", {x}); }
  // Elements from `begin` up to `end` of a list; int64 limits stand for its ends.
  OutPort part(const OutPort& x, int64_t begin, int64_t end) const;
  OutPort dim(const OutPort& x, int64_t axis) const;  // a list of one element
  // Rank as a scalar; a constant when it is known.
  OutPort rank(const OutPort& x) const;
  // first, first + 1, … last, where the ends may be counted from the rank of x.
  OutPort axes(const OutPort& x, int64_t first, int64_t end) const;
  OutPort range(const OutPort& from, const OutPort& to, int64_t step) const;
  OutPort transpose(const OutPort& x, const Ints& order) const {
    return op("Transpose", "opset1", {x, list(order)});
  }
  // The last of `rank` dimensions becomes the second one, and the way back.
  OutPort channels_first(const OutPort& x, int64_t rank) const;
  OutPort channels_last(const OutPort& x, int64_t rank) const;

 private:
  Graph graph_;
  Node origin_;
  std::string name_;
};

inline OutPort Build::in(size_t i) const {
  const OutPort source = i < origin_.in_count() ? origin_.in_port(i).get_source() : OutPort();
  require(static_cast<bool>(source), "input ", i, " is not connected");
  return source;
}

inline bool Build::is_empty(size_t i) const {
  const Shape s = in(i).shape();
  return s.rank() == 1 && s[0] == Dim(0);
}

inline std::optional<Ints> Build::ints(size_t i) const {
  const auto t = constant(i);
  return t ? std::optional(t->to_ints()) : std::nullopt;
}

inline std::optional<std::vector<double>> Build::floats(size_t i) const {
  const auto t = constant(i);
  return t ? std::optional(t->to_floats<double>()) : std::nullopt;
}

inline OutPort Build::like(const OutPort& x, double value) const { return like(x, {value}, {}); }

inline OutPort Build::like(const OutPort& x, const std::vector<double>& values, const Ints& dims) const {
  const ElementType type = x.type();
  if (type != ElementType::unknown) return constant(Tensor::filled(context(), type, values, dims));
  return op("ConvertLike", "opset1",
            {constant(Tensor::filled(context(), ElementType::f32, values, dims)), x});
}

inline OutPort Build::convert(const OutPort& x, ElementType type) const {
  require(static_cast<bool>(x), "an input that the operator needs is left out");
  if (x.type() == type) return x;
  const Node n = node("Convert", "opset1", {x});
  n.set("destination_type", type);
  return n.out_port();
}

inline OutPort Build::reshape(const OutPort& x, const OutPort& shape, bool special_zero) const {
  const Node n = node("Reshape", "opset1", {x, shape});
  n.set("special_zero", special_zero);
  return n.out_port();
}

namespace detail {
// The dimensions that Reshape with special_zero gives `have`; nothing when they do not fit.
inline std::optional<Ints> resolved_dims(const Ints& have, Ints wanted) {
  int64_t total = 1, rest = 1;
  for (const int64_t d : have) total *= d;
  std::optional<size_t> open;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == 0 && i < have.size()) wanted[i] = have[i];
    if (wanted[i] == -1)
      open = i;
    else
      rest *= wanted[i];
  }
  if (open) {
    if (rest == 0 || total % rest != 0) return std::nullopt;
    wanted[*open] = total / rest;
    rest = total;
  }
  return rest == total ? std::optional(wanted) : std::nullopt;
}
}  // namespace detail

inline OutPort Build::reshape(const OutPort& x, const Ints& shape) const {
  if (const auto value = x.value()) {
    const auto dims = detail::resolved_dims(value->dims(), shape);
    require(dims.has_value(), "a constant of shape ", value->shape(), " cannot take shape ", shape);
    return constant(value->reshaped(context(), *dims));
  }
  const bool zero = std::find(shape.begin(), shape.end(), 0) != shape.end();
  return reshape(x, list(shape), zero);
}

inline OutPort Build::concat(const Ports& parts, int64_t axis) const {
  if (parts.size() == 1) return parts.front();
  const Node n = node("Concat", "opset1", parts);
  n.set("axis", axis);
  return n.out_port();
}

inline OutPort Build::matmul(const OutPort& x, const OutPort& y, bool transpose_x, bool transpose_y) const {
  const Node n = node("MatMul", "opset1", {x, y});
  return n.set("transpose_a", transpose_x).set("transpose_b", transpose_y).out_port();
}

inline OutPort Build::clamp(const OutPort& x, double low, double high) const {
  return node("Clamp", "opset1", {x}).set("min", low).set("max", high).out_port();
}

inline OutPort Build::softmax(const OutPort& x, int64_t axis) const {
  return node("SoftMax", "opset8", {x}).set("axis", axis).out_port();
}

inline OutPort Build::broadcast(const OutPort& x, const OutPort& shape, std::string_view mode) const {
  return node("Broadcast", "opset3", {x, shape}).set("mode", std::string(mode)).out_port();
}

inline OutPort Build::gather(const OutPort& x, const OutPort& indices, int64_t axis,
                             int64_t batch_dims) const {
  return node("Gather", "opset7", {x, indices, integer(axis)}).set("batch_dims", batch_dims).out_port();
}

inline Ports Build::split(const OutPort& x, int64_t axis, int64_t parts) const {
  const Node n = node("Split", "opset1", {x, integer(axis)}, static_cast<uint32_t>(parts));
  return n.set("num_splits", parts).out_ports();
}

inline OutPort Build::pad(const OutPort& x, const OutPort& begins, const OutPort& ends,
                          const OutPort& value) const {
  return node("Pad", "opset1", {x, begins, ends, value}).set("pad_mode", "constant").out_port();
}

inline OutPort Build::reduce(std::string_view type, const OutPort& x, const OutPort& axes, bool keep) const {
  const bool newer = type == "ReduceL1" || type == "ReduceL2";
  const Node n = node(type, newer ? "opset4" : "opset1", {x, axes});
  n.set("keep_dims", keep);
  return n.out_port();
}

inline OutPort Build::part(const OutPort& x, int64_t begin, int64_t end) const {
  const Node n =
      node("StridedSlice", "opset1",
           {x, list({begin == INT64_MIN ? 0 : begin}), list({end == INT64_MAX ? 0 : end}), list({1})});
  n.set("begin_mask", Ints{begin == INT64_MIN ? 1 : 0});
  n.set("end_mask", Ints{end == INT64_MAX ? 1 : 0});
  return n.out_port();
}

inline OutPort Build::dim(const OutPort& x, int64_t axis) const {
  const Shape s = x.shape();
  if (s.has_rank() && axis < s.rank() && axis >= -s.rank()) {
    const Dim d = s[normalize_axis(axis, s.size())];
    if (d.is_static()) return list({d.value()});
  }
  const OutPort all = shape_of(x);
  return axis == -1 ? part(all, -1, INT64_MAX) : part(all, axis, axis + 1);
}

inline OutPort Build::rank(const OutPort& x) const {
  const Shape s = x.shape();
  if (s.has_rank()) return integer(s.rank());
  return reshape(shape_of(shape_of(x)), list({}));
}

inline OutPort Build::range(const OutPort& from, const OutPort& to, int64_t step) const {
  const Node n = node("Range", "opset4", {from, to, integer(step)});
  n.set("output_type", ElementType::i64);
  return n.out_port();
}

inline OutPort Build::axes(const OutPort& x, int64_t first, int64_t end) const {
  const Shape s = x.shape();
  if (s.has_rank()) {
    Ints known;
    require(first >= -s.rank(), "dimension ", first, " of shape ", s, " is asked for");
    const int64_t last = end < 0 ? s.rank() + end : std::min(end, s.rank());
    for (int64_t a = first < 0 ? s.rank() + first : first; a < last; ++a) known.push_back(a);
    return list(known);
  }
  const auto bound = [&](int64_t b) {
    if (b >= 0 && b != INT64_MAX) return integer(b);
    return b == INT64_MAX ? rank(x) : op("Add", "opset1", {rank(x), integer(b)});
  };
  return range(bound(first), bound(end), 1);
}

inline OutPort Build::channels_first(const OutPort& x, int64_t rank) const {
  Ints order{0, rank - 1};
  for (int64_t d = 1; d < rank - 1; ++d) order.push_back(d);
  return transpose(x, order);
}

inline OutPort Build::channels_last(const OutPort& x, int64_t rank) const {
  Ints order{0};
  for (int64_t d = 2; d < rank; ++d) order.push_back(d);
  order.push_back(1);
  return transpose(x, order);
}

// "acme.front.conv_transpose" for "ConvTranspose" of the framework "acme".
inline std::string front_id(std::string_view framework, std::string_view domain, std::string_view op) {
  std::string id = text(framework, ".front.", domain, domain.empty() ? "" : ".");
  const auto upper = [&](size_t i) { return i < op.size() && op[i] >= 'A' && op[i] <= 'Z'; };
  for (size_t i = 0; i < op.size(); ++i) {
    const bool starts = upper(i) && i != 0 && (!upper(i - 1) || (i + 1 < op.size() && !upper(i + 1)));
    if (starts) id += '_';
    id += static_cast<char>(upper(i) ? op[i] - 'A' + 'a' : op[i]);
  }
  return id;
}

// A damaged model may read more outputs than an operator has.
inline void require_outputs(const Node& n, const Ports& made) {
  for (size_t i = 0, end = n.out_count(); i < end; ++i)
    if (i >= made.size() || !made[i])
      require(!n.is_out_port_connected(i), "output ", i, " is read, but the operator ",
              i >= made.size() ? text("has only ", made.size()) : "does not make it here");
}

// Takes `n` out of the graph: what read its output 0 reads `source` from now on. Names of operations stay as
// they are; tensor names come along. For `return bypass(…)`.
inline Ports bypass(const Node& n, const OutPort& source) {
  require_outputs(n, {source});
  n.out_port().get_connection().set_source(source, Names::merge);
  n.remove();
  return {};
}

struct OperatorText {
  std::string_view framework, op, before, after;
  std::string_view domain = {};
  std::string_view run_before = {};  // id of another transformation
  std::string_view also = {};        // another domain that has the same operator
};

using MakeOperator = Ports (*)(Build&, const SourceNode&);

// The same code for every operator: only the function differs. A template of it would be compiled again for
// each of the hundreds of operators that a front-end has.
class OperatorReplacement : public FrontReplacementOp {
 public:
  OperatorReplacement(MakeOperator make, const OperatorText& t) : make_(make) {
    id = front_id(t.framework, t.domain, t.op);
    doc = text("what ", t.op, " means, in operations of the operation sets");
    before = t.before;
    after = t.after;
    frameworks = {std::string(t.framework)};
    if (!t.run_before.empty()) run_before = {std::string(t.run_before)};
    ops = {text("::", t.domain, t.domain.empty() ? "" : ".", t.op)};
    if (!t.also.empty()) ops.push_back(text("::", t.also, ".", t.op));
  }
  std::vector<OutPort> replace_op(Graph g, Node n) override {
    Build b(g, n);
    const Ports ports = make_(b, SourceNode(n));
    if (ports.empty()) return ports;  // `n` is gone
    require_outputs(n, ports);
    keep_types(n, ports);
    return ports;
  }

 private:
  // The next transformation may ask for the type of what this one made.
  static void keep_types(const Node& n, const Ports& ports) {
    const size_t count = std::min(ports.size(), n.out_count());
    for (size_t i = 0; i < count; ++i) {
      if (!ports[i] || ports[i].type() != ElementType::unknown) continue;
      const ElementType type = n.out_port(i).type();
      if (type != ElementType::unknown) ports[i].set_shape(type, Shape::unknown());
    }
  }
  MakeOperator make_;
};

struct OperatorGroupText {
  std::string_view framework, group;
  std::string_view ops;   // with blanks between: the operator's names, those of old releases among them
  std::string_view name;  // in the transformation's id
  std::string_view before, after;
};

// As OperatorReplacement, for operators that share one traversal in the order of the model: each finds what
// it reads converted, and shapes known.
class GroupedReplacement : public MatcherPass {
 public:
  GroupedReplacement(MakeOperator make, const OperatorGroupText& t) : MatcherPass(MO_PHASE_FRONT) {
    std::vector<std::string> patterns;
    each_name(t.ops, [&](std::string_view op) { patterns.push_back(text("::", op)); });
    id = front_id(t.framework, "", t.name);
    doc = text("what ", t.ops.substr(0, t.ops.find(' ')), " means, in operations of the operation sets");
    before = t.before;
    after = t.after;
    group = t.group;
    frameworks = {std::string(t.framework)};
    register_matcher(wrap_type(patterns), [make](Graph g, Match& m) { replace(g, m.root(), make); });
  }

 private:
  static void replace(const Graph& g, const Node& n, MakeOperator make) {
    g.infer_marked();
    Build b(g, n);
    Ports ports = make(b, SourceNode(n));
    require_outputs(n, ports);
    ports.resize(std::min(ports.size(), n.out_count()));
    // Types that the front-end took for granted are known now.
    for (size_t i = 0; i < ports.size(); ++i)
      if (ports[i]) n.out_port(i).set_shape(ports[i].type(), Shape::unknown());
    replace_node(n, ports);
  }
};

template <MakeOperator Make>
class ReplaceOperator : public OperatorReplacement {
 public:
  explicit ReplaceOperator(const OperatorText& t) : OperatorReplacement(Make, t) {}
};

}  // namespace mo

#endif
