// Images come with their three channels in the other order, RGB for BGR. This stands before means and scales,
// whose numbers are in the order of the model:
//   Parameter  ->  Gather(Parameter, {2, 1, 0}, channel axis)
#include "support/inputs.hpp"

namespace mo::builtin_passes {

// About the inputs of the model, and no place in it.
class ReverseInputChannels : public ModelPass {
 public:
  ReverseInputChannels() : ModelPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.reverse_input_channels";
    doc = "images come with their channels in the other order, with --reverse_input_channels";
    before = R"(
      %x = Parameter -> f32[1,3,2,2]
      %y = ReLU@opset1 (%x)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,3,2,2]
      %order = Const -> i64[3] {2,1,0}
      %axis = Const -> i64[] {1}
      %r = Gather@opset1 (%x, %order, %axis)
      %y = ReLU@opset1 (%r)
      Result (%y))";
    run_after = {"middle.subtract_means"};
    run_not_recursively = true;
  }
  bool graph_condition(Graph g) override {
    return option<bool>(g.context(), "reverse_input_channels").value_or(false);
  }
  void run_on_model(Graph g) override {
    if (!first_time(g, "channels_reversed")) return;
    bool any = false;
    for (const Node& p : g.parameters()) {
      const Shape s = p.out_port().shape();
      if (!s.has_rank() || s.size() != 4 || s[channel_axis(g, p, s)] != Dim(3)) continue;
      reverse(g, p, static_cast<int64_t>(channel_axis(g, p, s)));
      any = true;
    }
    if (!any)
      g.context().warn("--reverse_input_channels changes nothing: no input has 4 dimensions and 3 channels");
  }

 private:
  static void reverse(const Graph& g, const Node& input, int64_t axis) {
    const std::string own = input.name() + "/reverse_channels";
    const Node order = g.create_ints(own + "/order", {2, 1, 0}), at = g.create_int(own + "/axis", axis);
    move_readers(input,
                 g.create_node("Gather", "opset1", own, {input.out_port(), order.out_port(), at.out_port()}));
  }
};

void register_reverse_input_channels(Registry& r) {
  r.option(
      "reverse_input_channels", MO_OPTION_FLAG,
      "inputs with 4 dimensions and 3 channels get these in reverse order; --mean_values and --scale_values "
      "are in the order of the model");
  r.transformation<ReverseInputChannels>();
}

}  // namespace mo::builtin_passes
