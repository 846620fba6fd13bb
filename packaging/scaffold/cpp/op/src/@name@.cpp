// @Name@, an operation, and how it is read from a model. Begin with `schema`, then the formula in `evaluate`.
#include <mo/sdk.hpp>

namespace {

// y = x * scale.
struct @Name@ {
  static constexpr std::string_view type = "@Name@", opset = "@domain@";

  // Ports and attributes: the host checks nodes against it and writes the attributes to the IR.
  static void schema(mo::OpSchema& s) {
    s.doc("x * scale");
    s.inputs(1).outputs(1);
    s.attr<double>("scale", 1.0);
  }

  // Says what is certain, for shapes that are known in full, in part, or not at all.
  static void infer(mo::InferContext& c) {
    const mo::ElementType type = c.type(0);
    c.require(mo::is_float(type) || type == mo::ElementType::unknown, "x is not a floating-point tensor");
    c.output(0, type, c.shape(0));
  }

  // Optional. With it the host folds constants, and `mo-host run` computes the operation.
  static void evaluate(mo::EvalContext& c) {
    const mo::Tensor x = c.input(0);
    const auto scale = c.attr<double>("scale");
    auto [y, data] = mo::Tensor::create_bytes(c.context(), x.type(), x.dims());
    for (size_t i = 0, n = x.size(); i < n; ++i) mo::store_number(data, x.type(), i, x.number(i) * scale);
    c.output(0, y);
  }
};

void extract(mo::SourceNode& node) {
  node.set_op(@Name@::type, @Name@::opset);
  node.set("scale", node.native<double>("@prefix@scale", 1.0));
}

}  // namespace

void register_@name@(mo::Registry& registry) {
  registry.operation<@Name@>();
  registry.extractor<extract>({"@framework@", "@extract_domain@", "@extract_name@"});
}
