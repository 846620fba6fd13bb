#include "support/extract.hpp"

namespace mo::onnx {

static void extract_einsum(SourceNode& n) {
  auto equation = n.native<std::string>("equation");
  equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
  n.set_op("Einsum", "opset7");
  n.set("equation", equation);
}

void register_einsum(Registry& r) { extract<extract_einsum>(r, "Einsum"); }

}  // namespace mo::onnx
