// ReadValue and Assign: a variable that lasts from one inference to the next. A single run starts from the
// initial value, and what is assigned serves the next one.
#include "support/elements.hpp"
#include "support/inference.hpp"
#include "support/limits.hpp"

namespace mo::opset {

namespace variables {

static void check_id(const OpContext& c) {
  require(!c.attr<std::string>("variable_id").empty(),
          "attribute 'variable_id' is empty; expected the name of a variable");
}
static ElementType declared_type(const OpContext& c) {
  return c.find_attr<ElementType>("variable_type").value_or(ElementType::unknown);
}
static Shape declared_shape(const OpContext& c) {
  return c.find_attr<Shape>("variable_shape").value_or(Shape::unknown());
}

static bool begins_with_zeros(const Node& n) {
  if (!n.is_in_port_connected(0)) return true;
  OutPort first = n.in_port(0).get_source();
  if (first.node().is("Broadcast")) first = first.node().in_port(0).get_source();
  const auto value = first.value();
  if (!value || !(is_float(value->type()) || is_integer(value->type()))) return false;
  const auto numbers = value->to_floats<double>();
  return std::all_of(numbers.begin(), numbers.end(), [](double v) { return v == 0; });
}

}  // namespace variables

template <int Version>
struct ReadValue {
  static constexpr bool declares = Version == 6;
  static void schema(OpSchema& s) {
    s.doc("the value of a variable, at first the input's");
    declares ? s.optional_input("init", Role::fixed) : s.input("init", Role::fixed);
    s.flags(MO_OP_NO_FOLD).attr<std::string>("variable_id");
    if constexpr (declares)
      s.optional_attr<ElementType>("variable_type").optional_attr<Shape>("variable_shape");
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"a state begins with zeros, which the CPU takes whatever is given", "2023.2",
                      "measured in OpenVINO 2021.4 to 2023.2", variables::begins_with_zeros},
                     {"a state has one size for all runs", "2023.2", "measured in OpenVINO 2022.1 to 2023.2",
                      [](const Node& l) { return l.out_port().shape().is_static(); }}});
  }
  static void infer(InferContext& c) {
    variables::check_id(c);
    if constexpr (!declares) return c.output(0, c.type(0), c.shape(0));
    // What is declared is what any later value has to be like; the first one is like that, too.
    ElementType t = variables::declared_type(c);
    const bool has_shape = c.find_attr<Shape>("variable_shape").has_value();
    Shape shape = variables::declared_shape(c);
    if (!c.has(0)) {
      require(t != ElementType::unknown,
              "attribute 'variable_type' is missing; expected it, or an input with the initial value");
      require(has_shape,
              "attribute 'variable_shape' is missing; expected it, or an input with the initial value");
      return c.output(0, t, shape);
    }
    if (t != ElementType::unknown && c.type(0) != ElementType::unknown && c.type(0) != t)
      fail("the initial value has element type ", name(c.type(0)), "; expected ", name(t),
           " as 'variable_type' says");
    if (!merge(shape, c.shape(0)))
      fail("the initial value has shape ", c.shape(0), "; expected ", shape, " as 'variable_shape' says");
    if (t == ElementType::unknown) t = c.type(0);
    c.output(0, t, has_shape ? shape : c.shape(0));
  }
  static void evaluate(EvalContext& c) {
    if (c.has(0)) return c.output(0, c.input(0));
    const Shape shape = variables::declared_shape(c);
    if (!shape.is_static()) no_value("a variable of shape ", shape, " has no initial value");
    c.output(0, create_grown(c, variables::declared_type(c), shape.to_static(), 0).first);
  }
};

struct Assign {
  static void schema(OpSchema& s) {
    s.doc("sets a variable to the input").input("value", Role::fixed).flags(MO_OP_SINK | MO_OP_NO_FOLD);
    s.attr<std::string>("variable_id");
  }
  static void infer(InferContext& c) {
    variables::check_id(c);
    c.output(0, c.type(0), c.shape(0));
  }
  static void evaluate(EvalContext& c) { c.output(0, c.input(0)); }
};

void register_variables(Registry& r) {
  r.operation<ReadValue<3>>("ReadValue", "opset3");
  r.operation<ReadValue<6>>("ReadValue", "opset6");
  r.operation<Assign>("Assign", "opset3");
  r.operation<Assign>("Assign", "opset6");
}

}  // namespace mo::opset
