// Arithmetic with numbers of f32, which all blobs are.
#pragma once

#include <mo/build.hpp>

namespace mo::caffe {

inline OutPort numbers(const Build& b, const std::vector<float>& values, const Ints& dims) {
  return b.constant(Tensor::of<float>(b.context(), values, dims));
}
// x * factor + shift, leaving out what changes nothing.
inline OutPort linear(const Build& b, const OutPort& x, double factor, double shift) {
  const OutPort product = factor == 1 ? x : b.multiply(x, b.number(factor));
  return shift == 0 ? product : b.add(product, b.number(shift));
}
// 0 keeps a dimension, -1 follows from the others.
inline OutPort reshaped(const Build& b, const OutPort& x, const Ints& dims) {
  return b.reshape(x, b.list(dims), true);
}

}  // namespace mo::caffe
