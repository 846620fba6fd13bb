// What front transformations share: one ONNX operator becomes operations of the operation sets.
//
//   static Ports reciprocal(Build& b, const SourceNode&) {
//     return {b.op("Divide", "opset1", {b.like(b.in(0), 1), b.in(0)})};
//   }
//   void register_reciprocal(Registry& r) {
//     replace<reciprocal>(r, {"Reciprocal", "Reciprocal(x)", "Divide(1, x)"});
//   }
#pragma once

#include <mo/sdk.hpp>

namespace mo::onnx {

using Ports = std::vector<OutPort>;
using Ints = std::vector<int64_t>;

// Makes the nodes that take the place of `origin`. What depends on a rank that is not known yet is computed
// by nodes; onnx.middle.fold_ranks makes constants of them.
class Build {
 public:
  Build(Graph graph, const Node& origin) : graph_(graph), origin_(origin), name_(origin.name()) {}
  Graph graph() const { return graph_; }
  Context context() const { return graph_.context(); }

  // Inputs of the origin. The type is known early, see loader/value_types.hpp.
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
  // Dimensions before `axis` become one, and those from it on another.
  OutPort to_matrix(const OutPort& x, int64_t axis) const;

 private:
  Graph graph_;
  Node origin_;
  std::string name_;
};

// A vector of one element is taken for a scalar, as many exporters write it.
OutPort as_scalar(const Build& b, const OutPort& x);

struct ReplacementText {
  std::string_view op, before, after;
  std::string_view domain = {};
  std::string_view run_before = {};  // id of another transformation
  std::string_view also = {};        // another domain that has the same operator
};

using Replacement = Ports (*)(Build&, const SourceNode&);

// "onnx.front.conv_transpose" for "ConvTranspose".
std::string front_id(std::string_view domain, std::string_view op);

// A damaged model may read more outputs than an operator has.
void require_outputs(const Node& n, const Ports& made);

template <Replacement Make>
class Replace : public FrontReplacementOp {
 public:
  explicit Replace(const ReplacementText& t) {
    id = front_id(t.domain, t.op);
    doc = text("what ONNX means by ", t.op, ", in operations of the operation sets");
    before = t.before;
    after = t.after;
    frameworks = {"onnx"};
    if (!t.run_before.empty()) run_before = {std::string(t.run_before)};
    ops = {text("::", t.domain, t.domain.empty() ? "" : ".", t.op)};
    if (!t.also.empty()) ops.push_back(text("::", t.also, ".", t.op));
  }
  std::vector<OutPort> replace_op(Graph g, Node n) override {
    Build b(g, n);
    const Ports ports = Make(b, SourceNode(n));
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
};

template <Replacement Make>
void replace(Registry& r, const ReplacementText& t) {
  r.transformation<Replace<Make>>(t);
}

// Takes `n` out of the graph: what read its output 0 reads `source` from now on. Names of operations stay as
// they are; tensor names come along. For `return bypass(…)`.
Ports bypass(const Node& n, const OutPort& source);

}  // namespace mo::onnx
