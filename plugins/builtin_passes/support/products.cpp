#include "support/products.hpp"

namespace mo::builtin_passes {

namespace {

struct Kind {
  std::string_view op;
  std::vector<size_t> places;
};

const std::vector<Kind>& convolutions() {
  static const std::vector<Kind> kinds = {{"Convolution", {0}},
                                          {"GroupConvolution", {0, 1}},
                                          {"ConvolutionBackpropData", {1}},
                                          {"GroupConvolutionBackpropData", {0, 2}}};
  return kinds;
}

}  // namespace

std::optional<Product> Product::behind(const OutPort& output) {
  const Node n = output.node();
  const std::string op = n.op();
  const Shape shape = output.shape();
  if (!shape.has_rank() || output.destination_count() != 1 || n.in_count() < 2) return std::nullopt;
  const OutPort weights = n.in_port(1).get_source();
  if (!weights || weights.node().op() != "Const" || weights.destination_count() != 1) return std::nullopt;
  if (!is_float(weights.type())) return std::nullopt;
  const size_t rank = static_cast<size_t>(weights.shape().rank());
  if (op == "MatMul") {
    if (rank < 2 || shape.size() < 2) return std::nullopt;
    const bool turned = n.attr<bool>("transpose_b");
    return Product(n, {turned ? rank - 2 : rank - 1}, 1);
  }
  for (const Kind& k : convolutions())
    if (k.op == op && shape.size() > 2) return Product(n, k.places, shape.size() - 1);
  return std::nullopt;
}

int64_t Product::channels() const {
  const auto dims = weights().value()->dims();
  int64_t count = 1;
  for (const size_t p : places_) count *= dims.at(p);
  return count;
}

bool Product::takes(const Tensor& factors) const {
  const Shape output = node_.out_port().shape();
  if (factors.type() != weights().type() || factors.rank() > output.size()) return false;
  for (size_t d = 0; d < factors.rank(); ++d) {
    const bool of_channels = factors.rank() - d == from_end_;
    if (factors.dim(d) != 1 && !(of_channels && factors.dim(d) == channels())) return false;
  }
  return true;
}

void Product::multiply(const Graph& g, const Node& factors) const {
  const Tensor value = *factors.out_port().value();
  std::vector<int64_t> dims(weights().value()->rank(), 1);
  if (value.size() != 1)
    for (const size_t p : places_) dims[p] = weights().value()->dim(p);
  const std::string name = weights().node().name();
  const Node f = g.create_const(name + "/factors", value.reshaped(g.context(), dims));
  const Node scaled = g.create_node("Multiply", "opset1", name + "/scaled", {weights(), f.out_port()});
  node_.in_port(1).set_source(scaled.out_port());
}

}  // namespace mo::builtin_passes
