// The operation of layers that nobody defines: mapped ones, and those of forks that no runtime has. Their
// shapes are said by whoever makes the node.
#include <mo/sdk.hpp>

namespace mo::caffe {

// "_" stands for every operation of this set that has no definition of its own.
struct CustomOperation {
  static constexpr std::string_view type = "_", opset = "extension";
  static void schema(OpSchema& s) {
    s.doc("a layer that goes to the IR as it is").inputs(0, any_number).outputs(1, any_number);
    s.optional_attr<std::vector<Shape>>("output_shapes").not_in_ir();
    s.optional_attr<bool>("shape_of_input").not_in_ir();
  }
  static void infer(InferContext& c) {
    if (c.attr("shape_of_input", false)) {
      require(c.has(0), "it has no input to take its shape from");
      for (uint32_t i = 0; i < c.outputs(); ++i) c.output(i, c.type(0), c.shape(0));
      return;
    }
    // What a file says of it, where its makers know no more.
    if (c.outputs() != 0 && c.node().out_port(0).type() != ElementType::unknown &&
        !c.find_attr<std::vector<Shape>>("output_shapes")) {
      for (uint32_t i = 0; i < c.outputs(); ++i)
        c.output(i, c.node().out_port(i).type(), c.node().out_port(i).shape());
      return;
    }
    const auto shapes = c.find_attr<std::vector<Shape>>("output_shapes");
    require(shapes.has_value() && shapes->size() == c.outputs(), "nobody knows the shape of operation '",
            c.node().op(), "': give outputShape in the file of --k, or a plugin that defines ", opset,
            "::", c.node().op(), " with --extensions");
    for (uint32_t i = 0; i < c.outputs(); ++i) c.output(i, ElementType::f32, (*shapes)[i]);
  }
};

void register_custom_operation(Registry& r) { r.operation<CustomOperation>(); }

}  // namespace mo::caffe
