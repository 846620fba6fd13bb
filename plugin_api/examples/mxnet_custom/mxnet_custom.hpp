// Custom operators of MXNet: what Python registered as mx.operator.register("scale_shift_relu") is the
// operator `scale_shift_relu` of the domain `Custom` here.
//
//   mo-host --input_model acme_custom-symbol.json --extensions FOLDER
#pragma once

#include <mo/build.hpp>

namespace acme {

// max(x * scale + shift, 0), of operations that every runtime has. The attributes are those of the node.
inline mo::Ports scale_shift_relu(mo::Build& b, const mo::SourceNode& n) {
  const mo::OutPort x = b.in(0);
  const mo::OutPort product = b.op("Multiply", "opset1", {x, b.like(x, n.native("scale", 2.0))});
  const mo::OutPort sum = b.op("Add", "opset1", {product, b.like(x, n.native("shift", 0.0))});
  return {b.op("ReLU", "opset1", {sum})};
}

// Only one channel of several is kept as it is: an operation of the vendor's own, which the runtime needs an
// extension for.
struct KeepChannel {
  static constexpr std::string_view type = "KeepChannel", opset = "com.acme";
  static void schema(mo::OpSchema& s) {
    s.doc("all channels but one become 0").inputs(1).outputs(1);
    s.attr<int64_t>("channel", 0).attr("others", std::vector<double>{});
  }
  static void infer(mo::InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
};
inline void extract_keep_channel(mo::SourceNode& n) {
  n.set_op(KeepChannel::type, KeepChannel::opset);
  n.set("channel", n.native<int64_t>("channel"));
  n.set("others", n.native("others", std::vector<double>{}));  // "(0.5, 1)" in the file
}

inline void register_mxnet_custom(mo::Registry& r) {
  r.transformation<mo::ReplaceOperator<scale_shift_relu>>(mo::OperatorText{
      "mxnet", "Custom.scale_shift_relu", "scale_shift_relu(x)", "ReLU(Add(Multiply(x, scale), shift))"});
  r.operation<KeepChannel>();
  r.extractor<extract_keep_channel>({"mxnet", "Custom", "keep_channel"});
}

}  // namespace acme
