// CustomLayersMapping.xml: layers that go to the IR as they are, before anybody else is asked.
//
//   <CustomLayer NativeType="Foo" hasParam="true" protoParamName="foo_param"/>
//
// Beyond what the Model Optimizer reads: opset="com.acme" names the operation set of a vendor's operation
// that knows its shape, and outputShape="[1,10]" or "input" (that of the first input) gives the shape itself.
#pragma once

#include "loader/message.hpp"

#include <mo/frontend.hpp>

namespace mo::caffe {

struct CustomLayer {
  std::string type, param, opset;
  bool has_param = false;
  std::string shape;  // as written; empty: the operation knows it
};

class CustomLayers {
 public:
  // Of no file.
  CustomLayers() = default;
  CustomLayers(Context c, const std::string& path);
  const CustomLayer* find(std::string_view type) const;
  // Makes a node the custom operation with its attributes.
  void apply(const CustomLayer& entry, const Message& layer, const Node& node) const;

 private:
  std::map<std::string, CustomLayer, std::less<>> entries_;
  bool flatten_ = false, all_ = false;
};

}  // namespace mo::caffe
