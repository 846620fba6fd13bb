// Mistakes in options whose work comes later are found before a big model is looked at. No place of the graph
// is looked for.
#include "support/value_groups.hpp"

#include <algorithm>
#include <cmath>

namespace mo::builtin_passes {

class CheckInputOptions : public ModelPass {
 public:
  CheckInputOptions() : ModelPass(MO_PHASE_LOAD) {
    id = "front.check_input_options";
    doc = "--mean_values, --scale and --scale_values are checked";
    before = after = "all";
    run_not_recursively = true;
  }
  bool graph_condition(Graph g) override {
    const Context c = g.context();
    return option<double>(c, "scale") || option<std::string>(c, "scale_values") ||
           option<std::string>(c, "mean_values");
  }
  void run_on_model(Graph g) override {
    const Context c = g.context();
    const auto scale = option<double>(c, "scale");
    const auto scales = option<std::string>(c, "scale_values"), means = option<std::string>(c, "mean_values");
    if (scale && scales) fail_option("scale", "it does not go together with --scale_values; use one of them");
    if (scale && (*scale == 0 || !std::isfinite(*scale)))
      fail_option("scale", "nothing can be divided by ", *scale);
    if (scale && *scale < 1)
      c.warn(text("--scale is ", *scale, ": inputs are divided by it, so they become larger"));
    if (means) (void)parse_value_groups("mean_values", *means);
    for (const ValueGroup& v : parse_value_groups("scale_values", scales.value_or("")))
      if (std::find(v.values.begin(), v.values.end(), 0.0) != v.values.end())
        fail_option("scale_values", "nothing can be divided by 0");
  }
};

void register_check_input_options(Registry& r) { r.transformation<CheckInputOptions>(); }

}  // namespace mo::builtin_passes
