// @Name@(x)  ->  Add(Multiply(x, x), x), until you write down what it means.
#include <mo/build.hpp>

namespace mo::@plugin@ {

static Ports make_@name@(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  return {b.op("Add", "opset1", {b.op("Multiply", "opset1", {x, x}), x})};
}

void register_@name@(Registry& r) {
  r.transformation<ReplaceOperator<make_@name@>>(
      OperatorText{"@framework@", "@Name@", "@Name@(x)", "Add(Multiply(x, x), x)"});
}

}  // namespace mo::@plugin@
