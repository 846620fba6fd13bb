// A layer that is being converted: what it reads, its weights and parameters, and the operations it becomes.
//
//   static Ports elu(Layer& l) {
//     return {l.with("Elu", "opset1", {l.in(0)}).set("alpha", l.real("elu_param.alpha", 1)).out_port()};
//   }
//   void register_elu(Items& items) { items.layer("ELU", &elu); }
#pragma once

#include <mo/sdk.hpp>

#include <set>

namespace mo::caffe {

using Ports = std::vector<OutPort>;
using Ints = std::vector<int64_t>;
using Reals = std::vector<double>;

class Layer {
 public:
  Layer(Graph graph, const Node& node);
  Context context() const { return graph_.context(); }
  Graph graph() const { return graph_; }
  const std::string& name() const { return name_; }
  const SourceNode& node() const { return node_; }

  // What it reads and gives. Weights are no bottoms.
  size_t bottoms() const { return bottoms_; }
  size_t tops() const { return node_.out_count(); }
  OutPort in(size_t i) const;
  bool wants(size_t top) const { return node_.is_out_port_connected(top); }
  Ports bottom_ports() const;

  // Shapes, computed as far as they are needed.
  Shape shape(const OutPort& p) const;
  size_t rank(const OutPort& p) const;                                        // error when it is not known
  int64_t dim(const OutPort& p, size_t axis) const;                           // error when it is not known
  size_t axis(int64_t given, const OutPort& p, std::string_view what) const;  // from 0 on

  // Parameters; see loader/attributes.hpp for paths.
  bool is_set(std::string_view path) const;
  int64_t integer(std::string_view path, int64_t fallback) const { return node_.native(path, fallback); }
  double real(std::string_view path, double fallback) const { return node_.native(path, fallback); }
  bool flag(std::string_view path, bool fallback) const { return node_.native(path, fallback); }
  std::string word(std::string_view path, std::string_view fallback) const {
    return node_.native(path, std::string(fallback));
  }
  Ints integers(std::string_view path) const;  // of one value, or of a list
  Reals reals(std::string_view path) const;

  // Weights. An error says which file should have them; zeros, or `filler`, when that is allowed.
  size_t blobs() const { return node_.in_count() - bottoms_; }
  // With one -1 in `dims` that follows from the number of elements.
  Tensor weights(size_t i, Ints dims, double filler = 0) const;
  Tensor weights(size_t i) const;  // in their own shape; they must be there
  std::vector<float> numbers(size_t i) const { return weights(i).to_floats(); }

  // Operations.
  Node with(std::string_view type, std::string_view opset, const Ports& inputs, uint32_t outputs = 1);
  OutPort op(std::string_view type, std::string_view opset, const Ports& inputs) {
    return with(type, opset, inputs).out_port();
  }
  OutPort constant(const Tensor& t);
  OutPort constant(const std::vector<float>& values, const Ints& dims);
  OutPort number(double value);
  OutPort list(const Ints& values);
  OutPort integer_constant(int64_t value);
  OutPort add(const OutPort& a, const OutPort& b) { return op("Add", "opset1", {a, b}); }
  OutPort multiply(const OutPort& a, const OutPort& b) { return op("Multiply", "opset1", {a, b}); }
  // x * factor + shift, leaving out what changes nothing.
  OutPort linear(const OutPort& x, double factor, double shift);
  OutPort reshape(const OutPort& x, const Ints& dims);  // 0 keeps a dimension, -1 follows
  OutPort concat(const Ports& parts, int64_t axis);
  OutPort shape_of(const OutPort& x) { return op("ShapeOf", "opset3", {x}); }
  OutPort part(const OutPort& list, int64_t begin, int64_t end);
  OutPort convert(const OutPort& x, ElementType type);
  bool is_new(const Node& n) const { return made_.count(n.id()) != 0; }

 private:
  Tensor missing(size_t i, const Ints& dims, double filler) const;
  Graph graph_;
  SourceNode node_;
  std::string name_;
  size_t bottoms_ = 0;
  std::set<mo_node> made_;
};

}  // namespace mo::caffe
