// Models of one operator of com.microsoft.
#pragma once

#include <cmath>

#include "core/infer/execute.hpp"
#include "operator_fixture.hpp"

namespace mo::test {

class OnnxMicrosoft : public OnnxOperators {
 protected:
  static constexpr const char* domain = "com.microsoft";
  using Results = std::map<size_t, std::vector<double>>;

  // Outputs that `type` computes from constants, by number; all of them, or those that are `wanted`.
  Results run(std::string_view type, const std::vector<OnnxTensor>& inputs,
              std::vector<OnnxAttribute> attributes = {}, size_t outputs = 1,
              std::vector<size_t> wanted = {}) {
    ModelBuilder m(17);
    if (wanted.empty())
      for (size_t i = 0; i < outputs; ++i) wanted.push_back(i);
    one_operator(m, type, inputs, std::move(attributes), wanted);
    const auto g = prepare(m);
    core::Session& session = *sessions_.back();
    session.executing = true;  // packed weights are not computed ahead
    const auto results = core::execute(session, *g, {});
    Results r;
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Tensor t = Tensor::borrow(session_host(), results.at(i).get());
      for (size_t k = 0; k < t.size(); ++k) r[wanted[i]].push_back(t.number(k));
    }
    return r;
  }
  std::string refusal(std::string_view type, const std::vector<OnnxTensor>& inputs,
                      std::vector<OnnxAttribute> attributes = {}) {
    ModelBuilder m(17);
    one_operator(m, type, inputs, std::move(attributes), {0});
    return failure_of(m);
  }

  // Sums are rounded in another order than in the runtime.
  static auto near(const std::vector<double>& v) {
    double largest = 1;
    for (const double d : v) largest = std::max(largest, std::abs(d));
    return testing::Pointwise(testing::DoubleNear(2e-4 * largest), v);
  }
  static auto same(const std::vector<double>& v) { return testing::Pointwise(testing::DoubleEq(), v); }
  // The runtime's own arithmetic of 8-bit numbers may round a tie to the other side.
  static auto about(const std::vector<double>& v) { return testing::Pointwise(testing::DoubleNear(1.0), v); }
  static OnnxTensor flags(std::vector<int64_t> dims, const std::vector<uint8_t>& v) {
    return OnnxTensor::raw(OnnxType::boolean, std::move(dims), std::as_bytes(std::span(v)));
  }

 private:
  static void one_operator(ModelBuilder& m, std::string_view type, const std::vector<OnnxTensor>& inputs,
                           std::vector<OnnxAttribute> attributes, const std::vector<size_t>& wanted) {
    const bool plain = type.substr(0, 2) == "::";  // an operator that onnxruntime adds to ONNX's own domain
    OnnxNode n{.type = std::string(plain ? type.substr(2) : type),
               .attributes = std::move(attributes),
               .name = "op",
               .domain = plain ? "" : domain};
    m.opset(domain, 1);
    for (const OnnxTensor& t : inputs) n.inputs.push_back(t.type == OnnxType::undefined ? "" : m.constant(t));
    for (const size_t i : wanted) {
      n.outputs.resize(i);  // those between are left out
      n.outputs.push_back("y" + std::to_string(i));
      m.output(n.outputs.back());
    }
    m.node(n);
  }
};

}  // namespace mo::test
