// Eltwise of two blobs or more; a sum may have coefficients.
#include "support/convert_layers.hpp"

namespace mo::caffe {

static OutPort eltwise_sum(Layer& l) {
  Reals coefficients = l.reals("eltwise_param.coeff");
  require(coefficients.empty() || coefficients.size() == l.bottoms(), "it has ", coefficients.size(),
          " coefficients for ", l.bottoms(), " blobs");
  coefficients.resize(l.bottoms(), 1);
  OutPort sum = l.linear(l.in(0), coefficients[0], 0);
  for (size_t i = 1; i < l.bottoms(); ++i) {
    if (coefficients[i] == -1)
      sum = l.op("Subtract", "opset1", {sum, l.in(i)});
    else
      sum = l.add(sum, l.linear(l.in(i), coefficients[i], 0));
  }
  return sum;
}

static Ports eltwise(Layer& l) {
  const std::string operation = l.word("eltwise_param.operation", "SUM");
  if (operation == "SUM") return {eltwise_sum(l)};
  require(operation == "PROD" || operation == "MAX", "an operation '", operation, "' is not supported");
  require(l.reals("eltwise_param.coeff").empty(), "only a sum has coefficients");
  OutPort result = l.in(0);
  for (size_t i = 1; i < l.bottoms(); ++i)
    result = l.op(operation == "PROD" ? "Multiply" : "Maximum", "opset1", {result, l.in(i)});
  return {result};
}

void register_eltwise(Items& items) { items.layer("Eltwise", &eltwise); }

}  // namespace mo::caffe
