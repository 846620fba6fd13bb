// Numbers of the command line are subtracted from inputs, before these are scaled:
//   Parameter  ->  Add(Parameter, -mean)
#include "support/inputs.hpp"

namespace mo::builtin_passes {

// About the inputs of the model, and no place in it.
class SubtractMeans : public ModelPass {
 public:
  SubtractMeans() : ModelPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.subtract_means";
    doc = "--mean_values are subtracted from inputs";
    before = R"(
      %x = Parameter -> f32[1,3,2,2]
      %y = ReLU@opset1 (%x)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,3,2,2]
      %m = Const -> f32[1,3,1,1] {-1,-2,-3}
      %s = Add@opset1 (%x, %m)
      %y = ReLU@opset1 (%s)
      Result (%y))";
    run_after = {"middle.scale_inputs"};  // what comes later stands nearer to the input
    run_not_recursively = true;
  }
  bool graph_condition(Graph g) override {
    return option<std::string>(g.context(), "mean_values").has_value();
  }
  void run_on_model(Graph g) override {
    if (!first_time(g, "means_subtracted")) return;
    for (InputValues& v : input_values(g, "mean_values")) {
      if (std::all_of(v.values.begin(), v.values.end(), [](double m) { return m == 0; })) continue;
      for (double& m : v.values) m = -m;
      combine_with_constant(g, v, "mean_values", "Add", "mean");
    }
  }
};

void register_subtract_means(Registry& r) {
  r.option("mean_values", MO_OPTION_STRING,
           "subtracted from inputs: one number per channel, or one for all, as (123.6,116.7,103.9) for each "
           "input in turn, or with names: data(1,2,3),info[4]");
  r.transformation<SubtractMeans>();
}

}  // namespace mo::builtin_passes
