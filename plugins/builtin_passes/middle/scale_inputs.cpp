// Inputs are divided by numbers of the command line:
//   Parameter  ->  Multiply(Parameter, 1 / scale)
#include "support/inputs.hpp"

namespace mo::builtin_passes {

// About the inputs of the model, and no place in it.
class ScaleInputs : public ModelPass {
 public:
  ScaleInputs() : ModelPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.scale_inputs";
    doc = "inputs are divided by --scale or --scale_values";
    before = R"(
      %x = Parameter -> f32[1,3,2,2]
      %y = ReLU@opset1 (%x)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,3,2,2]
      %f = Const -> f32[1,1,1,1] {0.5}
      %s = Multiply@opset1 (%x, %f)
      %y = ReLU@opset1 (%s)
      Result (%y))";
    run_not_recursively = true;
  }
  bool graph_condition(Graph g) override {
    return option<double>(g.context(), "scale") || option<std::string>(g.context(), "scale_values");
  }
  void run_on_model(Graph g) override {
    if (!first_time(g, "inputs_scaled")) return;
    const bool by_values = option<std::string>(g.context(), "scale_values").has_value();
    for (InputValues& v : by_values ? input_values(g, "scale_values") : one_for_all(g)) {
      if (std::all_of(v.values.begin(), v.values.end(), [](double s) { return s == 1; })) continue;
      for (double& s : v.values) s = 1 / s;
      combine_with_constant(g, v, by_values ? "scale_values" : "scale", "Multiply", "scale");
    }
  }

 private:
  static std::vector<InputValues> one_for_all(const Graph& g) {
    const double scale = *option<double>(g.context(), "scale");
    std::vector<InputValues> list;
    for (const Node& p : g.parameters()) {
      if (is_float(p.out_port().type()))
        list.push_back({p, {scale}});
      else
        g.context().warn(
            text("--scale leaves input '", p.name(), "' as it is: its type is ", name(p.out_port().type())));
    }
    return list;
  }
};

void register_scale_inputs(Registry& r) {
  r.option("scale", MO_OPTION_FLOAT, "all inputs are divided by this number");
  r.option("scale_values", MO_OPTION_STRING,
           "inputs are divided by these numbers, after --mean_values; written as those are");
  r.transformation<ScaleInputs>();
}

}  // namespace mo::builtin_passes
