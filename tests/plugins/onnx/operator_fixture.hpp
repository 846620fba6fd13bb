// Models of one operator.
#pragma once

#include "onnx_fixture.hpp"

namespace mo::test {

class OnnxOperators : public Onnx {
 protected:
  // What `type` computes from constants.
  std::vector<double> eval(int64_t version, std::string_view type, const std::vector<OnnxTensor>& inputs,
                           std::vector<OnnxAttribute> attributes = {}, size_t outputs = 1,
                           size_t wanted = 0) {
    ModelBuilder m(version);
    OnnxNode n{.type = std::string(type), .attributes = std::move(attributes), .name = "op"};
    for (const OnnxTensor& t : inputs) n.inputs.push_back(t.type == OnnxType::undefined ? "" : m.constant(t));
    for (size_t i = 0; i < outputs; ++i) {
      n.outputs.push_back("y" + std::to_string(i));
      m.output(n.outputs.back());
    }
    m.node(n);
    return computed(m, wanted);
  }
  static OnnxTensor none() { return {}; }

  // The graph of one operator on an input x of this shape, up to `stage`.
  core::GraphPtr single(int64_t version, std::string_view type, const std::vector<OnnxDim>& dims,
                        const std::vector<OnnxTensor>& constants = {},
                        std::vector<OnnxAttribute> attributes = {}, core::Stage stage = core::Stage::final) {
    ModelBuilder m(version);
    m.input("x", OnnxType::float32, dims);
    OnnxNode n{.type = std::string(type),
               .inputs = {"x"},
               .outputs = {"y"},
               .attributes = std::move(attributes),
               .name = "op"};
    for (const OnnxTensor& t : constants)
      n.inputs.push_back(t.type == OnnxType::undefined ? "" : m.constant(t));
    m.node(n);
    m.output("y");
    return prepare(m, stage);
  }
  template <class T>
  static T attribute(const core::Graph& g, core::NodeId n, std::string_view name) {
    const core::Attribute* a = g.attribute(n, name);
    if (a == nullptr || !std::holds_alternative<T>(*a)) {
      ADD_FAILURE() << "no such attribute: " << name << "\n" << core::to_text(g);
      return {};
    }
    return std::get<T>(*a);
  }
  using List = std::vector<int64_t>;
};

}  // namespace mo::test
