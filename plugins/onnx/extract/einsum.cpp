#include "support/extract.hpp"

#include <mo/equation.hpp>

namespace mo::onnx {

static void extract_einsum(SourceNode& n) {
  const std::string equation = explicit_equation(n.native<std::string>("equation"));
  n.set_op("Einsum", "opset7");
  n.set("equation", equation);
}

void register_einsum(Registry& r) { extract<extract_einsum>(r, "Einsum"); }

}  // namespace mo::onnx
