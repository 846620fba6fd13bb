// Models that come with a configuration, and are converted without one: a note says which it is.
#include "support/configured.hpp"

#include <mo/passes.hpp>

namespace mo::tensorflow {

namespace {

// The node behind input i, through what only hands on.
Node behind(const Node& n, size_t i) {
  Node at = n;
  for (int steps = 0; steps < 8; ++steps) {
    if (!at || !at.is_in_port_connected(i)) return {};
    at = at.in_node(i);
    if (!is_native(at, "Identity")) return at;
    i = 0;
  }
  return {};
}
bool is_one_of(const Node& n, std::initializer_list<std::string_view> ops) {
  return n && std::any_of(ops.begin(), ops.end(), [&](std::string_view op) { return is_native(n, op); });
}
// Follows the given operators, the last first, along input 0.
bool is_chain(Node n, std::initializer_list<std::initializer_list<std::string_view>> ops) {
  for (const auto& op : ops) {
    if (!is_one_of(n, op)) return false;
    n = behind(n, 0);
  }
  return true;
}

// A layer as darkflow writes it: Maximum(x, x * slope) for x = (Conv2D(Pad) - mean) / deviation * gamma +
// bias.
bool is_darkflow_layer(const Node& most) {
  for (size_t i = 0; i < 2; ++i) {
    const Node sum = behind(most, i), scaled = behind(most, 1 - i);
    if (!sum || !is_one_of(scaled, {"Mul"}) || (behind(scaled, 0) != sum && behind(scaled, 1) != sum))
      continue;
    if (is_chain(sum,
                 {{"BiasAdd", "Add", "AddV2"}, {"Mul"}, {"RealDiv", "Div"}, {"Sub"}, {"Conv2D"}, {"Pad"}}))
      return true;
  }
  return false;
}

// Anchors of Keras' RetinaNet: Fill for the pair of Size((Range + 0.5) * stride).
bool is_retinanet_grid(const Node& fill) {
  const Node pack = behind(fill, 0);
  if (!is_one_of(pack, {"Pack"}) || pack.in_count() < 2) return false;
  for (size_t i = 0; i < 2; ++i)
    if (!is_chain(behind(pack, i), {{"Size"}, {"Mul"}, {"Add", "AddV2"}, {"Cast"}, {"Range"}})) return false;
  return true;
}

struct Fitting {
  std::string_view model, configurations;
};

std::optional<Fitting> by_scope(const Graph& g) {
  bool full = false, body = false, tiny = false;
  for (const Node& n : g.nodes()) {
    const std::string name = n.name();
    full = full || name.rfind("detector/yolo-v3/", 0) == 0;
    body = body || name.rfind("detector/darknet-53/", 0) == 0;
    tiny = tiny || name.rfind("detector/yolo-v3-tiny/", 0) == 0;
  }
  if (full && body) return Fitting{"YOLO v3", "yolo_v3.json (80 classes) or yolo_v3_voc.json (20)"};
  if (tiny) return Fitting{"YOLO v3 tiny", "yolo_v3_tiny.json"};
  return std::nullopt;
}

std::optional<Fitting> fitting_configuration(const Graph& g) {
  if (g.nodes("Conv2D").empty()) return std::nullopt;
  size_t layers = 0;
  for (const Node& n : g.nodes("Maximum"))
    if (n.opset().empty() && is_darkflow_layer(n)) ++layers;
  if (layers == 22)
    return Fitting{"YOLO v2 by darkflow", "yolo_v2.json (80 classes) or yolo_v2_voc.json (20)"};
  if (layers == 8)
    return Fitting{"a tiny YOLO by darkflow",
                   "yolo_v2_tiny.json (80 classes), yolo_v2_tiny_voc.json (20) or, "
                   "for version 1, yolo_v1_tiny.json"};
  for (const Node& n : g.nodes("Fill"))
    if (n.opset().empty() && is_retinanet_grid(n)) return Fitting{"RetinaNet by Keras", "retinanet.json"};
  return by_scope(g);
}

class HintAtConfiguration : public ModelPass {
 public:
  HintAtConfiguration() : ModelPass(MO_PHASE_LOAD) {
    id = "tf.load.hint_at_configuration";
    doc = "says which configuration is made for a model that is converted without one";
    before = after = "all";
    frameworks = {"tf"};
    run_not_recursively = true;
  }
  bool graph_condition(Graph g) override {
    mo_value v{};
    const Context c = g.context();
    return c.host()->option(c.get(), str("transformations_config"), &v) != MO_OK;
  }
  void run_on_model(Graph g) override {
    if (const auto f = fitting_configuration(g))
      g.context().warn(text("the model looks like ", f->model, "; --transformations_config ",
                            f->configurations, " makes what it detects its output"));
  }
};

}  // namespace

void register_hint_at_configuration(Registry& r) { r.transformation<HintAtConfiguration>(); }

}  // namespace mo::tensorflow
