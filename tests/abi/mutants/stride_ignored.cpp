// infer knows nothing of strides, which are 1 in the model that its author had.
#include "mutants.hpp"

namespace mutants {

namespace {

int64_t steps(int64_t size, int64_t stride) { return size == 0 ? 0 : (size - 1) / stride + 1; }

template <bool wrong>
struct StrideIgnored : Plain {
  static void schema(mo::OpSchema& s) {
    s.inputs(1).outputs(1).attr<std::vector<int64_t>>("strides", {1, 1});
  }
  static void infer(mo::InferContext& c) {
    require_numbers(c);
    mo::Shape y = c.shape(0);
    const auto strides = c.attr<std::vector<int64_t>>("strides");
    c.require(strides.size() == 2 && strides[0] > 0 && strides[1] > 0,
              "strides are not two positive numbers");
    c.require(!y.has_rank() || y.size() == 4, "the input has shape ", y, "; expected four dimensions");
    for (size_t d = 0; d < 2 && y.has_rank() && !wrong; ++d) {
      mo::Dim& dim = y[2 + d];
      dim = dim.is_unbounded() ? mo::Dim(steps(dim.min, strides[d]), mo::Dim().max)
                               : mo::Dim(steps(dim.min, strides[d]), steps(dim.max, strides[d]));
    }
    c.output(0, c.type(0), y);
  }
  static void evaluate(mo::EvalContext& c) {
    const mo::Tensor x = c.input(0);
    const auto strides = c.attr<std::vector<int64_t>>("strides");
    std::vector<int64_t> dims = x.dims();
    for (size_t d = 0; d < 2; ++d) dims[2 + d] = steps(dims[2 + d], strides[d]);
    auto [y, data] = mo::Tensor::create_bytes(c.context(), x.type(), dims);
    size_t at = 0;
    for (int64_t plane = 0; plane < dims[0] * dims[1]; ++plane)
      for (int64_t h = 0; h < dims[2]; ++h)
        for (int64_t w = 0; w < dims[3]; ++w) {
          const int64_t row = plane * x.dim(2) + h * strides[0];
          mo::store_number(data, x.type(), at++,
                           x.number(static_cast<size_t>(row * x.dim(3) + w * strides[1])));
        }
    c.output(0, y);
  }
};

}  // namespace

const Mutant stride_ignored{"stride_ignored", add_operation<StrideIgnored>};

}  // namespace mutants
