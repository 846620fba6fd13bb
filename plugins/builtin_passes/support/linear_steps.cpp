#include "support/linear_steps.hpp"

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

std::optional<LinearStep> batch_norm(const Node& n, std::optional<size_t>& axis) {
  if (axis.value_or(1) != 1) return std::nullopt;
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
  if (step.factor.size() > 1) axis = 1;
  step.operations = 2;
  return step;
}

// The input that is no constant; nothing when both are, or none.
std::optional<size_t> data_input(const Node& n) {
  const bool first = n.in_node(0).op() == "Const", second = n.in_node(1).op() == "Const";
  return first == second ? std::nullopt : std::optional<size_t>(first ? 1 : 0);
}

std::optional<LinearStep> binary(const Node& n, const std::string& op, std::optional<size_t>& axis) {
  const auto data = data_input(n);
  if (!data) return std::nullopt;
  LinearStep step{n.in_port(*data).get_source()};
  const Shape shape = step.x.shape();
  if (!shape.has_rank() || (*data == 1 && (op == "Divide" || op == "Power"))) return std::nullopt;
  const auto values = operand_values(n, 1 - *data, shape.size(), axis);
  if (!values) return std::nullopt;
  if (op == "Power") {
    if (!are_all(*values, 1)) return std::nullopt;
  } else if (op == "Multiply" || op == "Divide") {
    step.factor = *values;
    if (op == "Divide")
      for (double& v : step.factor) v = 1 / v;
  } else {
    step.term = *values;
    if (op == "Subtract" && *data == 1) step.factor = {-1};
    if (op == "Subtract" && *data == 0)
      for (double& v : step.term) v = -v;
  }
  return step;
}

}  // namespace

std::optional<ChannelValues> operand_values(const Node& n, size_t i, size_t rank,
                                            std::optional<size_t>& axis) {
  const OutPort port = n.in_port(i).get_source();
  if (!port || port.node().op() != "Const") return std::nullopt;
  std::optional<size_t> along = axis;
  if (!along) {
    const Shape s = port.shape();
    for (size_t d = 0; s.has_rank() && d < s.size() && s.size() <= rank && !along; ++d)
      if (s[d] != Dim(1)) along = rank - s.size() + d;
  }
  auto values = channel_values(port, rank, along.value_or(0));
  if (values && values->size() > 1) axis = along;
  return values;
}

std::optional<LinearStep> linear_step(const Node& n, std::optional<size_t>& axis) {
  const std::string op = n.op();
  std::optional<LinearStep> step;
  std::optional<size_t> along = axis;
  if (op == "BatchNormInference") {
    step = batch_norm(n, along);
  } else if (op == "Negative") {
    step = LinearStep{n.in_port(0).get_source(), {-1}};
  } else if (op == "Add" || op == "Subtract" || op == "Multiply" || op == "Divide" || op == "Power") {
    if (n.in_count() == 2) step = binary(n, op, along);
  }
  if (!step || !step->x) return std::nullopt;
  const Shape shape = step->x.shape();
  const ElementType type = step->x.type();
  if (!shape.has_rank() || n.out_port().shape() != shape || !is_float(type) || bits(type) < 16)
    return std::nullopt;
  if (!holds_factors(type, step->factor) || !holds_terms(type, step->term)) return std::nullopt;
  axis = along;
  return step;
}

bool LinearChain::append(const Node& n) {
  std::optional<size_t> along = axis;
  const auto step = linear_step(n, along);
  if (!step) return false;
  const auto both = combined(factor, step->factor, std::multiplies<>());
  const auto scaled = combined(term, step->factor, std::multiplies<>());
  const auto sum = scaled ? combined(*scaled, step->term, std::plus<>()) : std::nullopt;
  const ElementType type = step->x.type();
  if (!both || !sum || !holds_factors(type, *both) || !holds_terms(type, *sum)) return false;
  if (nodes.empty()) x = step->x;
  factor = *both;
  term = *sum;
  axis = along;
  nodes.push_back(n);
  operations += step->operations;
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
