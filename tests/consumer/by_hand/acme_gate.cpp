// y = x where x is positive, and scale * x elsewhere, added to an offset: what a vendor writes instead of the
// formula that `mo-host new plugin` proposes.
#include <mo/sdk.hpp>

#include <cmath>

namespace {

struct AcmeGate {
  static constexpr std::string_view type = "AcmeGate", opset = "com.acme";

  static void schema(mo::OpSchema& s) {
    s.doc("x, or scale * x where that is larger, and an offset");
    s.inputs(1).outputs(1);
    s.attr<double>("scale");
    s.attr<double>("offset", 0.5);
    s.attr<std::string>("mode", "larger").one_of({"larger", "smaller"});
  }

  static void infer(mo::InferContext& c) {
    const mo::ElementType type = c.type(0);
    c.require(mo::is_float(type) || type == mo::ElementType::unknown, "x is not a floating-point tensor");
    c.output(0, type, c.shape(0));
  }

  static double gated(double x, double scale, bool larger) {
    return larger ? std::fmax(x, scale * x) : std::fmin(x, scale * x);
  }

  static void evaluate(mo::EvalContext& c) {
    const mo::Tensor x = c.input(0);
    const auto scale = c.attr<double>("scale"), offset = c.attr<double>("offset");
    const bool larger = c.attr<std::string>("mode") == "larger";
    auto [y, data] = mo::Tensor::create_bytes(c.context(), x.type(), x.dims());
    for (size_t i = 0, n = x.size(); i < n; ++i)
      mo::store_number(data, x.type(), i, gated(x.number(i), scale, larger) + offset);
    c.output(0, y);
  }

  static void ir_attrs(mo::Node node, mo::IrAttributes& out) {
    const auto scale = node.attr<double>("scale");
    out.add("is_linear", mo::text(scale == 1.0 ? "true" : "false"));
  }
};

void extract(mo::SourceNode& node) {
  node.set_op(AcmeGate::type, AcmeGate::opset);
  node.set("scale", node.native<double>("scale"));
  node.set("mode", node.native<std::string>("mode", "larger"));
}

}  // namespace

void register_acme_gate(mo::Registry& registry) {
  registry.operation<AcmeGate>();
  registry.extractor<extract>({"onnx", "com.acme", "AcmeGate"});
}
