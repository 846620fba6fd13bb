// From a framework's constant to Const: extensions/front/tf/const_ext.py and
// extensions/front/onnx/const_ext.py. How a framework stores a tensor is the business of its front-end, which
// gives it as a value here.
#include "seeds.hpp"

namespace seeds {

static void extract_const(mo::SourceNode& node) {
  const auto value = node.find_native<mo::Tensor>("value");
  if (!value) mo::decline("its value is in another attribute");  // "value_float"; the built-in one knows them
  node.set_op("Const", "opset1");
  node.out_port().set_value(*value);  // shape and element type are the value's
}

void register_const_extractors(mo::Registry& registry) {
  registry.extractor<extract_const>({"tf", "", "Const"});
  registry.extractor<extract_const>({"onnx", "", "Constant"});
}

}  // namespace seeds
