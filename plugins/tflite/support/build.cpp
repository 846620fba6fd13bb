#include "support/build.hpp"

namespace mo::tflite {

Shape stated_shape(const SourceNode& n, size_t input) {
  const auto all = n.find_native<std::vector<Shape>>("input_shapes");
  return all && input < all->size() ? (*all)[input] : Shape::unknown();
}

int64_t stated_dim(const SourceNode& n, size_t input, int64_t axis) {
  const Shape s = stated_shape(n, input);
  require(s.has_rank() && axis < s.rank() && axis >= -s.rank(), "input ", input, " has shape ", s,
          ", but its dimension ", axis, " is needed");
  const Dim d = s[normalize_axis(axis, s.size())];
  require(d.is_static(), "input ", input, " has shape ", s, "; its dimension ", axis, " must be fixed");
  return d.value();
}

int64_t rank_of(const Build& b, const SourceNode& n, size_t input) {
  const Shape known = b.in(input).shape();
  if (known.has_rank()) return known.rank();
  const Shape s = stated_shape(n, input);
  require(s.has_rank(), "the rank of input ", input, " is not known, but needed");
  return s.rank();
}

Ints constant_ints(const Build& b, size_t i, std::string_view what) {
  auto list = b.ints(i);
  if (!list) {
    b.graph().infer_marked();
    list = b.ints(i);
  }
  require(list.has_value(), "input ", i, ", ", what,
          ", is not constant, but the operation has it as an attribute",
          hint("give the model fixed input shapes with --input_shape, or make it a constant"));
  return std::move(*list);
}

int64_t constant_int(const Build& b, size_t i, std::string_view what) {
  const Ints list = constant_ints(b, i, what);
  require(list.size() == 1, "input ", i, ", ", what, ", has ", list.size(), " elements, expected one");
  return list.front();
}

static Levels levels_of(const SourceNode& n, std::string_view attribute, size_t i) {
  const auto all = n.find_native<std::vector<double>>(attribute);
  return all && 2 * i + 1 < all->size() ? Levels{(*all)[2 * i], (*all)[2 * i + 1]} : Levels{};
}

Levels input_levels(const SourceNode& n, size_t i) { return levels_of(n, "input_levels", i); }
Levels intermediate_levels(const SourceNode& n, size_t i) { return levels_of(n, "intermediate_levels", i); }

OutPort rounded(const Build& b, const OutPort& x, const Levels& levels, int bits) {
  if (!levels) return x;
  const double half = static_cast<double>(int64_t{1} << (bits - 1));
  const OutPort low = b.number(levels.scale * (-half - levels.zero)),
                high = b.number(levels.scale * (half - 1 - levels.zero));
  const Node n = b.node("FakeQuantize", "opset1", {x, low, high, low, high});
  n.set("levels", int64_t{1} << bits);
  return n.out_port();
}

OutPort activated(const Build& b, const SourceNode& n, const OutPort& x) {
  const auto name = n.native("fused_activation_function", "NONE");
  if (name == "NONE") return x;
  if (name == "RELU") return op1(b, "ReLU", {x});
  if (name == "RELU6") return b.clamp(x, 0, 6);
  if (name == "RELU_N1_TO_1") return b.clamp(x, -1, 1);
  if (name == "TANH") return op1(b, "Tanh", {x});
  fail("attribute 'fused_activation_function' is ", name,
       ", which TensorFlow Lite's kernels do not have either");
}

OutPort finished(const Build& b, const SourceNode& n, const OutPort& x, size_t bias) {
  return activated(b, n, b.has(bias) ? op1(b, "Add", {x, b.in(bias)}) : x);
}

}  // namespace mo::tflite
