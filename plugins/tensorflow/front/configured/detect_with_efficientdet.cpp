// EfficientDet of the AutoML repository: resizing of pictures before the network and the choice of boxes
// behind it go; anchors come from PriorBoxClustered for each level, and DetectionOutput finds the boxes.
//
//   before: detections(concat_1, concat, …anchors…), network(pad(resize((picture - mean) / deviation)))
//   after:  DetectionOutput(concat_1, Sigmoid(concat), anchors), network((picture - mean) / deviation)
#include "support/configured.hpp"

#include <mo/config.hpp>

#include <cmath>

namespace mo::tensorflow {

namespace {

// Widths and heights of the anchors around each point of a level.
class Anchors {
 public:
  explicit Anchors(const Json& a)
      : ratios_(a.get<std::vector<double>>("aspect_ratios")),
        first_level_(a.get<int64_t>("min_level")),
        scales_(a.get<int64_t>("num_scales")),
        size_(a.get<double>("anchor_scale")) {
    require(!ratios_.empty() && ratios_.size() % 2 == 0, "custom attribute 'aspect_ratios' has ",
            ratios_.size(), " numbers, expected pairs of a width and a height");
    require(first_level_ >= 0 && first_level_ <= 30, "custom attribute 'min_level' is ", first_level_,
            ", expected 0 to 30");
    require(scales_ > 0 && scales_ <= 1000, "custom attribute 'num_scales' is ", scales_,
            ", expected 1 to 1000");
  }
  void set_sizes(const Node& n, size_t level) const {
    std::vector<double> width, height;
    const double base = std::exp2(static_cast<double>(first_level_) + static_cast<double>(level)) * size_;
    for (int64_t s = 0; s < scales_; ++s)
      for (size_t i = 0; i < ratios_.size(); i += 2) {
        const double scaled = base * std::exp2(static_cast<double>(s) / static_cast<double>(scales_));
        width.push_back(scaled * ratios_[i]);
        height.push_back(scaled * ratios_[i + 1]);
      }
    n.set("width", width).set("height", height);
  }

 private:
  std::vector<double> ratios_;
  int64_t first_level_, scales_;
  double size_;
};

// The channels of a constant stand for y, x, height, width; from now on for x, y, width, height.
void swap_coordinates(const Graph& g, const std::string& name) {
  const auto found = g.find(name);
  require(
      found && found->is("Const"), "the model has no constant '", name,
      "', which holds how boxes are predicted; this configuration is for models of the AutoML repository");
  const OutPort old = found->out_port();
  const auto value = old.value();
  require(value && value->rank() > 0 && value->dim(value->rank() - 1) % 4 == 0, "the constant '", name,
          "' has shape ", old.shape(), ", expected four channels for each anchor");
  auto v = value->to_floats<double>();
  for (size_t i = 0; i + 3 < v.size(); i += 4) {
    std::swap(v[i], v[i + 1]);
    std::swap(v[i + 2], v[i + 3]);
  }
  const Tensor swapped = Tensor::filled(g.context(), value->type(), v, value->dims());
  old.get_connection().set_source(g.create_const(text(name, "/xy"), swapped).out_port(), Names::dest);
}

bool is_convolution(const Node& n) { return is_native(n, "Conv2D") || is_native(n, "DepthwiseConv2dNative"); }

class DetectWithEfficientDet : public FrontReplacementFromConfigFileGeneral {
 public:
  DetectWithEfficientDet() {
    replacement_id = "AutomlEfficientDet";
    doc = "EfficientDet of the AutoML repository takes pictures of its own size and gives what is detected";
    before = "detections(network(resize(picture)))";
    after = "DetectionOutput(network(picture))";
    frameworks = {"tf"};
    run_after = {"load.finish"};
    run_before = {"front.start"};
    run_not_recursively = true;
  }

  void transform_graph(Graph g, const Json& a) override {
    const OutPort picture = drop_resizing(g, a);
    const Node scores = named_node(g, "concat", "concat"), boxes = named_node(g, "concat_1", "concat_1");
    const Build b(g, scores);
    const OutPort priors = add_priors(b, a, picture);
    swap_coordinates(g, "box_net/box-predict/pointwise_kernel");
    swap_coordinates(g, "box_net/box-predict/bias");
    remove_results(g);
    const OutPort likely = b.op("Sigmoid", "opset1", {scores.out_port()});
    DetectionPreset preset;
    preset.background = a.get<int64_t>("num_classes") + 1;  // none
    preset.top_k = 100;
    preset.keep_top_k = 100;
    preset.code_type = "caffe.PriorBoxParameter.CENTER_SIZE";
    if (const auto old = g.find("detections")) old->rename("detections/old");
    const Node found = add_detection_output(
        g, "detections", {flattened(b, boxes.out_port()), flattened(b, likely), priors}, a, preset);
    add_result(g, found.out_port());
    g.clean_up();
  }

 private:
  // The input goes to the normalization of pictures, and that to the network.
  static OutPort drop_resizing(const Graph& g, const Json& a) {
    const Node first =
        named_node(g, "preprocessing_input_node", a.get<std::string>("preprocessing_input_node"));
    const Node last =
        named_node(g, "preprocessing_output_node", a.get<std::string>("preprocessing_output_node"));
    require(!g.parameters().empty(), "the model has no input");
    const OutPort picture = g.parameters().front().out_port();
    Node network;
    for (const Node& n : g.topological())
      if (is_convolution(n)) {
        network = n;
        break;
      }
    require(static_cast<bool>(network), "the model has no convolution");
    const std::vector<InPort> readers = first.out_port().get_destinations();
    g.parameters().front().set("element_type", ElementType::f32);
    picture.set_shape(ElementType::f32, picture.shape());
    for (const InPort& reader : readers) reader.set_source(picture);
    network.in_port(0).set_source(last.out_port());
    return picture;
  }

  static OutPort add_priors(const Build& b, const Json& a, const OutPort& picture) {
    const Anchors anchors(a);
    const auto variance = a.get<std::vector<double>>("variance");
    const OutPort size = b.part(b.shape_of(picture), 1, 3);
    Ports levels;
    for (size_t i = 0; i < 100; ++i) {
      const auto level = b.graph().find(text("box_net/box-predict", i == 0 ? "" : text('_', i), "/BiasAdd"));
      if (!level) break;
      const OutPort grid = b.part(b.shape_of(level->out_port()), 1, 3);
      const Node n = b.node("PriorBoxClustered", "opset1", {grid, size});
      anchors.set_sizes(n, i);
      n.set("clip", false).set("offset", 0.5).set("variance", variance);
      levels.push_back(n.out_port());
    }
    require(!levels.empty(),
            "the model has no node 'box_net/box-predict/BiasAdd'; this configuration is for ",
            "models of the AutoML repository");
    return b.unsqueeze(b.concat(levels, 1), b.list({0}));
  }
};

}  // namespace

void register_detect_with_efficientdet(Registry& r) { r.transformation<DetectWithEfficientDet>(); }

}  // namespace mo::tensorflow
