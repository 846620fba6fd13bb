// Convert and ConvertLike: elements of another type.
#include "support/conversion.hpp"

namespace mo::opset {

struct Convert {
  static constexpr std::string_view type = "Convert", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("elements of another type")
        .input("data")
        .element_wise()
        .outputs(1)
        .attr<ElementType>("destination_type");
  }
  static void infer(InferContext& c) {
    const auto t = c.attr<ElementType>("destination_type");
    require(t != ElementType::unknown, "attribute 'destination_type' names no element type");
    output_converted(c, t);
  }
  static void symbols(SymbolsContext& c) {
    c.output(0, c.dims(0));
    if (is_integer(c.node().in_port(0).type())) c.output_values(0, c.values(0));
  }
  static void evaluate(EvalContext& c) {
    c.output(0, converted(c, c.input(0), c.attr<ElementType>("destination_type")));
  }
};

struct ConvertLike {
  static constexpr std::string_view type = "ConvertLike", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("elements of the type of the second input")
        .input("data", Role::data)
        .input("like", Role::any)
        .keeps_shape()
        .outputs(1);
  }
  static void infer(InferContext& c) { output_converted(c, c.type(1)); }
  static void evaluate(EvalContext& c) { c.output(0, converted(c, c.input(0), c.input(1).type())); }
};

void register_convert(Registry& r) {
  r.operation<Convert>();
  r.operation<ConvertLike>();
}

}  // namespace mo::opset
