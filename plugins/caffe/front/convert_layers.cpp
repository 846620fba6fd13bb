#include "support/convert_layers.hpp"

namespace mo::caffe {

namespace {

class ConvertLayers : public FrontReplacementPattern {
 public:
  explicit ConvertLayers(std::shared_ptr<const Converters> converters) : converters_(std::move(converters)) {
    id = "caffe.front.convert_layers";
    doc = "layers of Caffe that no extractor took become operations of the operation sets";
    before = "Convolution(x, weights, bias)";
    after = "Add(Convolution(x, weights), bias)";
    frameworks = {"caffe"};
    run_not_recursively = true;
  }

  void find_and_replace_pattern(Graph g) override {
    for (const Node& n : g.topological()) {
      if (!n.opset().empty()) continue;
      const auto convert = converters_->find(lower_case(n.op()));
      if (convert == converters_->end()) continue;
      try {
        replace(g, n, convert->second);
      } catch (const Error& e) {
        throw Error(e.what(), e.status(), e.where() == 0 ? n.id() : e.where());
      }
    }
  }

 private:
  static void replace(const Graph& g, const Node& n, Convert convert) {
    Layer layer(g, n);
    const Ports ports = convert(layer);
    require(ports.size() <= n.out_count(), "it has ", n.out_count(), " outputs, but what it becomes has ",
            ports.size());
    Node heir;
    for (size_t i = 0; i < ports.size(); ++i) {
      if (!ports[i]) continue;
      if (i == 0 && layer.is_new(ports[i].node())) heir = ports[i].node();
      n.out_port(i).get_connection().set_source(ports[i], Names::merge);
    }
    for (size_t i = 0; i < n.out_count(); ++i)
      require(n.out_port(i).disconnected(), "output ", i,
              " is read, but what the layer becomes does not give it");
    const std::string name = n.name();
    n.remove();
    if (heir && heir.name() != name) heir.rename(name);
  }

  std::shared_ptr<const Converters> converters_;
};

}  // namespace

void register_convert_layers(Items& items) { items.host.transformation<ConvertLayers>(items.converters()); }

}  // namespace mo::caffe
