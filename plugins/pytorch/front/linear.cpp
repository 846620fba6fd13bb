// linear: rows of x times the rows of the weights.
#include "support/call.hpp"

namespace mo::pytorch {

static Ports linear(const Call& c) {
  const OutPort x = c.tensor("input"), w = c.tensor("weight");
  // Weights of one row without a dimension for it give results without one.
  const bool one_row = c.rank(w) == 1;
  OutPort y = one_row ? c.b.matmul(x, w) : c.b.matmul(x, w, false, true);
  if (const OutPort bias = c.find_tensor("bias")) y = c.b.add(y, bias);
  return {y};
}

void register_linear(Registry& r) {
  convert<linear>(r, "aten.linear.default", "linear(x, w, bias)", "Add(MatMul(x, Transpose(w)), bias)");
}

}  // namespace mo::pytorch
