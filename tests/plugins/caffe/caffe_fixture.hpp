// Loads and converts Caffe networks: the text of a .prototxt, and weights that are written here as Caffe
// writes them.
#pragma once

#include <cstring>

#include "conversion_test.hpp"

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

class Caffe : public ConversionTest {
 protected:
  Caffe() : ConversionTest("caffe") {}

  std::string write(std::string_view name, std::string_view bytes) const {
    return folder_.write(name, bytes);
  }
  core::GraphPtr prepare(std::string_view prototxt, const std::string& weights = {},
                         core::Stage stage = core::Stage::final) {
    return ConversionTest::prepare(model_of(prototxt, weights), stage);
  }
  std::string failure_of(std::string_view prototxt, const std::string& weights = {},
                         core::Stage stage = core::Stage::final) {
    return ConversionTest::failure_of(model_of(prototxt, weights), stage);
  }

  // The operations in their order, without inputs, outputs and constants.
  static std::string text_of(const core::Graph& g) {
    std::string out;
    for (const core::NodeId n : g.topological())
      if (const auto op = g.op(n); op != "Const" && op != "Parameter" && op != "Result")
        out += text(out.empty() ? "" : " ", op);
    return out;
  }
  static std::string names_of(const core::Graph& g, core::PortRef port) {
    std::string out;
    for (const core::Symbol s : g.out(port).names) out += text(out.empty() ? "" : ",", g.symbols().text(s));
    return out;
  }

 private:
  std::string model_of(std::string_view prototxt, const std::string& weights) const {
    const std::string text = write("net.prototxt", prototxt);
    return weights.empty() ? text : write("net.caffemodel", weights);
  }
};

}  // namespace mo::test
