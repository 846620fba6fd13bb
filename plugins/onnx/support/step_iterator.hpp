// A TensorIterator that goes along a dimension of what it slices, built from the inside.
#pragma once

#include "support/build.hpp"

namespace mo::onnx {

class StepIterator {
 public:
  // `name` of the body. Backwards: slices and what is collected run from the last entry to the first.
  StepIterator(const Build& b, const SourceNode& n, std::string_view name, bool backwards = false)
      : b_(b),
        body_(n.graph().create_sub_graph(text(n.name(), '/', name))),
        in_(body_, n),
        backwards_(backwards) {}

  // Makes the nodes of a step.
  const Build& in() const { return in_; }
  // What the body has of a value outside: all of it, or in each step one entry along `axis`, which stays as a
  // dimension of 1.
  OutPort whole(const OutPort& outer) { return parameter(outer, {}); }
  OutPort slice(const OutPort& outer, int64_t axis = 0) { return parameter(outer, axis); }
  // `value` is `state`, what whole() gave, in the next step; output `port` has the last one.
  void next(const OutPort& value, const OutPort& state, int64_t port);
  // Output `port` has the values of all steps one behind the other along `axis`.
  void collect(const OutPort& value, int64_t port, int64_t axis = 0);
  // The iterator with all its outputs.
  Ports finish(uint32_t outputs) const;

 private:
  OutPort parameter(const OutPort& outer, std::optional<int64_t> axis);
  int64_t give(const OutPort& value, int64_t port, std::optional<int64_t> axis);
  void add(bool output, int64_t external, int64_t internal, std::optional<int64_t> axis);

  const Build& b_;
  Graph body_;
  Build in_;
  bool backwards_;
  Ports outer_;
  std::vector<Node> parameters_;
  std::vector<std::string> lines_;
  Ints edges_;
  int64_t results_ = 0;
};

}  // namespace mo::onnx
