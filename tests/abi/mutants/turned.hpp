// Height and width change places.
#pragma once

#include "mutants.hpp"

namespace mutants {

template <bool wrong>
struct Turned : Plain {
  static void infer(mo::InferContext& c) {
    require_numbers(c);
    mo::Shape y = c.shape(0);
    c.require(!y.has_rank() || y.size() == 4, "the input has shape ", y, "; expected four dimensions");
    if (y.has_rank() && !wrong) std::swap(y[2], y[3]);
    c.output(0, c.type(0), y);
  }
  static void evaluate(mo::EvalContext& c) {
    const mo::Tensor x = c.input(0);
    std::vector<int64_t> dims = x.dims();
    std::swap(dims[2], dims[3]);
    auto [y, data] = mo::Tensor::create_bytes(c.context(), x.type(), dims);
    const auto height = static_cast<size_t>(x.dim(2)), width = static_cast<size_t>(x.dim(3));
    for (size_t i = 0, n = x.size(); i < n; ++i) {
      const size_t h = i % height, w = i / height % width, plane = i / height / width;
      mo::store_number(data, x.type(), i, x.number((plane * height + h) * width + w));
    }
    c.output(0, y);
  }
};

}  // namespace mutants
