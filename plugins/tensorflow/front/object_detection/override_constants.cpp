// Constants that hold a setting of the training take the value that the setting has now:
//   before: mul/y = 300          after: mul/y = first_stage_max_proposals of the configuration
#include "support/object_detection.hpp"

namespace mo::tensorflow {

namespace {

struct OverrideConstants : FrontReplacementFromConfigFileGeneral {
  OverrideConstants() {
    replacement_id = "ObjectDetectionAPIConstValueOverride";
    doc = "constants of detectors that hold a setting of the training take its value from pipeline.config";
    describe_detection(*this, "Const(300)", "Const(first_stage_max_proposals)");
  }
  void transform_graph(Graph g, const Json& a) override {
    const DetectorSettings s(g.context(), a);
    const Json* pairs = a.find("replacements");
    require(pairs != nullptr, "custom attribute 'replacements' is missing; expected a list of pairs, ",
            "the name of a constant and that of a setting");
    for (const Json& pair : pairs->items()) {
      const auto names = pair.as<std::vector<std::string>>("replacements");
      require(names.size() == 2, "'replacements' has an item of ", names.size(),
              " names; expected the name of a constant and that of a setting");
      const auto node = g.find(names[0]);
      const auto old = node && node->is("Const") ? node->out_port().value() : std::nullopt;
      if (!old) continue;  // as in models that were exported by another version
      require(old->size() == 1, "'", names[0], "' has ", old->size(), " elements; expected one number");
      const double value = s.number(names[1]);
      if (old->number(0) == value) continue;
      const Tensor made = Tensor::filled(g.context(), old->type(), {value}, old->dims());
      const Node n = g.create_const(text(names[0], "/", names[1]), made);
      node->out_port().get_connection().set_source(n.out_port());
      take_name(*node, n);
      node->remove();
    }
  }
};

}  // namespace

void register_override_constants(Registry& r) { r.transformation<OverrideConstants>(); }

}  // namespace mo::tensorflow
