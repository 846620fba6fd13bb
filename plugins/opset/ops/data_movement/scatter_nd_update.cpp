// ScatterNDUpdate: slices at the coordinates in the last dimension of the indices are replaced.
#include "support/scattering.hpp"

namespace mo::opset {

struct ScatterNdUpdate {
  static constexpr std::string_view type = "ScatterNDUpdate", opset = "opset4";
  static void schema(OpSchema& s) { s.doc("data, indices, updates").inputs(3).outputs(1); }

  static void infer(InferContext& c) {
    require_integer(c, 1);
    const Shape data = c.shape(0), indices = c.shape(1);
    check(data, indices, c.shape(2));
    const auto places = c.ints(1);
    output_scattered(c, places && data.is_static() && indices.is_static(),
                     [&](void* to, const void* from, size_t width) {
                       write(data.to_static(), *places, indices.back().value(), to, from, width);
                     });
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0), indices = c.input(1), updates = c.input(2);
    require(updates.type() == data.type(), "updates are ", name(updates.type()), "; expected ",
            name(data.type()));
    check(data.shape(), indices.shape(), updates.shape());
    const auto out = copied(c, data);
    write(data.dims(), indices.to_ints(), indices.dims().back(), out.second, updates.data(),
          width_of(data.type()));
    c.output(0, out.first);
  }

 private:
  static void check(const Shape& data, const Shape& indices, const Shape& updates) {
    require_rank(indices, "the indices", 1, std::numeric_limits<int64_t>::max());
    if (!data.has_rank() || !indices.has_rank() || !indices.back().is_static()) return;
    const int64_t k = indices.back().value();
    require(k <= data.rank(), "the indices have ", k, " coordinates for data of shape ", data);
    Shape expected = indices;
    expected.resize(expected.size() - 1);
    for (size_t i = static_cast<size_t>(k); i < data.size(); ++i) expected.push_back(data[i]);
    if (!merge(expected, updates)) fail("updates have shape ", updates, "; expected ", expected);
  }
  static void write(const Dims& data, const Dims& indices, int64_t k, void* to, const void* from,
                    size_t width) {
    const Dims strides = dense_strides(data);
    size_t bytes = width, rows = 1;
    for (size_t i = static_cast<size_t>(k); i < data.size(); ++i) bytes *= static_cast<size_t>(data[i]);
    if (k > 0) rows = indices.size() / static_cast<size_t>(k);
    for (size_t row = 0; row < rows && bytes > 0; ++row) {
      int64_t at = 0;
      for (size_t i = 0; i < static_cast<size_t>(k); ++i)
        at += place_in(indices[row * static_cast<size_t>(k) + i], data[i]) * strides[i];
      std::memcpy(static_cast<char*>(to) + static_cast<size_t>(at) * width,
                  static_cast<const char*>(from) + row * bytes, bytes);
    }
  }
};

void register_scatter_nd_update(Registry& r) { r.operation<ScatterNdUpdate>(); }

}  // namespace mo::opset
