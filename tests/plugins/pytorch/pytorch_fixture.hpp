// Loads and converts programs of torch.export, built in a few lines, up to any stage.
#pragma once

#include "conversion_test.hpp"
#include "core/infer/execute.hpp"
#include "pt2_file.hpp"

namespace mo::test {

using testing::HasSubstr;

class Pytorch : public ConversionTest {
 protected:
  using ConversionTest::failure_of;
  using ConversionTest::prepare;

  Pytorch() : ConversionTest("pytorch") {}

  core::GraphPtr prepare(const Pt2File& file, core::Stage stage = core::Stage::final) {
    return prepare(file.bytes(), stage);
  }
  core::GraphPtr prepare(const std::string& bytes, core::Stage stage = core::Stage::final) {
    return ConversionTest::prepare(std::filesystem::path(folder_.write("model.pt2", bytes)), stage);
  }
  core::GraphPtr load(const Pt2File& file) { return prepare(file, core::Stage::load); }
  std::string load_failure(const std::string& bytes) {
    return ConversionTest::failure_of(std::filesystem::path(folder_.write("model.pt2", bytes)),
                                      core::Stage::load);
  }
  // What a program computes whose inputs are weights.
  std::vector<double> computed(const std::string& bytes, size_t i = 0) {
    const core::GraphPtr g = prepare(bytes);
    core::Session& session = *sessions_.back();
    session.executing = true;
    return values_of(core::execute(session, *g, {}).at(i));
  }
  std::vector<double> computed(const Pt2File& file, size_t i = 0) { return computed(file.bytes(), i); }

  // y = relu(w)
  static Pt2File relu_of(const StoredWeight& w) {
    Pt2File file;
    file.parameter("block.w", w);
    Pt2File::Sizes sizes;
    for (const int64_t d : w.sizes) sizes.push_back(text(d));
    file.graph.node("torch.ops.aten.relu.default", {{"self", arg::tensor("block.w")}}, "y", sizes, w.dtype);
    file.output("y");
    return file;
  }
};

}  // namespace mo::test
