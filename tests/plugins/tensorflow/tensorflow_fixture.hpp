// Loads and converts TensorFlow models, built in a few lines, up to any stage.
#pragma once

#include "conversion_test.hpp"
#include "graph_def.hpp"

namespace mo::test {

using testing::HasSubstr;

class Tensorflow : public ConversionTest {
 protected:
  using ConversionTest::failure_of;
  using ConversionTest::prepare;
  using List = std::vector<int64_t>;

  Tensorflow() : ConversionTest("tf") {}

  core::GraphPtr prepare(const GraphDef& model, core::Stage stage = core::Stage::final) {
    return prepare(folder_.write("model.pb", model.bytes()), stage);
  }
  core::GraphPtr load(const GraphDef& model) { return prepare(model, core::Stage::load); }
  std::string failure_of(const GraphDef& model, core::Stage stage = core::Stage::final) {
    return failure_of(folder_.write("model.pb", model.bytes()), stage);
  }
  std::string load_failure(const GraphDef& model) { return failure_of(model, core::Stage::load); }
  // What a model computes whose inputs are constants.
  std::vector<double> computed(const GraphDef& model, size_t i = 0) { return values(*prepare(model), i); }
};

}  // namespace mo::test
