// A TensorIterator that goes along a dimension of what it slices, built from the inside.
#pragma once

#include <mo/bodies.hpp>

#include "support/build.hpp"

namespace mo::onnx {

class StepIterator {
 public:
  // `name` of the body. Backwards: slices and what is collected run from the last entry to the first.
  StepIterator(const Build& b, const SourceNode& n, std::string_view name, bool backwards = false)
      : b_(b),
        body_(n.graph().create_sub_graph(text(n.name(), '/', name))),
        in_(body_.graph(), n),
        backwards_(backwards) {}

  // Makes the nodes of a step.
  const Build& in() const { return in_; }
  // What the body has of a value outside: all of it, or in each step one entry along `axis`, which stays as a
  // dimension of 1.
  OutPort whole(const OutPort& outer) { return body_.in("argument_", outer); }
  OutPort slice(const OutPort& outer, int64_t axis = 0) {
    return body_.in("argument_", outer, Slices{axis, backwards_});
  }
  // `value` is `state`, what whole() gave, in the next step; output `port` has the last one.
  void next(const OutPort& value, const OutPort& state, int64_t port) {
    body_.next(body_.out("result_", value, port), state);
  }
  // Output `port` has the values of all steps one behind the other along `axis`.
  void collect(const OutPort& value, int64_t port, int64_t axis = 0) {
    body_.out("result_", value, port, Slices{axis, backwards_});
  }
  // The iterator with all its outputs.
  Ports finish(uint32_t outputs) const {
    const Node t = b_.node("TensorIterator", "opset1", body_.inputs(), outputs);
    body_.set(t);
    return t.out_ports();
  }

 private:
  const Build& b_;
  BodyBuilder body_;
  Build in_;
  bool backwards_;
};

}  // namespace mo::onnx
