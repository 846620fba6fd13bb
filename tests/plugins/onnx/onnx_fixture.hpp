// Loads and converts ONNX models, built in a few lines, up to any stage.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <mo/tensor.hpp>

#include "core/convert/convert.hpp"
#include "core/graph/text.hpp"
#include "core/host/loader.hpp"
#include "model_builder.hpp"
#include "twice.hpp"

namespace mo::test {

// A folder of its own for each test, removed with it.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "mo-onnx-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  void write(std::string_view name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }

 private:
  std::filesystem::path path_;
};

class Onnx : public testing::Test {
 protected:
  // A session is one conversion; it lives as long as the graphs that came out of it.
  core::Session& new_session() {
    core::Session& session = *sessions_.emplace_back(std::make_unique<core::Session>());
    core::LoadRequest plugins;
    plugins.built_in = MO_PLUGIN_DIR;
    load_plugins(session, plugins);
    return session;
  }

  core::GraphPtr prepare(const std::filesystem::path& model, core::Stage stage = core::Stage::final) {
    core::ConvertOptions options;
    options.input_model = model.string();
    options.framework = "onnx";
    options.stop_after = stage;
    options.emit.model_name = "model";
    core::ConvertResult result;
    core::Session& session = new_session();
    TwiceEqualsOnce twice(session);
    options.watch = &twice;
    return core::prepare_model(session, options, result);
  }
  core::GraphPtr prepare(const ModelBuilder& model, core::Stage stage = core::Stage::final) {
    model.write(folder_ / "model.onnx");
    return prepare(folder_ / "model.onnx", stage);
  }

  // The text of the failure with all its context; empty when there is none.
  std::string failure_of(const std::filesystem::path& model, core::Stage stage = core::Stage::final) {
    try {
      prepare(model, stage);
      return {};
    } catch (const core::Failure& f) {
      return f.render();
    }
  }
  std::string failure_of_bytes(std::string_view bytes, core::Stage stage = core::Stage::load) {
    folder_.write("model.onnx", bytes);
    return failure_of(folder_ / "model.onnx", stage);
  }
  std::string failure_of(const ModelBuilder& model, core::Stage stage = core::Stage::final) {
    return failure_of_bytes(model.bytes(), stage);
  }

  static core::NodeId node(const core::Graph& g, std::string_view name) {
    const core::NodeId n = g.find(name);
    EXPECT_NE(n, core::no_node) << "no node '" << name << "' in\n" << core::to_text(g);
    return n;
  }
  // "Convolution@opset1" of the node that users know by this name.
  static std::string type(const core::Graph& g, std::string_view name) {
    const core::NodeId n = node(g, name);
    return n == core::no_node ? "" : text(g.op(n), '@', g.opset(n));
  }
  static size_t count(const core::Graph& g, std::string_view op) { return g.nodes_of(op).size(); }
  static core::PortRef output(const core::Graph& g, size_t i = 0) { return g.source({g.results()[i], 0}); }
  static Shape shape(const core::Graph& g, size_t i = 0) { return g.out(output(g, i)).tensor.shape; }
  // The elements of an output that is known.
  static std::vector<double> values(const core::Graph& g, size_t i = 0) {
    const core::TensorRef& value = g.out(output(g, i)).tensor.value;
    if (!value) {
      ADD_FAILURE() << "output " << i << " has no value in\n" << core::to_text(g);
      return {};
    }
    std::vector<double> list;
    const Tensor t = Tensor::borrow(session_host(), value.get());
    for (size_t k = 0; k < t.size(); ++k) list.push_back(t.number(k));
    return list;
  }
  // What a model computes whose inputs are constants.
  std::vector<double> computed(const ModelBuilder& model, size_t i = 0) { return values(*prepare(model), i); }

  static const mo_host* session_host() {
    static const core::Session session;
    return session.host();
  }

  TestFolder folder_;
  std::vector<std::unique_ptr<core::Session>> sessions_;
};

inline OnnxTensor floats(std::vector<int64_t> dims, const std::vector<float>& values) {
  return OnnxTensor::of<float>(std::move(dims), values);
}
inline OnnxTensor ints(const std::vector<int64_t>& values) {
  return OnnxTensor::of<int64_t>({static_cast<int64_t>(values.size())}, values);
}

}  // namespace mo::test
