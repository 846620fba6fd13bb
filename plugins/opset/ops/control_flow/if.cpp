// If: one of two bodies, chosen by a condition. What both say holds; where it is known which one runs, or one
// cannot for these inputs, only the other counts.
#include "support/bodies.hpp"

namespace mo::opset {

namespace choice {

static std::vector<Known> parameters_of(const InferContext& c, const Body& body) {
  std::vector<Known> parameters;
  for (size_t p = 0; p < body.inputs().size(); ++p) {
    parameters.push_back(known_input(c, static_cast<size_t>(body.inputs()[p].external)));
    if (parameters[p].type == ElementType::unknown) parameters[p].type = body.declared(p).type;
    if (BodyWork::is_spent()) parameters[p].value.reset();  // the body need not forget it
  }
  return parameters;
}
static std::vector<Known> inferred(const InferContext& c, const Body& body) {
  const std::vector<Known> parameters = parameters_of(c, body);
  const auto results = body.infer(parameters);
  std::vector<Known> outputs;
  for (size_t i = 0; i < c.outputs(); ++i)
    outputs.push_back(results[static_cast<size_t>(body.output(i).internal)]);
  body.remember(parameters);
  return outputs;
}
// Nothing for a body that is wrong for these inputs: it does not run.
static std::optional<std::vector<Known>> tried(const InferContext& c, const Body& body,
                                               std::string_view body_name, std::optional<Error>& why) {
  try {
    return inferred(c, body);
  } catch (const Error& e) {
    if (e.status() != MO_ERROR) throw;  // the host could not, which says nothing about the body
    why = Error(text("in its ", body_name, " branch: ", e.what()), MO_ERROR, e.where(), e.said());
    body.forget();
    return std::nullopt;
  }
}
static void check(const Body& body, std::string_view prefix) {
  for (const PortMapEntry& e : body.inputs())
    require(e.external > 0 && !e.axis, "attribute '", prefix, "port_map' connects Parameter ", e.internal,
            " with input ", e.external, "; expected a whole input from 1 on");
}

}  // namespace choice

struct If {
  static constexpr std::string_view type = "If", opset = "opset8";
  static void schema(OpSchema& s) {
    s.doc("condition, and inputs of the bodies")
        .input("condition", Role::any, boolean_type)
        .input_list("input", 0, Role::fixed)
        .outputs(1, any_number);
    Body::schema(s, "then_", false);
    Body::schema(s, "else_", false);
    s.flags(MO_OP_SHAPE_SOURCE);  // a body may compute with shapes
  }
  static void infer(InferContext& c) {
    require_rank(c.shape(0), "the condition", 0, 1);
    require_elements(c, 0, "the condition", 1);
    const Body then_body(c, "then_"), else_body(c, "else_");
    choice::check(then_body, "then_");
    choice::check(else_body, "else_");
    const auto condition = only_element(known_input(c, 0));
    const BodyWork work;
    std::optional<Error> problem;
    const auto then_outputs = choice::tried(c, then_body, "then", problem);
    if (!then_outputs && condition.value_or(0) != 0) throw Error(*problem);
    const auto else_outputs = choice::tried(c, else_body, "else", problem);
    if (!else_outputs && (!then_outputs || condition == 0)) throw Error(*problem);
    const bool takes_then = !else_outputs || condition.value_or(0) != 0;
    std::vector<Known> outputs = takes_then ? *then_outputs : *else_outputs;
    if (condition)
      for (Known& k : outputs) k.elements.reset();  // evaluate says what follows from values alone
    else if (then_outputs && else_outputs)
      for (size_t i = 0; i < outputs.size(); ++i) outputs[i] = joined((*then_outputs)[i], (*else_outputs)[i]);
    for (uint32_t i = 0; i < outputs.size(); ++i) output_known(c, i, outputs[i]);
  }
  static void evaluate(EvalContext& c) {
    const Tensor condition = c.input(0);
    require(condition.size() == 1, "the condition has shape ", condition.shape(), "; expected 1 elements");
    const Body body(c, condition.integer(0) != 0 ? "then_" : "else_");
    std::vector<Tensor> inputs;
    for (const PortMapEntry& e : body.inputs()) inputs.push_back(c.input(static_cast<size_t>(e.external)));
    const auto results = c.run_body(body.graph(), inputs);
    body.graph().infer_all();  // what inner bodies know is what they knew before
    for (uint32_t i = 0; i < c.outputs(); ++i)
      c.output(i, results[static_cast<size_t>(body.output(i).internal)]);
  }
};

void register_if(Registry& r) { r.operation<If>(); }

}  // namespace mo::opset
