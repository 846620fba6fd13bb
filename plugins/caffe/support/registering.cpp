#include "support/registering.hpp"

namespace mo::caffe {

namespace {

class ConvertLayer : public MatcherPass {
 public:
  ConvertLayer(MakeOperator make, std::string_view types, std::string_view from, std::string_view to)
      : MatcherPass(MO_PHASE_FRONT) {
    std::vector<std::string> patterns;
    for (size_t at = 0; at < types.size();) {
      const size_t end = std::min(types.find(' ', at), types.size());
      patterns.push_back(text("::", types.substr(at, end - at)));
      at = end + 1;
    }
    const std::string_view type = types.substr(0, types.find(' '));
    id = front_id("caffe", "", in_words(type));
    doc = text("what layer ", type, " means, in operations of the operation sets");
    before = from;
    after = to;
    group = "caffe.front.layers";
    frameworks = {"caffe"};
    register_matcher(wrap_type(patterns), [make](Graph g, Match& m) { replace(g, m.root(), make); });
  }

 private:
  // "relu", "p_relu" and "tanh", as other frameworks' operators are called.
  static std::string in_words(std::string_view type) {
    std::string name(type);
    for (const std::string_view word : {"ReLU", "TanH"})
      if (const size_t at = name.find(word); at != std::string::npos)
        for (size_t i = at + 1; i < at + word.size(); ++i)
          if (name[i] >= 'A' && name[i] <= 'Z') name[i] = static_cast<char>(name[i] - 'A' + 'a');
    return name;
  }
  static void replace(Graph g, const Node& n, MakeOperator make) {
    Build b(g, n);
    const Ports ports = make(b, SourceNode(n));
    require(ports.size() <= n.out_count(), "it has ", n.out_count(), " outputs, but what it becomes has ",
            ports.size());
    require_outputs(n, ports);
    // That a blob is f32 is what was taken for granted before.
    for (size_t i = 0; i < ports.size(); ++i)
      if (ports[i]) n.out_port(i).set_shape(ports[i].type(), Shape::unknown());
    replace_node(n, ports);
  }
};

}  // namespace

void convert(Registry& r, MakeOperator make, std::string_view types, std::string_view before,
             std::string_view after) {
  r.transformation<ConvertLayer>(make, types, before, after);
}

}  // namespace mo::caffe
