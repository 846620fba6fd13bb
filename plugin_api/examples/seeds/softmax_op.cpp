// An operation: what class Softmax(Op) is in the Model Optimizer.
#include <cmath>

#include "seeds.hpp"

namespace seeds {

struct Softmax {
  static constexpr std::string_view type = "SoftMax", opset = seeds::opset;

  static void schema(mo::OpSchema& s) {
    s.doc("exp(x) / sum(exp(x)) along an axis").inputs(1).outputs(1);
    s.attr<int64_t>("axis", 1);  // supported_attrs: written to the IR by its name
  }

  static void infer(mo::InferContext& c) {
    const mo::Shape shape = c.shape(0);
    if (shape.has_rank())
      mo::normalize_axis(c.attr<int64_t>("axis"), shape.size());  // an error when there is none
    c.output(0, c.type(0), shape);
  }

  static void evaluate(mo::EvalContext& c) {
    const mo::Tensor x = c.input(0);
    const size_t axis = mo::normalize_axis(c.attr<int64_t>("axis"), x.rank());
    const auto length = static_cast<size_t>(x.dim(axis));
    size_t inner = 1;
    for (size_t d = axis + 1; d < x.rank(); ++d) inner *= static_cast<size_t>(x.dim(d));

    auto [y, data] = mo::Tensor::create_bytes(c.context(), x.type(), x.dims());
    for (size_t i = 0, n = x.size(); i < n; ++i) {
      const size_t first = i / inner / length * length * inner + i % inner;
      double most = x.number(first), sum = 0;
      for (size_t k = 1; k < length; ++k) most = std::max(most, x.number(first + k * inner));
      for (size_t k = 0; k < length; ++k) sum += std::exp(x.number(first + k * inner) - most);
      mo::store_number(data, x.type(), i, std::exp(x.number(i) - most) / sum);
    }
    c.output(0, y);
  }
};

void register_softmax_op(mo::Registry& registry) { registry.operation<Softmax>(); }

}  // namespace seeds
