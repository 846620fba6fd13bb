// TensorIterator: a body that runs once for each slice of its sliced inputs.
#include "support/iteration.hpp"
#include "support/iteration_limits.hpp"

namespace mo::opset {

namespace iterator {

// Without sliced inputs the concatenated outputs say how many parts they have.
static Dim count_of_outputs(const Body& body, uint32_t outputs) {
  for (size_t i = 0; i < outputs; ++i) {
    const PortMapEntry& e = body.output(i);
    if (!e.axis) continue;
    const int64_t length = interval::add(e.end, -std::max(e.start, -Interval::highest), Interval::highest);
    return Dim(std::abs(std::max(length, -Interval::highest)) / e.part_size);
  }
  return 1;
}
template <class ShapeOf>
Dim count(const Body& body, uint32_t outputs, ShapeOf shape_of) {
  std::optional<Dim> n;
  for (const PortMapEntry& e : body.inputs()) {
    if (!e.axis || e.external == -1) continue;
    const Shape shape = shape_of(static_cast<size_t>(e.external));
    const Dim own = shape.has_rank()
                        ? slice_count(e, shape[normalize_axis(*e.axis, shape.size(), "the axis of a slice")])
                        : any_dim;
    n = n ? same_dim(*n, own, "the numbers of slices") : own;
  }
  return n ? *n : count_of_outputs(body, outputs);
}
static void check(const Body& body) {
  for (const PortMapEntry& e : body.inputs())
    require(e.external != -1, "attribute 'port_map' connects Parameter ", e.internal,
            " with no input; expected one");
}

}  // namespace iterator

struct TensorIterator {
  static constexpr std::string_view type = "TensorIterator", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("inputs of the body, whole or in slices")
        .input_list("input", 0, Role::fixed)
        .outputs(1, any_number);
    Body::schema(s, "", true);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"slices are counted from the start", "", reader_of_port_maps, slices_from_start},
                     {"the body reads each of its inputs", "2021.4", reader_of_bodies, reads_its_inputs},
                     {"it does not lie in the body of another TensorIterator", "",
                      "ngraph/core/src/op/tensor_iterator.cpp:45", [](const Node& l) {
                        const Node outer = l.graph().parent();
                        return !outer || outer.op() != "TensorIterator";
                      }}});
  }
  static void infer(InferContext& c) {
    const Body body(c, "");
    iterator::check(body);
    std::vector<Known> parameters;
    for (size_t p = 0; p < body.inputs().size(); ++p) parameters.push_back(first_value(c, body, p));
    const Dim n = iterator::count(body, c.outputs(), [&](size_t i) { return c.shape(i); });
    const Interval times(n);
    infer_iterations(c, body, std::move(parameters), {times.lo, times.hi, times.lo == 0});
  }
  static void evaluate(EvalContext& c) {
    const Body body(c, "");
    iterator::check(body);
    const Dim n = iterator::count(body, c.outputs(), [&](size_t i) { return c.input(i).shape(); });
    evaluate_iterations(c, body, n.value(), true);
  }
};

void register_tensor_iterator(Registry& r) { r.operation<TensorIterator>(); }

}  // namespace mo::opset
