// Loads and converts Caffe networks: the text of a .prototxt, and weights that are written here as Caffe
// writes them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <mo/tensor.hpp>

#include "core/convert/convert.hpp"
#include "core/graph/text.hpp"
#include "core/host/loader.hpp"

namespace mo::test {

// Protobuf's wire format, written by hand: the loader must not be tested with its own reader's idea of it.
inline std::string varint(uint64_t n) {
  std::string out;
  for (; n >= 128; n >>= 7U) out += static_cast<char>((n & 127U) | 128U);
  out += static_cast<char>(n);
  return out;
}
inline std::string field(uint32_t number, std::string_view bytes) {
  return varint(uint64_t{number} << 3U | 2U) + varint(bytes.size()) + std::string(bytes);
}
inline std::string field(uint32_t number, uint64_t value) {
  return varint(uint64_t{number} << 3U) + varint(value);
}
inline std::string raw(const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

struct BlobBytes {
  std::vector<int64_t> dims;
  std::vector<float> values;
};
// BlobProto with a shape, or with the four numbers of old files.
inline std::string blob(const BlobBytes& b) {
  std::string dims;
  for (const int64_t d : b.dims) dims += varint(static_cast<uint64_t>(d));
  return field(5, raw(b.values)) + field(7, field(1, dims));
}
inline std::string old_blob(const BlobBytes& b) {
  std::string out;
  for (size_t i = 0; i < 4; ++i) out += field(static_cast<uint32_t>(i) + 1, static_cast<uint64_t>(b.dims[i]));
  return out + field(5, raw(b.values));
}

// The bytes of a .caffemodel.
class WeightsBuilder {
 public:
  WeightsBuilder& layer(std::string_view name, const std::vector<BlobBytes>& blobs,
                        std::string_view more = {}) {
    std::string l = field(1, name);
    for (const BlobBytes& b : blobs) l += field(7, blob(b));
    bytes_ += field(100, l + std::string(more));
    return *this;
  }
  WeightsBuilder& v1_layer(std::string_view name, const std::vector<BlobBytes>& blobs) {
    std::string l = field(4, name);
    for (const BlobBytes& b : blobs) l += field(6, old_blob(b));
    bytes_ += field(2, l);
    return *this;
  }
  WeightsBuilder& v0_layer(std::string_view name, const std::vector<BlobBytes>& blobs) {
    std::string l = field(1, name);
    for (const BlobBytes& b : blobs) l += field(50, old_blob(b));
    bytes_ += field(2, field(1, l));
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Caffe : public testing::Test {
 protected:
  Caffe() {
    std::string name = (std::filesystem::temp_directory_path() / "mo-caffe-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    folder_ = name;
  }
  ~Caffe() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string write(std::string_view name, std::string_view bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return (folder_ / name).string();
  }

  // A session is one conversion; it lives as long as the graphs that came out of it.
  core::Session& new_session() {
    core::Session& session = *sessions_.emplace_back(std::make_unique<core::Session>());
    core::LoadRequest plugins;
    plugins.built_in = MO_PLUGIN_DIR;
    load_plugins(session, plugins);
    if (plugin_) plugin_(session);
    for (const auto& [name, value] : options_) session.set_option(name, value);
    session.log_sink = [this](const core::LogLine& line) { log_ += line.text + '\n'; };
    return session;
  }
  core::GraphPtr prepare_file(const std::string& path, core::Stage stage) {
    core::ConvertOptions options;
    options.input_model = path;
    options.framework = "caffe";
    options.stop_after = stage;
    options.emit.model_name = "model";
    core::ConvertResult result;
    return core::prepare_model(new_session(), options, result);
  }
  core::GraphPtr prepare(std::string_view prototxt, const std::string& weights = {},
                         core::Stage stage = core::Stage::final) {
    const std::string text = write("net.prototxt", prototxt);
    return prepare_file(weights.empty() ? text : write("net.caffemodel", weights), stage);
  }
  std::string failure_of(std::string_view prototxt, const std::string& weights = {},
                         core::Stage stage = core::Stage::final) {
    try {
      prepare(prototxt, weights, stage);
      return {};
    } catch (const core::Failure& f) {
      return f.render();
    }
  }

  static core::NodeId node(const core::Graph& g, std::string_view name) {
    const core::NodeId n = g.find(name);
    EXPECT_NE(n, core::no_node) << "no node '" << name << "' in\n" << core::to_text(g);
    return n;
  }
  static std::string type(const core::Graph& g, std::string_view name) {
    const core::NodeId n = node(g, name);
    return n == core::no_node ? "" : text(g.op(n), '@', g.opset(n));
  }
  // The operations in their order, without inputs, outputs and constants.
  static std::string text_of(const core::Graph& g) {
    std::string out;
    for (const core::NodeId n : g.topological())
      if (const auto op = g.op(n); op != "Const" && op != "Parameter" && op != "Result")
        out += text(out.empty() ? "" : " ", op);
    return out;
  }
  static size_t count(const core::Graph& g, std::string_view op) { return g.nodes_of(op).size(); }
  static core::PortRef output(const core::Graph& g, size_t i = 0) { return g.source({g.results()[i], 0}); }
  static Shape shape(const core::Graph& g, size_t i = 0) { return g.out(output(g, i)).tensor.shape; }
  static std::string names_of(const core::Graph& g, core::PortRef port) {
    std::string out;
    for (const core::Symbol s : g.out(port).names) out += text(out.empty() ? "" : ",", g.symbols().text(s));
    return out;
  }
  // The elements of an output that is known.
  static std::vector<double> values(const core::Graph& g, size_t i = 0) {
    const core::TensorRef& value = g.out(output(g, i)).tensor.value;
    if (!value) {
      ADD_FAILURE() << "output " << i << " has no value in\n" << core::to_text(g);
      return {};
    }
    static const core::Session session;
    std::vector<double> list;
    const Tensor t = Tensor::borrow(session.host(), value.get());
    for (size_t k = 0; k < t.size(); ++k) list.push_back(t.number(k));
    return list;
  }

  std::filesystem::path folder_;
  std::vector<std::unique_ptr<core::Session>> sessions_;
  std::map<std::string, core::Attribute> options_;
  std::function<void(core::Session&)> plugin_;
  std::string log_;
};

}  // namespace mo::test
