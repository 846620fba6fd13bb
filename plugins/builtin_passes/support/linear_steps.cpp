#include "support/linear_steps.hpp"

#include "support/eliminate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mo::builtin_passes {

namespace {

struct FloatRange {
  double most, least;  // the largest number, and the smallest with all digits
};

FloatRange range_of(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return {65504, 0x1p-14};
    case ElementType::f64:
      return {std::numeric_limits<double>::max(), std::numeric_limits<double>::min()};
    default:  // bf16 has the exponents of f32
      return {std::numeric_limits<float>::max(), std::numeric_limits<float>::min()};
  }
}

std::optional<LinearStep> batch_norm(const Node& n) {
  const bool data_last = n.opset() == "opset1" && n.in_port(0).shape().rank() == 1;
  const size_t data = data_last ? 2 : 0;
  std::array<ChannelValues, 4> list;  // gamma, beta, mean, variance
  for (size_t i = 0, k = 0; i < 5; ++i) {
    if (i == data) continue;
    const OutPort port = n.in_port(i).get_source();
    const auto values = channel_values(port, 1, 0);
    if (!values || port.shape().rank() != 1 || values->size() != (k == 0 ? values->size() : list[0].size()))
      return std::nullopt;
    list[k++] = *values;
  }
  LinearStep step{n.in_port(data).get_source()};
  const double epsilon = n.attr<double>("epsilon");
  step.factor.resize(list[0].size());
  step.term.resize(list[0].size());
  for (size_t c = 0; c < step.factor.size(); ++c) {
    step.factor[c] = list[0][c] / std::sqrt(list[3][c] + epsilon);
    step.term[c] = list[1][c] - list[2][c] * step.factor[c];
  }
  if (step.factor.size() > 1) step.axis = 1;
  step.operations = 2;
  return step;
}

// The numbers of a constant, and the only dimension of `rank` in which they change.
std::optional<ChannelValues> values_of(const OutPort& constant, size_t rank, std::optional<size_t>& axis) {
  const auto t = constant.value();
  if (!t || !is_float(t->type()) || bits(t->type()) < 16 || t->rank() > rank) return std::nullopt;
  const size_t missing = rank - t->rank();
  std::optional<size_t> along;
  for (size_t d = 0; d < t->rank(); ++d) {
    if (t->dim(d) == 1) continue;
    if (along || t->dim(d) == 0) return std::nullopt;
    along = missing + d;
  }
  if (along) axis = along;
  return t->to_floats<double>();
}

std::optional<LinearStep> binary(const Node& n, std::string_view op) {
  const OutPort a = source_of(n, 0), b = source_of(n, 1);
  const bool first = is_constant(a);
  if (!a || !b || first == is_constant(b) || (first && (op == "Divide" || op == "Power")))
    return std::nullopt;
  LinearStep step{first ? b : a};
  const Shape shape = step.x.shape();
  if (!shape.has_rank()) return std::nullopt;
  const auto values = values_of(first ? a : b, shape.size(), step.axis);
  if (!values) return std::nullopt;
  if (op == "Power") {
    if (!are_all(*values, 1)) return std::nullopt;
    step.axis.reset();
  } else if (op == "Multiply" || op == "Divide") {
    step.factor = *values;
    if (op == "Divide")
      for (double& v : step.factor) v = 1 / v;
  } else {
    step.term = *values;
    if (op == "Subtract" && first) step.factor = {-1};
    if (op == "Subtract" && !first)
      for (double& v : step.term) v = -v;
  }
  return step;
}

bool is_binary(std::string_view op) {
  return op == "Add" || op == "Subtract" || op == "Multiply" || op == "Divide" || op == "Power";
}

}  // namespace

std::optional<ChannelValues> operand_values(const Node& n, size_t i, size_t rank,
                                            std::optional<size_t>& axis) {
  const OutPort port = source_of(n, static_cast<uint32_t>(i));
  std::optional<size_t> own;
  auto values = is_constant(port) ? values_of(port, rank, own) : std::nullopt;
  if (!values || (axis && own && axis != own)) return std::nullopt;
  if (own) axis = own;
  return values;
}

std::optional<LinearStep> linear_step(const Node& n) {
  const std::string_view op = op_of(n);
  std::optional<LinearStep> step;
  if (op == "BatchNormInference")
    step = batch_norm(n);
  else if (op == "Negative")
    step = LinearStep{source_of(n, 0), {-1}};
  else if (is_binary(op))
    step = binary(n, op);
  if (!step || !step->x) return std::nullopt;
  const Context c = n.context();
  const mo_tensor_desc* x = nullptr;
  c.check(c.graph().desc(c.get(), step->x.abi(), &x));
  const auto type = static_cast<ElementType>(x->element_type);
  if (!is_float(type) || bits(type) < 16) return std::nullopt;
  const Shape shape(x->shape);
  if (!shape.has_rank() || n.out_port().shape() != shape) return std::nullopt;
  if (!holds_factors(type, step->factor) || !holds_terms(type, step->term)) return std::nullopt;
  return step;
}

bool LinearChain::append(const Node& n) {
  const auto step = linear_step(n);
  return step && append(n, *step);
}

bool LinearChain::append(const Node& n, const LinearStep& step) {
  if (axis && step.axis && axis != step.axis) return false;
  const auto both = combined(factor, step.factor, std::multiplies<>());
  const auto scaled = combined(term, step.factor, std::multiplies<>());
  const auto sum = scaled ? combined(*scaled, step.term, std::plus<>()) : std::nullopt;
  const ElementType type = step.x.type();
  if (!both || !sum || !holds_factors(type, *both) || !holds_terms(type, *sum)) return false;
  if (nodes.empty()) x = step.x;
  factor = *both;
  term = *sum;
  if (step.axis) axis = step.axis;
  nodes.push_back(n);
  operations += step.operations;
  return true;
}

bool holds_factors(ElementType type, const ChannelValues& values) {
  const FloatRange range = range_of(type);
  return std::all_of(values.begin(), values.end(), [&](double v) {
    return v == 0 || (std::abs(v) <= range.most && std::abs(v) >= range.least);
  });
}

bool holds_terms(ElementType type, const ChannelValues& values) {
  const double most = range_of(type).most;
  return std::all_of(values.begin(), values.end(), [&](double v) { return std::abs(v) <= most; });
}

}  // namespace mo::builtin_passes
