// What the examples share.
#pragma once

#include <mo/sdk.hpp>

namespace seeds {

// Operations of the examples' own. "opset1" and its like belong to OpenVINO.
inline constexpr std::string_view opset = "com.example.seeds";

// A scalar of the element type of `x`; of f32 while that is not known.
inline mo::Node like(const mo::OutPort& x, double value, std::string_view name) {
  const mo::ElementType type = x.type() == mo::ElementType::unknown ? mo::ElementType::f32 : x.type();
  return x.node().graph().create_const(name, mo::Tensor::filled(x.context(), type, {value}, {}));
}

// Of an operation that an extractor has translated; of another one what its framework says.
template <class T>
T attribute(const mo::Node& node, std::string_view name, const T& fallback) {
  if (auto extracted = node.find_attr<T>(name)) return *std::move(extracted);
  return mo::SourceNode(node).native<T>(name, fallback);
}

#define SEEDS_EXAMPLE(NAME) void register_##NAME(mo::Registry&);
#include "examples.inc"
#undef SEEDS_EXAMPLE

}  // namespace seeds
