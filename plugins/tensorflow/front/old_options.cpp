// Options of the Model Optimizer for TensorFlow that mean nothing here, or need something else.
#include <mo/passes.hpp>
#include <mo/sdk.hpp>

namespace mo::tensorflow {

namespace {

constexpr std::string_view drawings = "tensorboard_logdir", libraries = "tensorflow_custom_layer_libraries";

class CheckOldOptions : public ModelPass {
 public:
  CheckOldOptions() : ModelPass(MO_PHASE_LOAD) {
    id = "tf.load.check_old_options";
    doc = text("--", drawings, " is ignored, and --", libraries, " is refused");
    before = after = "all";
    frameworks = {"tf"};
    run_not_recursively = true;
  }
  bool graph_condition(Graph g) override {
    const Context c = g.context();
    return option<std::string>(c, drawings) || option<std::vector<std::string>>(c, libraries);
  }
  void run_on_model(Graph g) override {
    const Context c = g.context();
    if (option<std::vector<std::string>>(c, libraries))
      fail_option(
          libraries,
          "TensorFlow is not there to load them into; a plugin that knows the operators converts them: "
          "write one (plugin_api/examples) and give it with --extensions");
    c.warn(text("--", drawings, " has no effect: nothing is written there; `mo-host dump` shows the graph"));
  }
};

}  // namespace

void register_old_options(Registry& r) { r.transformation<CheckOldOptions>(); }

}  // namespace mo::tensorflow
