// From a framework's constant to Const: extensions/front/tf/const_ext.py and
// extensions/front/onnx/const_ext.py. How a framework stores a tensor is the business of its front-end, which
// gives it as a value here.
#include "seeds.hpp"

namespace seeds {

static void extract_const(mo::SourceNode& node) {
  const auto value = node.native<mo::Tensor>("value");
  node.set_op("Const", "opset1");
  node.out_port().set_value(value);  // shape and element type are the value's
}

void register_const_extractors(mo::Registry& registry) {
  registry.extractor<extract_const>({"tf", "", "Const"});
  registry.extractor<extract_const>({"onnx", "", "Constant"});
}

}  // namespace seeds
