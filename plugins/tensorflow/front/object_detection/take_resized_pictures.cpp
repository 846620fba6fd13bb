// Detectors get pictures of the size they work with. What scales and shifts their values stays:
//   before: Sub(Mul(resized(pictures, in a loop)))          after: Sub(Mul(pictures))
#include "support/object_detection.hpp"

namespace mo::tensorflow {

namespace {

bool is_scaling(const Node& n) {
  const std::string op = n.op_name();
  return (op == "Multiply" || op == "Subtract" || op == "Add" || op == "Divide") && n.in_count() == 2;
}
// The in-port of a scaling by a constant that reads the data.
std::optional<InPort> data_input(const Node& n) {
  if (!is_scaling(n)) return std::nullopt;
  for (size_t i = 0; i < 2; ++i)
    if (const OutPort other = n.in_port(1 - i).get_source();
        other && constant_of(other) && n.is_in_port_connected(i))
      return n.in_port(i);
  return std::nullopt;
}

constexpr int most_steps = 8;

// The sizes that the pictures had before they were resized are those of the input, which come resized. The loop
// that told them would have the input lie in the middle of what other entries replace.
void state_sizes(const Graph& g, const OutPort& sizes) {
  const Shape shape = picture_input(g).out_port().shape();
  if (sizes.disconnected() || !shape.is_static()) return;
  const Ints dims = shape.to_static();
  std::vector<int32_t> rows;
  for (int64_t i = 0; i < dims[0]; ++i)
    for (size_t d = 1; d < 4; ++d) rows.push_back(static_cast<int32_t>(dims[d]));
  const Tensor list = Tensor::vector<int32_t>(g.context(), rows).reshaped(g.context(), {dims[0], 3});
  const Node all = g.create_const(text(sizes.node().name(), "/sizes"), list);
  sizes.get_connection().set_source(all.out_port(), Names::source);
}

// As the versions for TensorFlow 1 export it.
struct TakeResizedPictures : FrontReplacementFromConfigFileSubGraph {
  TakeResizedPictures() {
    replacement_id = "ObjectDetectionAPIPreprocessorReplacement";
    doc = "pictures come in the size that a detector works with; only their values are scaled";
    describe_detection(*this, "Subtract(TensorArrayGatherV3(While(pictures)), mean)",
                       "Subtract(pictures, mean)",
                       {"ObjectDetectionAPIConstValueOverride", "ObjectDetectionAPIOutputReplacement"});
  }
  void replace_sub_graph(Graph g, SubgraphMatch& m) override {
    require(m.outputs_count() > 0,
            "the entry of the configuration file has no outputs; expected the node that ",
            "scales the pictures");
    const OutPort pictures = source_of(m, 0), scaled = m.output_node(0);
    set_picture_size(g, DetectorSettings(g.context(), m.custom_attributes()));
    if (m.outputs_count() > 1) state_sizes(g, m.output_node(1));
    if (pictures == scaled) {  // scaled first, then resized
      const Node resized = m.node_by_pattern("map/TensorArrayStack/TensorArrayGatherV3$");
      require(static_cast<bool>(resized), "there is no node 'map/TensorArrayStack/TensorArrayGatherV3' in '",
              m.scope(), "'; expected it to give the resized pictures");
      resized.out_port().get_connection().set_source(pictures, Names::source);
      return;
    }
    Node step = scaled.node();
    auto in = data_input(step);
    require(in.has_value(), "'", step.name(), "' is ", step.op(),
            "; expected a sum or product with a constant: the ",
            "model does not look like one of the Object Detection API");
    for (int i = 0; i < most_steps && in->get_source() != pictures; ++i) {
      const auto earlier = data_input(in->get_source().node());
      if (!earlier) break;
      in = earlier;
    }
    if (in->get_source() == pictures) return;
    in->set_source(pictures);
    g.set(detector_replaced, true);
  }
};

// As those for TensorFlow 2 do: between two nodes of the graph, or of the body of a loop.
struct TakeResizedPictures2 : FrontReplacementFromConfigFileGeneral {
  TakeResizedPictures2() {
    replacement_id = "ObjectDetectionAPIPreprocessor2Replacement";
    doc = "pictures come in the size that a detector works with; only their values are scaled";
    describe_detection(*this, "TensorListStack(While(TensorListFromTensor(pictures)))",
                       "Subtract(pictures, mean)",
                       {"ObjectDetectionAPIConstValueOverride", "ObjectDetectionAPIOutputReplacement"});
  }

  void transform_graph(Graph g, const Json& a) override {
    set_picture_size(g, DetectorSettings(g.context(), a));
    const Node first = those_of(g, a, "start_nodes").front();
    const std::vector<Node> ends = those_of(g, a, "end_nodes");
    const Node last = ends.front();
    require(first.in_count() > 0 && first.is_in_port_connected(0), "'", first.name(),
            "' reads nothing; expected it to read the pictures");
    for (size_t i = 1; i < ends.size(); ++i) state_sizes(g, ends[i].out_port());
    if (last.out_port().disconnected()) return;
    OutPort x = first.in_port(0).get_source();
    const std::vector<Scaling> scalings = scalings_in_loop(first, last);
    // The loop makes floats of pictures before it scales them.
    const ElementType made = scalings.empty() ? last.out_port().type() : scalings.front().value.type();
    if (made != ElementType::unknown && x.type() != made) x = Build(g, first).convert(x, made);
    for (const Scaling& s : scalings) {
      const OutPort value = g.create_const(text(s.name, "/value"), s.value).out_port();
      const std::vector<OutPort> inputs = s.value_first ? std::vector{value, x} : std::vector{x, value};
      x = g.create_node(s.op, "opset1", s.name, inputs).out_port();
    }
    last.out_port().get_connection().set_source(x, Names::source);
    g.set(detector_replaced, true);
  }

 private:
  struct Scaling {
    std::string name, op;
    Tensor value;
    bool value_first;
  };

  // Of ends the first gives the pictures, and those after it their sizes.
  static std::vector<Node> those_of(const Graph& g, const Json& a, std::string_view key) {
    const auto names = a.get<std::vector<std::string>>(key);
    std::vector<Node> there;
    for (const std::string& name : names)
      if (const auto n = g.find(name)) there.push_back(*n);
    if (!there.empty()) return there;
    fail("custom attribute '", key, "' is ", names,
         ", but the model has none of these nodes; this configuration is for another kind of model, or for ",
         "another version of the exporter");
  }

  // The loop between both nodes, if there is one.
  static Node loop_between(const Node& first, const Node& last) {
    std::vector<Node> open{last};
    for (size_t i = 0; i < open.size() && open.size() < 1000; ++i)
      for (const InPort& in : open[i].in_ports())
        if (const OutPort from = in.get_source(); from && from.node() != first) {
          const std::string op = from.node().op_name();
          if (op == "While" || op == "StatelessWhile") return from.node();
          if (std::find(open.begin(), open.end(), from.node()) == open.end()) open.push_back(from.node());
        }
    return {};
  }

  static Node ending_in(const Graph& body, std::string_view end) {
    for (const Node& n : body.nodes())
      if (n.name() == end || n.name().ends_with(text('/', end))) return n;
    return {};
  }
  static void note(std::vector<Scaling>& list, const Node& n, const InPort& data) {
    const size_t other = data.index() == 0 ? 1 : 0;
    list.push_back({n.name(), n.op(), *constant_of(n.in_port(other).get_source()), other == 0});
  }

  // In the loop, pictures are scaled before they are resized, or after.
  static std::vector<Scaling> scalings_in_loop(const Node& first, const Node& last) {
    const Node loop = loop_between(first, last);
    if (!loop) return {};
    const Graph body(loop.context(), loop.attr<GraphHandle>("body").id);
    const Node begin = ending_in(body, "Preprocessor/unstack"), end = ending_in(body, "Preprocessor/stack");
    require(
        begin && end, "the loop '", loop.name(),
        "' has no nodes 'Preprocessor/unstack' and 'Preprocessor/stack', between which pictures are resized");
    std::vector<Scaling> list;
    OutPort from = begin.is_in_port_connected(0) ? begin.in_port(0).get_source() : OutPort();
    for (int i = 0; i < most_steps && from; ++i) {
      const auto in = data_input(from.node());
      if (!in) break;
      note(list, from.node(), *in);
      from = in->get_source();
    }
    if (!list.empty()) return {list.rbegin(), list.rend()};
    OutPort to = end.out_port();
    for (int i = 0; i < most_steps && to.destination_count() == 1; ++i) {
      const InPort reader = to.get_destination();
      const auto in = data_input(reader.node());
      if (!in || *in != reader) break;
      note(list, reader.node(), reader);
      to = reader.node().out_port();
    }
    return list;
  }
};

}  // namespace

void register_take_resized_pictures(Registry& r) {
  r.transformation<TakeResizedPictures>();
  r.transformation<TakeResizedPictures2>();
}

}  // namespace mo::tensorflow
