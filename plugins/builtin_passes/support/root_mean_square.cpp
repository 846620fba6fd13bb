#include "support/root_mean_square.hpp"

namespace mo::builtin_passes {

namespace {

bool is_of_last_dimension(const Node& mean) {
  const auto axes = mean.in_port(1).value();
  const Shape s = mean.in_port(0).get_source().shape();
  if (!axes || axes->size() != 1 || !mean.attr("keep_dims", false)) return false;
  const int64_t axis = axes->integer(0);
  return axis == -1 || (s.has_rank() && axis == s.rank() - 1);
}

}  // namespace

std::optional<RmsNormalization> rms_normalization(const OutPort& port) {
  const Node n = port.node();
  if ((!n.is("Divide") && !n.is("Multiply")) || !is_float(port.type())) return std::nullopt;
  Nodes inside;
  const auto quotient = quotient_of(n, inside);
  const auto sqrt = quotient ? made_by(quotient->under, "Sqrt") : std::nullopt;
  const auto sum = sqrt ? made_by(sqrt->in_port(0).get_source(), "Add") : std::nullopt;
  if (!sum) return std::nullopt;
  for (const size_t i : {0U, 1U}) {
    const auto mean = made_by(sum->in_port(i).get_source(), "ReduceMean");
    if (!mean || !single_number(sum->in_port(1 - i).get_source()) || !is_of_last_dimension(*mean)) continue;
    Nodes square;
    const auto x = squared(mean->in_port(0).get_source(), square);
    if (x && *x == quotient->over) return RmsNormalization{*x, n, quotient->under, square.front()};
  }
  return std::nullopt;
}

}  // namespace mo::builtin_passes
