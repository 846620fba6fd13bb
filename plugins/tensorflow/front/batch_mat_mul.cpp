#include "support/build.hpp"

namespace mo::tensorflow {

// The result may have another type than the matrices.
static Ports batch_mat_mul_v3(Build& b, const SourceNode& n) {
  const auto type = n.native<ElementType>("Tout");
  const Node m = b.node("MatMul", "opset1", {b.convert(b.in(0), type), b.convert(b.in(1), type)});
  m.set("transpose_a", n.native("adj_x", false)).set("transpose_b", n.native("adj_y", false));
  return {m.out_port()};
}

void register_batch_mat_mul(Registry& r) {
  replace<batch_mat_mul_v3>(r, {"BatchMatMulV3", "BatchMatMulV3(a, b)", "MatMul(Convert(a), Convert(b))"});
}

}  // namespace mo::tensorflow
