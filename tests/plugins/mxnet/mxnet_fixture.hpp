// Loads and converts MXNet networks: symbols as text, and arrays that are written here as MXNet writes them.
#pragma once

#include <cstring>

#include "conversion_test.hpp"

namespace mo::test {

// One array of a list, in each of the forms that releases of MXNet wrote.
struct ArrayBytes {
  std::string name;
  std::vector<int64_t> dims;
  std::vector<float> values;
};

class ArraysBuilder {
 public:
  enum Form : uint32_t { first = 0, v1 = 0xF993FAC8, v2 = 0xF993FAC9, v3 = 0xF993FACA };

  ArraysBuilder& dense(const ArrayBytes& a, Form form = v2) {
    std::string floats(a.values.size() * sizeof(float), '\0');
    if (!floats.empty()) std::memcpy(floats.data(), a.values.data(), floats.size());
    return typed(a.name, a.dims, 0, floats, form);
  }
  // `type`: the number that MXNet has for it.
  ArraysBuilder& typed(const std::string& name, const std::vector<int64_t>& dims, int32_t type,
                       std::string_view elements, Form form = v2) {
    std::string bytes;
    if (form != first) put(bytes, static_cast<uint32_t>(form));
    if (form == v2 || form == v3) put(bytes, int32_t{0});
    put(bytes, static_cast<int32_t>(dims.size()));
    for (const int64_t d : dims) {
      if (form == first)
        put(bytes, static_cast<uint32_t>(d));
      else
        put(bytes, d);
    }
    put(bytes, int32_t{1});  // a device that is not looked at
    put(bytes, int32_t{0});
    put(bytes, type);
    return raw(name, bytes + std::string(elements));
  }
  ArraysBuilder& raw(const std::string& name, const std::string& bytes) {
    arrays_ += bytes;
    names_.push_back(name);
    return *this;
  }
  std::string bytes() const {
    std::string out;
    put(out, uint64_t{0x112});
    put(out, uint64_t{0});
    put(out, uint64_t{names_.size()});
    out += arrays_;
    put(out, uint64_t{names_.size()});
    for (const std::string& n : names_) {
      put(out, uint64_t{n.size()});
      out += n;
    }
    return out;
  }
  template <class T>
  static void put(std::string& out, T v) {
    out.append(reinterpret_cast<const char*>(&v), sizeof v);
  }

 private:
  std::string arrays_;
  std::vector<std::string> names_;
};

inline std::string symbol_of(std::string_view nodes, std::string_view heads, std::string_view more = {}) {
  return text(R"j({"nodes": [)j", nodes, R"j(], "heads": [)j", heads, "]", more, "}");
}
// {"op": "null"}
inline std::string variable(std::string_view name, std::string_view attributes = "{}") {
  return text(R"j({"op": "null", "name": ")j", name, R"j(", "attrs": )j", attributes, R"j(, "inputs": []})j");
}

constexpr std::string_view of_1_9 = R"j(, "attrs": {"mxnet_version": ["int", 10901]})j";

class Mxnet : public ConversionTest {
 protected:
  Mxnet() : ConversionTest("mxnet") {}

  core::GraphPtr prepare(std::string_view symbol, const std::string& arrays = {},
                         core::Stage stage = core::Stage::final) {
    return ConversionTest::prepare(model_of(symbol, arrays), stage);
  }
  std::string failure_of(std::string_view symbol, const std::string& arrays = {},
                         core::Stage stage = core::Stage::final) {
    return ConversionTest::failure_of(model_of(symbol, arrays), stage);
  }

  // An operator with constant inputs x0, x1, ...; `attributes`: "'axis': '1'", with ' for ".
  core::GraphPtr convert(std::string_view op, std::string_view attributes,
                         const std::vector<ArrayBytes>& inputs, size_t outputs = 1) {
    std::string nodes, entries, heads;
    ArraysBuilder arrays;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const std::string name = text('x', i);
      nodes += variable(name) + ", ";
      entries += text(i == 0 ? "[" : ", [", i, ", 0, 0]");
      arrays.dense({"arg:" + name, inputs[i].dims, inputs[i].values});
    }
    for (size_t i = 0; i < outputs; ++i) heads += text(i == 0 ? "[" : ", [", inputs.size(), ", ", i, ", 0]");
    std::string quoted(attributes);
    std::replace(quoted.begin(), quoted.end(), '\'', '"');
    nodes += text(R"j({"op": ")j", op, R"j(", "name": "y", "attrs": {)j", quoted, R"j(}, "inputs": [)j",
                  entries, "]}");
    return prepare(symbol_of(nodes, heads, of_1_9), arrays.bytes());
  }

  std::string model_of(std::string_view symbol, const std::string& arrays) const {
    const std::string text = folder_.write("net-symbol.json", symbol);
    return arrays.empty() ? text : folder_.write("net-0003.params", arrays);
  }
  static std::string names_of(const core::Graph& g, core::PortRef port) {
    std::string out;
    for (const core::Symbol s : g.out(port).names) out += text(out.empty() ? "" : ",", g.symbols().text(s));
    return out;
  }
};

}  // namespace mo::test
