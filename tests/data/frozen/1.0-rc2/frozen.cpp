// A plugin in C++ whose binary is kept: it uses much of the SDK, and says in attributes what came back. What
// it does must not be changed; see ../README.md.
#include <mo/registry.hpp>

#include <stdexcept>

namespace {

constexpr std::string_view opset_name = "org.example.frozen." FROZEN_NAME;

// y = x * scale + bias[0]; what is negative is thrown and caught inside.
struct Frozen {
  static constexpr std::string_view type = "Frozen", opset = opset_name;
  static void schema(mo::OpSchema& s) {
    s.doc("x * scale + bias").inputs(1).outputs(1);
    s.attr<double>("scale", 1.0).attr<std::vector<int64_t>>("bias", {3});
    s.attr<std::string>("mode", "plain").one_of({"plain", "first", "second"});
    s.optional_attr<std::string>("key").optional_attr<std::string>("said");
  }
  static void infer(mo::InferContext& c) {
    const mo::Shape x = c.shape(0);
    c.require(!x.has_rank() || x.size() < 9, "x has ", x.size(), " dimensions");
    c.output(0, c.type(0), x);
  }
  static double checked(double v) {
    if (v < 0) throw std::out_of_range("negative");
    return v;
  }
  static void evaluate(mo::EvalContext& c) {
    const mo::Tensor x = c.input(0);
    const auto bias = c.attr<std::vector<int64_t>>("bias");
    auto [y, data] = mo::Tensor::create_bytes(c.context(), x.type(), x.dims());
    for (size_t i = 0, n = x.size(); i < n; ++i) {
      double v = x.number(i);
      try {
        v = checked(v);
      } catch (const std::out_of_range& e) {
        v = -static_cast<double>(std::string_view(e.what()).size());
      }
      mo::store_number(data, x.type(), i, v * c.attr<double>("scale") + static_cast<double>(bias.at(0)));
    }
    c.output(0, y);
  }
  static void ir_attrs(mo::Node node, mo::IrAttributes& out) {
    const auto scale = node.attr<double>("scale");
    out.add("squared", mo::text(scale * scale));
  }
};

void extract(mo::SourceNode& node) {
  node.set_op(Frozen::type, Frozen::opset);
  node.set("key", mo::text(node.native<int64_t>("no such attribute", 7), "/", node.has_native("neither"), "/",
                           node.native_names().size()));
  node.set("scale", 0.5);
}

// Frozen(x) {mode="plain"}  ->  Frozen(Frozen(x))
struct Twice : mo::FrontReplacementOp {
  Twice() {
    id = "frozen." FROZEN_NAME ".front";
    doc = "Frozen becomes two of them";
    op = mo::text(opset_name, "::Frozen");
  }
  std::vector<mo::OutPort> replace_op(mo::Graph graph, mo::Node node) override {
    mo::only_when(node.attr<std::string>("mode", "plain") == "plain",
                  "it has been made by this transformation");
    const mo::Node first = graph.create_node("Frozen", opset_name, "", {node.in_port(0).get_source()});
    const mo::Node second = graph.create_node("Frozen", opset_name, "", {first});
    first.set("mode", "first");
    second.set("mode", "second");
    // The second one has what the extractor has found.
    second.set("key", node.attr<std::string>("key", "-")).set("scale", node.attr<double>("scale"));
    mo::copy_runtime_info({node}, {second});
    return {second.out_port()};
  }
};

// Says of each second one what it sees.
struct Look : mo::ModelPass {
  Look() : ModelPass(MO_PHASE_PRE_MIDDLE) {
    id = "frozen." FROZEN_NAME ".middle";
    doc = "looks at pairs";
    run_not_recursively = true;
  }
  void run_on_model(mo::Graph graph) override {
    for (const mo::Node& second : graph.get_op_nodes("Frozen")) {
      if (second.opset() != opset_name || second.attr<std::string>("mode") != "second") continue;
      const mo::Node first = second.in_node(0);
      second.set_rt_info("frozen", "seen");
      const size_t readers = second.out_port().get_destinations().size();
      const mo::Node spare = graph.create_ints("spare", {1, 2, 3});
      const auto value = spare.out_port().value();
      second.set("said",
                 mo::text(first.op(), " reads ", first.in_node(0).op(), ", shape ", second.in_port(0).shape(),
                          ", readers ", readers, ", ", second.rt_info<std::string>("frozen").value_or("-"),
                          ", constant ", value ? value->number(2) : 0));
      spare.remove();
    }
  }
};

void register_all(mo::Registry& registry) {
  registry.operation<Frozen>();
  registry.extractor<extract>({"toy", opset_name, "Frozen", 1, 7});
  registry.transformation<Twice>();
  registry.transformation<Look>();
  registry.option("frozen_" FROZEN_NAME, MO_OPTION_INT, "nothing", "3");
}

}  // namespace

MO_PLUGIN("org.example.frozen." FROZEN_NAME, "1.0.0", "mo-host", "Apache-2.0", "is kept as it was built", "",
          register_all)
