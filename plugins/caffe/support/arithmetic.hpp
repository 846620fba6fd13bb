// Arithmetic with numbers of f32, which all blobs are.
#pragma once

#include <mo/build.hpp>

namespace mo::caffe {

inline OutPort number(const Build& b, double value) {
  return b.constant(Tensor::scalar<float>(b.context(), static_cast<float>(value)));
}
inline OutPort numbers(const Build& b, const std::vector<float>& values, const Ints& dims) {
  return b.constant(Tensor::of<float>(b.context(), values, dims));
}
inline OutPort add(const Build& b, const OutPort& x, const OutPort& y) {
  return b.op("Add", "opset1", {x, y});
}
inline OutPort multiply(const Build& b, const OutPort& x, const OutPort& y) {
  return b.op("Multiply", "opset1", {x, y});
}
// x * factor + shift, leaving out what changes nothing.
inline OutPort linear(const Build& b, const OutPort& x, double factor, double shift) {
  const OutPort product = factor == 1 ? x : multiply(b, x, number(b, factor));
  return shift == 0 ? product : add(b, product, number(b, shift));
}
// 0 keeps a dimension, -1 follows from the others.
inline OutPort reshaped(const Build& b, const OutPort& x, const Ints& dims) {
  return b.reshape(x, b.list(dims), true);
}

}  // namespace mo::caffe
