// Softmax, ArgMax and Reduction.
#include "support/registering.hpp"

namespace mo::caffe {

namespace reducing {

static Ports softmax(Build& b, const SourceNode& l) {
  const auto axis = axis_of(integer(l, "softmax_param.axis", 1), bottom(l, 0), "axis");
  return {b.node("SoftMax", "opset1", {bottom(l, 0)}).set("axis", static_cast<int64_t>(axis)).out_port()};
}

static Node largest(const Build& b, const SourceNode& l, const OutPort& x, int64_t axis) {
  const int64_t count = integer(l, "argmax_param.top_k", 1);
  const Node n = b.node("TopK", "opset3", {x, b.integer(count)}, 2);
  n.set("axis", axis).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i32);
  return n;
}

// Along an axis: places, or values. Of all elements of a sample: places and, when asked for, values as [N, 2,
// k].
static Ports arg_max(Build& b, const SourceNode& l) {
  const OutPort x = bottom(l, 0);
  const bool values = flag(l, "argmax_param.out_max_val", false);
  if (is_set(l, "argmax_param.axis")) {
    const Node n =
        largest(b, l, x, static_cast<int64_t>(axis_of(integer(l, "argmax_param.axis", 1), x, "axis")));
    return {values ? n.out_port(0) : b.convert(n.out_port(1), ElementType::f32)};
  }
  const Node n = largest(b, l, reshaped(b, x, {0, 1, -1}), 2);
  OutPort result = b.convert(n.out_port(1), ElementType::f32);
  if (values) result = b.concat({result, n.out_port(0)}, 1);
  const size_t rank = rank_of(x);
  if (rank <= 3) return {result};
  Ints axes;
  for (size_t i = 3; i < rank; ++i) axes.push_back(static_cast<int64_t>(i));
  return {b.op("Unsqueeze", "opset1", {result, b.list(axes)})};
}

static Ports reduction(Build& b, const SourceNode& l) {
  OutPort x = bottom(l, 0);
  const std::string operation = word(l, "reduction_param.operation", "SUM");
  const size_t rank = rank_of(x), first = axis_of(integer(l, "reduction_param.axis", 0), x, "axis");
  Ints axes;
  for (size_t i = first; i < rank; ++i) axes.push_back(static_cast<int64_t>(i));
  if (operation == "SUMSQ") x = b.multiply(x, x);
  const bool absolute = operation == "ASUM";
  const Node n = b.node(absolute              ? "ReduceL1"
                        : operation == "MEAN" ? "ReduceMean"
                                              : "ReduceSum",
                        absolute ? "opset4" : "opset1", {x, b.list(axes)});
  n.set("keep_dims", false);
  return {linear(b, n.out_port(), real(l, "reduction_param.coeff", 1), 0)};
}

}  // namespace reducing

void register_reducing(Registry& r) {
  convert<reducing::softmax>(r, "Softmax", "Softmax(x)", "SoftMax(x)");
  convert<reducing::arg_max>(r, "ArgMax", "ArgMax(x)", "Convert(TopK(x))");
  convert<reducing::reduction>(r, "Reduction", "Reduction(x, operation, coeff)",
                               "ReduceSum(x), ReduceMean(x), ReduceL1(x), ReduceSum(Multiply(x, x))");
}

}  // namespace mo::caffe
