// Writes GraphDefs, functions and what holds them, as TensorFlow would: for tests.
//
//   GraphDef g;
//   g.placeholder("x", TfType::f32, {1, -1});
//   g.constant("two", tf_floats({}, {2}));
//   g.node("Mul", "y", {"x", "two"}, {tf_type("T", TfType::f32)});
//   write(g.bytes());
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace mo::test {

enum class TfType : uint32_t {
  f32 = 1,
  f64 = 2,
  i32 = 3,
  u8 = 4,
  i16 = 5,
  i8 = 6,
  string = 7,
  complex64 = 8,
  i64 = 9,
  boolean = 10,
  bf16 = 14,
  half = 19,
  resource = 20,
  variant = 21,
};

// Fields of messages.
struct Wire {
  std::string bytes;
  Wire& varint(uint64_t v) {
    for (; v >= 0x80; v >>= 7) bytes += static_cast<char>((v & 0x7fU) | 0x80U);
    bytes += static_cast<char>(v);
    return *this;
  }
  Wire& integer(uint32_t field, int64_t v) {
    return varint(uint64_t{field} << 3).varint(static_cast<uint64_t>(v));
  }
  Wire& text(uint32_t field, std::string_view v) {
    varint((uint64_t{field} << 3) | 2U).varint(v.size());
    bytes += v;
    return *this;
  }
  Wire& message(uint32_t field, const Wire& w) { return text(field, w.bytes); }
  Wire& single(uint32_t field, float v) {
    varint((uint64_t{field} << 3) | 5U);
    char raw[sizeof v];
    std::memcpy(raw, &v, sizeof v);
    bytes.append(raw, sizeof raw);
    return *this;
  }
  // An entry of map<string, message>.
  Wire& entry(uint32_t field, std::string_view key, std::string_view value) {
    return message(field, Wire().text(1, key).text(2, value));
  }
};

struct TfAttribute {
  std::string name, value;  // the AttrValue message
};

inline std::string tf_shape_bytes(const std::vector<int64_t>& dims) {
  Wire w;
  for (const int64_t d : dims) w.message(2, Wire().integer(1, d));
  return w.bytes;
}

inline TfAttribute tf_int(std::string name, int64_t v) {
  return {std::move(name), Wire().integer(3, v).bytes};
}
inline TfAttribute tf_float(std::string name, float v) {
  return {std::move(name), Wire().single(4, v).bytes};
}
inline TfAttribute tf_bool(std::string name, bool v) {
  return {std::move(name), Wire().integer(5, v ? 1 : 0).bytes};
}
inline TfAttribute tf_text(std::string name, std::string_view v) {
  return {std::move(name), Wire().text(2, v).bytes};
}
inline TfAttribute tf_type(std::string name, TfType t) {
  return {std::move(name), Wire().integer(6, static_cast<int64_t>(t)).bytes};
}
// What most operators carry: their numbers are floats.
inline const TfAttribute t_float = tf_type("T", TfType::f32);
inline TfAttribute tf_shape(std::string name, const std::vector<int64_t>& dims) {
  return {std::move(name), Wire().text(7, tf_shape_bytes(dims)).bytes};
}
// A function, with values for its attributes.
inline TfAttribute tf_function(std::string name, std::string_view function,
                               const std::vector<TfAttribute>& attributes = {}) {
  Wire f;
  f.text(1, function);
  for (const TfAttribute& a : attributes) f.entry(2, a.name, a.value);
  return {std::move(name), Wire().message(10, f).bytes};
}
// What stands for attribute `of` of the function around the node.
inline TfAttribute tf_placeholder(std::string name, std::string_view of) {
  return {std::move(name), Wire().text(9, of).bytes};
}
inline TfAttribute tf_ints(std::string name, const std::vector<int64_t>& list) {
  Wire packed;
  for (const int64_t v : list) packed.varint(static_cast<uint64_t>(v));
  return {std::move(name), Wire().message(1, Wire().text(3, packed.bytes)).bytes};
}
inline TfAttribute tf_floats_list(std::string name, const std::vector<float>& list) {
  Wire items;
  for (const float v : list) items.single(4, v);
  return {std::move(name), Wire().message(1, items).bytes};
}
inline TfAttribute tf_texts(std::string name, const std::vector<std::string>& list) {
  Wire items;
  for (const std::string& v : list) items.text(2, v);
  return {std::move(name), Wire().message(1, items).bytes};
}
inline TfAttribute tf_types(std::string name, const std::vector<TfType>& list) {
  Wire packed;
  for (const TfType t : list) packed.varint(static_cast<uint64_t>(t));
  return {std::move(name), Wire().message(1, Wire().text(6, packed.bytes)).bytes};
}
inline TfAttribute tf_shapes(std::string name, const std::vector<std::vector<int64_t>>& list) {
  Wire items;
  for (const auto& dims : list) items.text(7, tf_shape_bytes(dims));
  return {std::move(name), Wire().message(1, items).bytes};
}

// A TensorProto, its values as bytes.
struct TfTensor {
  TfType type = TfType::f32;
  std::vector<int64_t> dims;
  std::string content;
  std::string fields = {};  // further fields: float_val and others

  std::string bytes() const {
    Wire w;
    w.integer(1, static_cast<int64_t>(type)).text(2, tf_shape_bytes(dims));
    if (!content.empty()) w.text(4, content);
    return w.bytes + fields;
  }
};

template <class T>
TfTensor tf_tensor(TfType type, std::vector<int64_t> dims, const std::vector<T>& values) {
  return {type, std::move(dims),
          std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T))};
}
inline TfTensor tf_floats(std::vector<int64_t> dims, const std::vector<float>& values) {
  return tf_tensor(TfType::f32, std::move(dims), values);
}
inline TfTensor tf_i32(std::vector<int64_t> dims, const std::vector<int32_t>& values) {
  return tf_tensor(TfType::i32, std::move(dims), values);
}
inline TfTensor tf_i64(std::vector<int64_t> dims, const std::vector<int64_t>& values) {
  return tf_tensor(TfType::i64, std::move(dims), values);
}
inline TfTensor tf_booleans(std::vector<int64_t> dims, const std::vector<uint8_t>& values) {
  return tf_tensor(TfType::boolean, std::move(dims), values);
}
inline TfTensor tf_strings(std::vector<int64_t> dims, const std::vector<std::string>& values) {
  Wire w;
  for (const std::string& v : values) w.text(8, v);
  return {TfType::string, std::move(dims), {}, w.bytes};
}
inline TfAttribute tf_tensor_value(std::string name, const TfTensor& t) {
  return {std::move(name), Wire().text(8, t.bytes()).bytes};
}

inline std::string tf_node(std::string_view op, std::string_view name, const std::vector<std::string>& inputs,
                           const std::vector<TfAttribute>& attributes) {
  Wire w;
  w.text(1, name).text(2, op);
  for (const std::string& i : inputs) w.text(3, i);
  for (const TfAttribute& a : attributes) w.entry(5, a.name, a.value);
  return w.bytes;
}

// A FunctionDef: its nodes read "argument" and "node:output:0".
struct TfFunction {
  std::string name;
  struct Argument {
    std::string name;
    TfType type;
  };
  std::vector<Argument> arguments, results;
  std::vector<std::string> returns;  // for each result: "node:output:0"
  Wire nodes;

  TfFunction& node(std::string_view op, std::string_view node_name, const std::vector<std::string>& inputs,
                   const std::vector<TfAttribute>& attributes = {}) {
    nodes.text(3, tf_node(op, node_name, inputs, attributes));
    return *this;
  }
  std::string bytes() const {
    Wire signature;
    signature.text(1, name);
    const auto argument = [](const Argument& a) {
      return Wire().text(1, a.name).integer(3, static_cast<int64_t>(a.type));
    };
    for (const Argument& a : arguments) signature.message(2, argument(a));
    for (const Argument& a : results) signature.message(3, argument(a));
    Wire w;
    w.message(1, signature);
    w.bytes += nodes.bytes;
    for (size_t i = 0; i < results.size() && i < returns.size(); ++i) w.entry(4, results[i].name, returns[i]);
    return w.bytes;
  }
};

class GraphDef {
 public:
  GraphDef& node(std::string_view op, std::string_view name, const std::vector<std::string>& inputs = {},
                 const std::vector<TfAttribute>& attributes = {}) {
    nodes_.text(1, tf_node(op, name, inputs, attributes));
    return *this;
  }
  GraphDef& placeholder(std::string_view name, TfType type, const std::vector<int64_t>& dims) {
    return node("Placeholder", name, {}, {tf_type("dtype", type), tf_shape("shape", dims)});
  }
  GraphDef& constant(std::string_view name, const TfTensor& value) {
    return node("Const", name, {}, {tf_type("dtype", value.type), tf_tensor_value("value", value)});
  }
  GraphDef& function(const TfFunction& f) {
    library_.text(1, f.bytes());
    return *this;
  }
  std::string bytes() const {
    Wire w;
    if (!library_.bytes.empty()) w.message(2, library_);
    return nodes_.bytes + w.bytes;
  }

 private:
  Wire nodes_, library_;
};

}  // namespace mo::test
