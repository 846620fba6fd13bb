#include "support/quantization.hpp"

#include "support/linear_steps.hpp"

namespace mo::builtin_passes {

std::optional<QuantizeLimits> quantize_limits(const Node& n, std::optional<size_t> axis) {
  const Shape shape = n.out_port().shape();
  if (!n.is("FakeQuantize") || !shape.has_rank() || n.in_port(0).shape() != shape) return std::nullopt;
  if (n.attr<std::string>("auto_broadcast", "numpy") != "numpy") return std::nullopt;
  QuantizeLimits limits;
  limits.axis = axis;
  size_t i = 1;
  for (auto list : {&QuantizeLimits::in_low, &QuantizeLimits::in_high, &QuantizeLimits::out_low,
                    &QuantizeLimits::out_high}) {
    const auto values = operand_values(n, i++, shape.size(), limits.axis);
    if (!values) return std::nullopt;
    limits.*list = *values;
  }
  return limits;
}

void set_quantize_limits(const Node& n, const QuantizeLimits& limits) {
  const Graph g = n.graph();
  const OutPort out = n.out_port();
  size_t i = 1;
  for (auto list : {&QuantizeLimits::in_low, &QuantizeLimits::in_high, &QuantizeLimits::out_low,
                    &QuantizeLimits::out_high}) {
    ChannelValues values = limits.*list;
    for (double& v : values) v += 0.0;  // no -0
    std::vector<int64_t> dims(out.shape().size(), 1);
    if (values.size() > 1) dims[limits.axis.value_or(0)] = static_cast<int64_t>(values.size());
    const auto tensor = Tensor::filled(g.context(), out.type(), values, dims);
    n.in_port(i).set_source(g.create_const(text(n.name(), "/limit_", i), tensor).out_port());
    ++i;
  }
}

}  // namespace mo::builtin_passes
