// Softmax, ArgMax and Reduction.
#include "support/convert_layers.hpp"

namespace mo::caffe {

namespace reducing {

static Ports softmax(Layer& l) {
  const auto axis = l.axis(l.integer("softmax_param.axis", 1), l.in(0), "axis");
  return {l.with("SoftMax", "opset1", {l.in(0)}).set("axis", static_cast<int64_t>(axis)).out_port()};
}

static Node largest(Layer& l, const OutPort& x, int64_t axis) {
  const int64_t count = l.integer("argmax_param.top_k", 1);
  const Node n = l.with("TopK", "opset3", {x, l.integer_constant(count)}, 2);
  n.set("axis", axis).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i32);
  return n;
}

// Along an axis: places, or values. Of all elements of a sample: places and, when asked for, values as [N, 2,
// k].
static Ports arg_max(Layer& l) {
  const OutPort x = l.in(0);
  const bool values = l.flag("argmax_param.out_max_val", false);
  if (l.is_set("argmax_param.axis")) {
    const Node n = largest(l, x, static_cast<int64_t>(l.axis(l.integer("argmax_param.axis", 1), x, "axis")));
    return {values ? n.out_port(0) : l.convert(n.out_port(1), ElementType::f32)};
  }
  const Node n = largest(l, l.reshape(x, {0, 1, -1}), 2);
  OutPort result = l.convert(n.out_port(1), ElementType::f32);
  if (values) result = l.concat({result, n.out_port(0)}, 1);
  const size_t rank = l.rank(x);
  if (rank <= 3) return {result};
  Ints axes;
  for (size_t i = 3; i < rank; ++i) axes.push_back(static_cast<int64_t>(i));
  return {l.op("Unsqueeze", "opset1", {result, l.list(axes)})};
}

static Ports reduction(Layer& l) {
  OutPort x = l.in(0);
  const std::string operation = l.word("reduction_param.operation", "SUM");
  const size_t rank = l.rank(x), first = l.axis(l.integer("reduction_param.axis", 0), x, "axis");
  Ints axes;
  for (size_t i = first; i < rank; ++i) axes.push_back(static_cast<int64_t>(i));
  if (operation == "SUMSQ") x = l.multiply(x, x);
  const bool absolute = operation == "ASUM";
  const Node n = l.with(absolute              ? "ReduceL1"
                        : operation == "MEAN" ? "ReduceMean"
                                              : "ReduceSum",
                        absolute ? "opset4" : "opset1", {x, l.list(axes)});
  n.set("keep_dims", false);
  return {l.linear(n.out_port(), l.real("reduction_param.coeff", 1), 0)};
}

}  // namespace reducing

void register_reducing(Items& items) {
  items.layer("Softmax", &reducing::softmax);
  items.layer("ArgMax", &reducing::arg_max);
  items.layer("Reduction", &reducing::reduction);
}

}  // namespace mo::caffe
