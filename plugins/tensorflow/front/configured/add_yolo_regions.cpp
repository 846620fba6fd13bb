// Networks of the YOLO family end with the regions of a grid, of which RegionYolo makes boxes, confidences
// and classes. Configurations say how many regions there are, and for version 3 where.
#include "support/configured.hpp"

#include <mo/config.hpp>

namespace mo::tensorflow {

namespace {

class Regions {
 public:
  explicit Regions(const Json& a)
      : classes_(positive(a, "classes")),
        coords_(positive(a, "coords")),
        num_(positive(a, "num")),
        anchors_(a.get<std::vector<double>>("anchors", {})) {
    require(anchors_.empty() || anchors_.size() == 2 * static_cast<size_t>(num_),
            "custom attribute 'anchors' has ", anchors_.size(), " numbers, expected 2 * 'num', ", 2 * num_);
  }
  int64_t classes() const { return classes_; }
  int64_t num() const { return num_; }
  int64_t each() const { return classes_ + coords_ + 1; }
  Ints all() const {
    Ints list;
    for (int64_t i = 0; i < num_; ++i) list.push_back(i);
    return list;
  }
  // x: [N, C, H, W].
  Node add(const Graph& g, const OutPort& x, const std::string& name, bool softmax, const Ints& mask) const {
    for (const int64_t m : mask)
      require(m >= 0 && m < num_, "a mask has ", m, ", but there are only ", num_, " regions ('num')");
    const Node n = g.create_node("RegionYolo", "opset1", name, {x});
    n.set("classes", classes_).set("coords", coords_).set("num", num_).set("anchors", anchors_);
    n.set("axis", 1).set("end_axis", -1).set("do_softmax", softmax).set("mask", softmax ? Ints{} : mask);
    return n;
  }

 private:
  static int64_t positive(const Json& a, std::string_view key) {
    const auto v = a.get<int64_t>(key);
    require(v > 0 && v <= 100'000, "custom attribute '", key, "' is ", v, ", expected 1 to 100000");
    return v;
  }
  int64_t classes_, coords_, num_;
  std::vector<double> anchors_;
};

OutPort channels_in_second_place(const OutPort& x) {
  return Build(x.node().graph(), x.node()).channels_first(x, 4);
}

// Versions 1 and 2: every output of the model.
class AddYoloRegions : public FrontReplacementFromConfigFileGeneral {
 public:
  AddYoloRegions() {
    replacement_id = "TFYOLO";
    doc = "outputs of YOLO 1 and 2 become boxes, confidences and classes";
    before = "Result(x)";
    after = "Result(RegionYolo(x)); a dense x of version 1 stays, or gets SoftMax for its classes";
    frameworks = {"tf"};
    // By the shapes of outputs versions 1 and 2 are told apart: everything is translated before.
    run_after = {"tf.front.convolutions"};
  }
  void transform_graph(Graph g, const Json& a) override {
    const Regions regions(a);
    const bool softmax = a.get<bool>("do_softmax", true);
    require(!g.results().empty(), "the model has no outputs");
    g.infer_marked();
    for (const Node& result : g.results()) {
      const OutPort x = result.in_port(0).get_source();
      if (x && x.node().is("RegionYolo")) continue;  // another entry has done it
      require(static_cast<bool>(x), "the output '", result.name(), "' reads nothing");
      const OutPort made =
          x.shape().rank() == 2 ? dense(g, x, regions, softmax) : from_grid(g, x, regions, softmax);
      if (made == x) continue;
      add_result(g, made);
      result.remove();
    }
  }

 private:
  static OutPort from_grid(const Graph& g, const OutPort& x, const Regions& r, bool softmax) {
    const Shape s = x.shape();
    const int64_t channels = r.num() * r.each();
    require(!s.has_rank() || s.rank() == 4, "the output '", x.node().name(), "' has shape ", s,
            ", expected a grid of 4 dimensions, or a list for each picture; name the outputs with --output");
    const auto can_be = [&](size_t axis) { return !s.has_rank() || s[axis].contains(channels); };
    const bool last_first = g.attr<std::string>(MO_GRAPH_LAYOUT) != "NCHW";
    require(can_be(3) || can_be(1), "the output '", x.node().name(), "' has shape ", s, "; expected ",
            channels, " channels for ", r.num(), " regions of ", r.each(),
            " numbers; take the configuration that fits the number of classes");
    const bool last = last_first ? can_be(3) : !can_be(1);
    return r
        .add(g, last ? channels_in_second_place(x) : x, text(x.node().name(), "/YoloRegion"), softmax,
             r.all())
        .out_port();
  }
  // Darknet's layer "detection" of version 1: for each place of the grid the probabilities of the classes,
  // then the confidences, then the boxes. It changes nothing but for a softmax of the classes.
  static OutPort dense(const Graph& g, const OutPort& x, const Regions& r, bool softmax) {
    const Dim size = x.shape()[1];
    const int64_t place = r.classes() + r.num() * (r.each() - r.classes());
    require(size.is_static() && size.value() % place == 0, "the output '", x.node().name(), "' has shape ",
            x.shape(), "; expected a multiple of ", place, " numbers: ", r.classes(), " classes and ",
            r.num(), " boxes for each place of a grid");
    if (!softmax) return x;
    const Build b(g, x.node());
    const int64_t classes = size.value() / place * r.classes();
    const Node parts =
        b.node("VariadicSplit", "opset1", {x, b.integer(1), b.list({classes, size.value() - classes})}, 2);
    const Node s = b.node("SoftMax", "opset1", {b.reshape(parts.out_port(0), Ints{-1, r.classes()})});
    s.set("axis", 1);
    const Node joined = g.create_node("Concat", "opset1", text(x.node().name(), "/YoloRegion"),
                                      {b.reshape(s.out_port(), Ints{-1, classes}), parts.out_port(1)});
    joined.set("axis", 1);
    return joined.out_port();
  }
};

// Version 3: what feeds the nodes that are named; what follows them is work of the program that uses the
// model.
class AddYolo3Regions : public FrontReplacementFromConfigFileGeneral {
 public:
  AddYolo3Regions() {
    replacement_id = "TFYOLOV3";
    doc = "the scales of YOLO 3 become boxes, confidences and classes, which are the outputs";
    before = "Result(f(Reshape(x), …))";
    after = "Result(RegionYolo(x)) for each scale";
    frameworks = {"tf", "mxnet", "tflite"};  // gluoncv has the same heads
    // What it replaces need not be convertible.
    run_after = {"load.finish"};
    run_before = {"front.start"};
  }
  void transform_graph(Graph g, const Json& a) override {
    const Regions regions(a);
    const auto names = a.get<std::vector<std::string>>("entry_points");
    const std::vector<Ints> masks = read_masks(a, names.size());
    Ports made;
    for (size_t i = 0; i < names.size(); ++i) {
      const Node entry = named_node(g, "entry_points", names[i]);
      require(entry.is_in_port_connected(0), "the node '", names[i], "' of 'entry_points' has no input");
      const OutPort x = entry.in_port(0).get_source();
      const std::string name = text(x.node().name(), "/YoloRegion");
      const bool second = g.attr<std::string>(MO_GRAPH_FRAMEWORK) == "mxnet" || has_channels_second(x);
      const OutPort grid = second ? x : channels_in_second_place(x);
      made.push_back(regions.add(g, grid, name, false, masks[i]).out_port());
    }
    remove_results(g);
    for (const OutPort& p : made) add_result(g, p);
    g.clean_up();
  }

 private:
  static std::vector<Ints> read_masks(const Json& a, size_t count) {
    require(count > 0, "custom attribute 'entry_points' is an empty list");
    std::vector<Ints> masks;
    if (a.find("masks") != nullptr)
      masks = a.get<std::vector<Ints>>("masks");
    else
      masks.assign(count, a.get<Ints>("mask"));
    require(masks.size() == count, "custom attribute 'masks' has ", masks.size(), " lists, expected one for ",
            "each of the ", count, " nodes in 'entry_points'");
    return masks;
  }
  // The layout that the operator before it says.
  static bool has_channels_second(OutPort x) {
    for (int steps = 0; steps < 16; ++steps) {
      const SourceNode n(x.node());
      if (const auto format = n.find_native<std::string>("data_format")) return *format == "NCHW";
      if (!n.is_in_port_connected(0)) return false;
      x = n.in_port(0).get_source();
    }
    return false;
  }
};

}  // namespace

void register_add_yolo_regions(Registry& r) {
  r.transformation<AddYoloRegions>();
  r.transformation<AddYolo3Regions>();
}

}  // namespace mo::tensorflow
