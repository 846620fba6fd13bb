// Operators with any number of inputs become chains. Those with two: extract/binary.cpp.
#include "support/build.hpp"

namespace mo::onnx {

static OutPort chain(const Build& b, const SourceNode& n, std::string_view type) {
  require(n.in_count() > 0, "it has no inputs");
  OutPort all = b.in(0);
  for (size_t i = 1; i < n.in_count(); ++i) all = b.op(type, "opset1", {all, b.in(i)});
  return all;
}

template <auto& Type>
static Ports variadic(Build& b, const SourceNode& n) {
  if (n.in_count() == 1) return bypass(n, b.in(0));
  return {chain(b, n, Type)};
}

static Ports mean_of(Build& b, const SourceNode& n) {
  const auto count = static_cast<double>(n.in_count());
  if (count == 1) return bypass(n, b.in(0));
  return {b.op("Divide", "opset1", {chain(b, n, "Add"), b.like(b.in(0), count)})};
}

namespace variadic_types {
static constexpr char maximum[] = "Maximum", minimum[] = "Minimum", sum[] = "Add";
}

void register_variadic(Registry& r) {
  using namespace variadic_types;
  replace<variadic<maximum>>(r, {"Max", "Max(a, b, c)", "Maximum(Maximum(a, b), c)"});
  replace<variadic<minimum>>(r, {"Min", "Min(a, b, c)", "Minimum(Minimum(a, b), c)"});
  replace<variadic<sum>>(r, {"Sum", "Sum(a, b, c)", "Add(Add(a, b), c)"});
  replace<mean_of>(r, {"Mean", "Mean(a, b, c)", "Divide(Add(Add(a, b), c), 3)"});
}

}  // namespace mo::onnx
