// Identity: what it is given, of any type.
#include "support/views.hpp"

namespace mo::opset {

struct Identity {
  static constexpr std::string_view type = "Identity", opset = "opset16";
  static void schema(OpSchema& s) { s.doc("the input as it is").input("data").element_wise().outputs(1); }
  static void infer(InferContext& c) { output_view(c, c.shape(0)); }
  static void evaluate(EvalContext& c) { c.output(0, c.input(0)); }
};

void register_identity(Registry& r) { r.operation<Identity>(); }

}  // namespace mo::opset
