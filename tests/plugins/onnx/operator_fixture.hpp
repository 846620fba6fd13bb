// Models of one operator.
#pragma once

#include "core/infer/execute.hpp"
#include "onnx_fixture.hpp"

namespace mo::test {

class OnnxOperators : public Onnx {
 protected:
  // What `type` computes from constants.
  std::vector<double> eval(int64_t version, std::string_view type, const std::vector<OnnxTensor>& inputs,
                           std::vector<OnnxAttribute> attributes = {}, size_t outputs = 1,
                           size_t wanted = 0) {
    ModelBuilder m(version);
    one_node(m, type, inputs, std::move(attributes), outputs);
    return computed(m, wanted);
  }
  // The same where weights stay packed, and so nothing is known before the model runs.
  std::vector<double> executed(int64_t version, std::string_view type, const std::vector<OnnxTensor>& inputs,
                               std::vector<OnnxAttribute> attributes = {}) {
    ModelBuilder m(version);
    one_node(m, type, inputs, std::move(attributes), 1);
    return executed(m);
  }
  std::vector<double> executed(const ModelBuilder& m) {
    const auto g = prepare(m);
    core::Session& session = *sessions_.back();
    session.executing = true;
    return values_of(core::execute(session, *g, {}).at(0));
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
      ADD_FAILURE() << "no such attribute: " << name << "\n" << app::to_text(g);
      return {};
    }
    return std::get<T>(*a);
  }
  using List = std::vector<int64_t>;

 private:
  static void one_node(ModelBuilder& m, std::string_view type, const std::vector<OnnxTensor>& inputs,
                       std::vector<OnnxAttribute> attributes, size_t outputs) {
    OnnxNode n{.type = std::string(type), .attributes = std::move(attributes), .name = "op"};
    for (const OnnxTensor& t : inputs) n.inputs.push_back(t.type == OnnxType::undefined ? "" : m.constant(t));
    for (size_t i = 0; i < outputs; ++i) {
      n.outputs.push_back("y" + std::to_string(i));
      m.output(n.outputs.back());
    }
    m.node(n);
  }
};

}  // namespace mo::test
