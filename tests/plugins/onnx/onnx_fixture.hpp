// Loads and converts ONNX models, built in a few lines, up to any stage.
#pragma once

#include "conversion_test.hpp"
#include "model_builder.hpp"

namespace mo::test {

class Onnx : public ConversionTest {
 protected:
  using ConversionTest::failure_of;
  using ConversionTest::prepare;

  Onnx() : ConversionTest("onnx") {}

  core::GraphPtr prepare(const ModelBuilder& model, core::Stage stage = core::Stage::final) {
    model.write(folder_ / "model.onnx");
    return prepare(folder_ / "model.onnx", stage);
  }
  std::string failure_of_bytes(std::string_view bytes, core::Stage stage = core::Stage::load) {
    return failure_of(folder_.write("model.onnx", bytes), stage);
  }
  std::string failure_of(const ModelBuilder& model, core::Stage stage = core::Stage::final) {
    return failure_of_bytes(model.bytes(), stage);
  }
  // What a model computes whose inputs are constants.
  std::vector<double> computed(const ModelBuilder& model, size_t i = 0) { return values(*prepare(model), i); }
};

inline OnnxTensor floats(std::vector<int64_t> dims, const std::vector<float>& values) {
  return OnnxTensor::of<float>(std::move(dims), values);
}
inline OnnxTensor ints(const std::vector<int64_t>& values) {
  return OnnxTensor::of<int64_t>({static_cast<int64_t>(values.size())}, values);
}

}  // namespace mo::test
