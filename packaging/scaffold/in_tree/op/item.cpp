// @Name@: twice what it is given, until you write down what it does.
#include <mo/sdk.hpp>

namespace mo::@plugin@ {

struct @Name@ {
  static constexpr std::string_view type = "@Name@", opset = "@opset@";
  static void schema(OpSchema& s) { s.doc("2 * x").inputs(1).outputs(1); }
  static void infer(InferContext& c) {
    c.require(is_float(c.type(0)) || c.type(0) == ElementType::unknown, "x is not a floating-point tensor");
    c.output(0, c.type(0), c.shape(0));
  }
  static void evaluate(EvalContext& c) {
    const Tensor x = c.input(0);
    auto [y, data] = Tensor::create_bytes(c.context(), x.type(), x.dims());
    for (size_t i = 0, n = x.size(); i < n; ++i) store_number(data, x.type(), i, 2 * x.number(i));
    c.output(0, y);
  }
};

void register_@name@(Registry& r) { r.operation<@Name@>(); }

}  // namespace mo::@plugin@
