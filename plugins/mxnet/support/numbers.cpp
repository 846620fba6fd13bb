#include "support/numbers.hpp"

namespace mo::mxnet {

OutPort as_number(const Build& b, const OutPort& truth, const OutPort& like) {
  const ElementType type = like.type();
  const bool known = type != ElementType::unknown && type != ElementType::boolean;
  return b.convert(truth, known ? type : ElementType::f32);
}

OutPort as_truth(const Build& b, const OutPort& number) {
  const Node from = number.node();
  if (from.is("Convert") && from.in_port(0).type() == ElementType::boolean)
    return from.in_port(0).get_source();
  if (number.type() == ElementType::boolean) return number;
  return b.op("NotEqual", "opset1", {number, b.like(number, 0)});
}

OutPort as_index(const Build& b, const OutPort& number) { return b.convert(number, ElementType::i64); }

}  // namespace mo::mxnet
