// Loop: a body that runs as often as the trip count says (-1: without an end) while its condition holds.
#include "support/iteration.hpp"
#include "support/iteration_limits.hpp"

namespace mo::opset {

struct Loop {
  static constexpr std::string_view type = "Loop", opset = "opset5";
  static void schema(OpSchema& s) {
    s.doc("trip count, condition, and inputs of the body")
        .input("trip_count", Role::any, integer_types)
        .input("condition", Role::any, boolean_type)
        .input_list("input", 0, Role::fixed)
        .outputs(0, any_number);
    Body::schema(s, "", true);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"slices are counted from the start", "", reader_of_port_maps, slices_from_start},
                     {"the body reads each of its inputs", "2021.4", reader_of_bodies, reads_its_inputs},
                     {"slices are single elements from the first to the last", "2022.3",
                      "ngraph/core/src/op/loop.cpp:315", [](const Node& l) {
                        for (const PortMapEntry& e : port_map_of(l))
                          if (e.axis && (e.start != 0 || e.end != -1 || e.stride != 1 || e.part_size != 1))
                            return false;
                        return true;
                      }}});
  }
  static void infer(InferContext& c) {
    require_rank(c.shape(0), "the trip count", 0, 1);
    require_rank(c.shape(1), "the condition", 0, 1);
    require_elements(c, 0, "the trip count", 1);
    require_elements(c, 1, "the condition", 1);
    const Body body(c, "");
    check(body);
    std::vector<Known> parameters;
    for (size_t p = 0; p < body.inputs().size(); ++p) parameters.push_back(first_value(c, body, p));
    const Interval count = intervals_or_unknown(c, 0, 1)[0];
    Repetitions times;
    if (count.lo >= 0)
      times = {count.lo, count.hi, false};
    else if (count.hi < 0)
      times = {1, Interval::highest, false};
    const auto first = only_element(known_input(c, 1));
    times.may_be_none = !first || *first == 0 || times.low == 0;
    if (first && *first == 0) times.low = times.high = 0;
    infer_iterations(c, body, std::move(parameters), times);
  }
  static void evaluate(EvalContext& c) {
    const Tensor count = c.input(0), condition = c.input(1);
    require(count.size() == 1 && condition.size() == 1, "the trip count has shape ", count.shape(),
            " and the condition ", condition.shape(), "; expected 1 elements");
    const Body body(c, "");
    check(body);
    evaluate_iterations(c, body, count.integer(0), condition.integer(0) != 0);
  }

 private:
  static void check(const Body& body) {
    require(body.condition().has_value(),
            "attribute 'port_map' names no Result with purpose=execution_condition; expected one");
  }
};

void register_loop(Registry& r) { r.operation<Loop>(); }

}  // namespace mo::opset
