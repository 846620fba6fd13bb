#include "support/channel_values.hpp"

#include <algorithm>

namespace mo::builtin_passes {

std::optional<ChannelValues> channel_values(const OutPort& operand, size_t rank, size_t axis) {
  if (!operand || !operand.node().is("Const") || !is_float(operand.type())) return std::nullopt;
  const Tensor t = *operand.value();
  if (t.rank() > rank || bits(t.type()) < 16 || t.size() == 0) return std::nullopt;
  const size_t missing = rank - t.rank();
  for (size_t i = 0; i < t.rank(); ++i)
    if (t.dim(i) != 1 && missing + i != axis) return std::nullopt;
  return t.to_floats<double>();
}

bool are_all(const ChannelValues& values, double v) {
  return std::all_of(values.begin(), values.end(), [v](double x) { return x == v; });
}

}  // namespace mo::builtin_passes
