// Reads files of lines: "@name@ 1" first, then "input NAME SIZES", "node OPERATOR NAME SOURCE", "output NAME". What the
// operators mean is said by extractors, of which one is at the end.
#include <map>
#include <mo/sdk.hpp>
#include <sstream>

namespace {

constexpr std::string_view first_line = "@name@ 1";

// What stays while the model is converted: attributes are read from it when somebody asks.
struct Model : mo::FrontEndModel {
  std::vector<std::string> operators;  // a node's tag is the place of its own, from 1

  // By which extractors are found: domain, version and operator.
  Key native_key(uint64_t tag) override { return {"", 1, operators.at(tag - 1)}; }
  // An attribute is given with mo::give_native(c, value). Operators have none so far.
  bool native_attr(mo::Context, uint64_t, std::string_view) override { return false; }
  std::vector<std::string> native_attr_names(uint64_t) override { return {}; }
};

class Reader {
 public:
  Reader(mo::Graph graph, Model& model) : graph_(graph), model_(model) {}

  void line(const std::string& text) {
    std::istringstream in(text);
    std::string word, name, op, source;
    in >> word;
    if (word == "input" && in >> name) {
      input(name, in);
    } else if (word == "node" && in >> op >> name >> source) {
      node(op, name, source);
    } else if (word == "output" && in >> name) {
      graph_.create_node("Result", "opset1", name + "/result", {tensor(name)}, 0);
    } else {
      mo::require(word.empty(), "'", text, "' is no line of such a file; expected input, node or output");
    }
  }

 private:
  void input(const std::string& name, std::istringstream& in) {
    mo::Shape shape{};
    for (int64_t size = 0; in >> size;) {
      mo::require(size >= 0, "input '", name, "' has the size ", size, "; expected 0 or more");
      shape.push_back(mo::Dim(size));
    }
    const mo::Node n = graph_.create_node("Parameter", "opset1", name);
    n.set("element_type", mo::ElementType::f32).set("shape", shape);
    tensors_[name] = n.out_port();
  }

  void node(const std::string& op, const std::string& name, const std::string& source) {
    const mo_port from = tensor(source).abi();
    model_.operators.push_back(op);
    mo_node_init init{};
    init.op = mo::str(op);
    init.name = mo::str(name);
    init.inputs = &from;
    init.n_inputs = init.n_outputs = 1;
    init.native = model_.operators.size();
    tensors_[name] = graph_.create_node(init).out_port();
    tensors_[name].set_tensor_names({name});
  }

  mo::OutPort tensor(const std::string& name) {
    mo::require(tensors_.count(name) == 1, "'", name, "' is read, and nothing in front makes it");
    return tensors_[name];
  }

  mo::Graph graph_;
  Model& model_;
  std::map<std::string, mo::OutPort> tensors_;
};

struct FrontEnd : mo::FrontEnd {
  std::string name() const override { return "@name@"; }
  std::vector<std::string> extensions() const override { return {".@name@"}; }
  // 0: not mine, 100: certainly. Foreign files come here, too.
  int probe(const mo::ProbeInfo& p) const override {
    return p.head.substr(0, first_line.size()) == first_line ? 95 : 0;
  }
  std::unique_ptr<mo::FrontEndModel> load(mo::Context c, const mo::ModelSource& source,
                                          mo::Graph graph) override {
    auto model = std::make_unique<Model>();
    const mo::File file = mo::File::open(c, source.path());
    std::istringstream in{std::string(file.bytes())};
    std::string text;
    mo::require(std::getline(in, text) && text == first_line, "the file does not begin with '", first_line,
                "'");
    Reader reader(graph, *model);
    while (std::getline(in, text)) reader.line(text);
    return model;
  }
};

void extract_magnitude(mo::SourceNode& node) { node.set_op("Abs", "opset1"); }

}  // namespace

void register_@name@(mo::Registry& registry) {
  registry.frontend<FrontEnd>();
  registry.extractor<extract_magnitude>({"@name@", "", "Magnitude"});
}
