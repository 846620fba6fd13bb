// Operators of MXNet that no extractor took become operations of the operation sets, each after what it
// reads.
#include "support/items.hpp"

#include <unordered_set>

namespace mo::mxnet {

namespace {

class ConvertOperators : public FrontReplacementPattern {
 public:
  explicit ConvertOperators(std::shared_ptr<const Converters> converters)
      : converters_(std::move(converters)) {
    id = "mxnet.front.convert_operators";
    doc = "operators of MXNet that no extractor took become operations of the operation sets";
    before = "FullyConnected(x, weights, bias)";
    after = "Add(MatMul(Reshape(x), weights), bias)";
    frameworks = {"mxnet"};
    run_not_recursively = true;
  }

  void find_and_replace_pattern(Graph g) override {
    const auto nodes = g.topological();
    std::unordered_set<mo_node> named;  // those that have a name users know
    for (const Node& n : nodes) named.insert(n.id());
    for (const Node& n : nodes) {
      if (!n.opset().empty()) continue;
      const auto convert = converters_->find(n.op());
      if (convert == converters_->end()) continue;
      try {
        g.infer_marked();
        replace(g, n, convert->second, named);
      } catch (const Error& e) {
        throw Error(e.what(), e.status(), e.where() == 0 ? n.id() : e.where());
      }
    }
  }

 private:
  static void replace(const Graph& g, const Node& n, MakeOperator make, std::unordered_set<mo_node>& named) {
    Build b(g, n);
    const Ports ports = make(b, SourceNode(n));
    require_outputs(n, ports);
    Node heir;
    for (size_t i = 0, end = std::min(ports.size(), n.out_count()); i < end; ++i) {
      if (!ports[i]) continue;
      if (i == 0 && named.insert(ports[i].node().id()).second) heir = ports[i].node();
      n.out_port(i).get_connection().set_source(ports[i], Names::merge);
    }
    const std::string name = n.name();
    n.remove();
    if (heir && heir.name() != name) heir.rename(name);
  }

  std::shared_ptr<const Converters> converters_;
};

}  // namespace

void register_convert_operators(Items& items) {
  items.host.transformation<ConvertOperators>(items.converters());
}

}  // namespace mo::mxnet
