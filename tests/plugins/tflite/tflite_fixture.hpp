// Loads and converts TensorFlow Lite models, built in a few lines, up to any stage.
#pragma once

#include "conversion_test.hpp"
#include "core/infer/execute.hpp"
#include "tflite_file.hpp"

namespace mo::test {

using testing::HasSubstr;

class Tflite : public ConversionTest {
 protected:
  using ConversionTest::failure_of;
  using ConversionTest::prepare;

  Tflite() : ConversionTest("tflite") {}

  core::GraphPtr prepare(const LiteFile& file, core::Stage stage = core::Stage::final) {
    return prepare(folder_.write("model.tflite", file.bytes()), stage);
  }
  core::GraphPtr load(const LiteFile& file) { return prepare(file, core::Stage::load); }
  std::string failure_of(const LiteFile& file, core::Stage stage = core::Stage::final) {
    return failure_of_bytes(file.bytes(), stage);
  }
  std::string failure_of_bytes(std::string_view bytes, core::Stage stage = core::Stage::load) {
    return failure_of(folder_.write("model.tflite", bytes), stage);
  }
  std::string load_failure(const LiteFile& file) { return failure_of(file, core::Stage::load); }
  // The outputs of a graph whose inputs are constants; those that folding leaves alone are computed, too.
  std::vector<core::TensorRef> run(core::Graph& g) {
    core::Session& session = *sessions_.back();
    session.executing = true;
    return core::execute(session, g, {});
  }
  // What a model computes whose inputs are constants.
  std::vector<double> computed(const LiteFile& file, size_t i = 0) {
    return values_of(run(*prepare(file)).at(i));
  }

  // x -> op -> y, of one shape.
  static LiteFile unary(int32_t code, std::vector<int32_t> dims = {2}) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input({.name = "x", .dims = dims}), y = g.output({.name = "y", .dims = dims});
    g.operators.push_back({.code = code, .inputs = {x}, .outputs = {y}});
    return file;
  }
};

namespace lite {
enum : int32_t {
  add = 0,
  conv_2d = 3,
  dequantize = 6,
  custom = 32,
  relu = 19,
  reshape = 22,
  neg = 59,
  abs = 101,
  quantize = 114,
  if_ = 118,
  while_ = 119,
  densify = 124,
  call_once = 129,
  var_handle = 142,
  read_variable = 143,
  assign_variable = 144,
  less = 58,
  composite = 206
};
}  // namespace lite

}  // namespace mo::test
