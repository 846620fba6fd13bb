// Eltwise of two blobs or more; a sum may have coefficients.
#include "support/registering.hpp"

namespace mo::caffe {

static OutPort eltwise_sum(const Build& b, const SourceNode& l) {
  Reals coefficients = reals(l, "eltwise_param.coeff");
  require(coefficients.empty() || coefficients.size() == bottom_count(l), "it has ", coefficients.size(),
          " coefficients for ", bottom_count(l), " blobs");
  coefficients.resize(bottom_count(l), 1);
  OutPort sum = linear(b, bottom(l, 0), coefficients[0], 0);
  for (size_t i = 1; i < bottom_count(l); ++i) {
    if (coefficients[i] == -1)
      sum = b.subtract(sum, bottom(l, i));
    else
      sum = b.add(sum, linear(b, bottom(l, i), coefficients[i], 0));
  }
  return sum;
}

static Ports eltwise(Build& b, const SourceNode& l) {
  const std::string operation = word(l, "eltwise_param.operation", "SUM");
  if (operation == "SUM") return {eltwise_sum(b, l)};
  require(operation == "PROD" || operation == "MAX", "an operation '", operation, "' is not supported");
  require(reals(l, "eltwise_param.coeff").empty(), "only a sum has coefficients");
  OutPort result = bottom(l, 0);
  for (size_t i = 1; i < bottom_count(l); ++i)
    result = b.op(operation == "PROD" ? "Multiply" : "Maximum", "opset1", {result, bottom(l, i)});
  return {result};
}

void register_eltwise(Registry& r) {
  convert<eltwise>(r, "Eltwise", "Eltwise(a, b, ..., operation, coeff)",
                   "Add(a, b), Subtract(a, b), Multiply(a, b), Maximum(a, b)");
}

}  // namespace mo::caffe
