// ScatterNDUpdate: slices at the coordinates in the last dimension of the indices are replaced; opset15 can
// combine them with what is there, in the order of the indices.
#include "support/limits.hpp"
#include "support/scattering.hpp"
#include "support/wrapping.hpp"

namespace mo::opset {

namespace scattering_nd {

static void check(const Shape& data, const Shape& indices, const Shape& updates) {
  require_rank(data, "the data", 1, std::numeric_limits<int64_t>::max());
  require_rank(indices, "the indices", 1, std::numeric_limits<int64_t>::max());
  if (!data.has_rank() || !indices.has_rank()) return;
  require(indices.back().min <= data.rank(), "the indices have ", indices.back(),
          " coordinates for data of shape ", data);
  if (!indices.back().is_static()) return;
  Shape expected = indices;
  expected.resize(expected.size() - 1);
  for (size_t i = static_cast<size_t>(indices.back().value()); i < data.size(); ++i)
    expected.push_back(data[i]);
  // One update may have any rank.
  if (expected.empty() && updates.has_rank() && updates.elements().contains(1)) return;
  if (!merge(expected, updates)) fail("updates have shape ", updates, "; expected ", expected);
}

// slice(first element in the data, first element in the updates, number of elements)
template <class Slice>
void for_slices(const Dims& data, const Dims& indices, const Dims& shape, Slice slice) {
  const Dims strides = dense_strides(data);
  const auto k = static_cast<size_t>(shape.back());
  size_t count = 1, rows = 1;
  for (size_t i = k; i < data.size(); ++i) count *= static_cast<size_t>(data[i]);
  for (size_t i = 0; i + 1 < shape.size(); ++i) rows *= static_cast<size_t>(shape[i]);
  for (size_t row = 0; row < rows && count > 0; ++row) {
    int64_t at = 0;
    for (size_t i = 0; i < k; ++i) at += place_in(indices[row * k + i], data[i]) * strides[i];
    slice(static_cast<size_t>(at), row * count, count);
  }
}
static void replace(const Dims& data, const Dims& indices, const Dims& shape, void* to, const void* from,
                    size_t width) {
  for_slices(data, indices, shape, [&](size_t at, size_t first, size_t n) {
    if (n == 0) return;
    std::memcpy(static_cast<char*>(to) + at * width, static_cast<const char*>(from) + first * width,
                n * width);
  });
}

// Of booleans sum, sub and prod are or, exclusive or and and.
template <class T>
T combined(const std::string& how, T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return how == "sum" || how == "max" ? a || b : how == "sub" ? a != b : a && b;
  else
    return how == "sum"    ? wrapping::add(a, b)
           : how == "sub"  ? wrapping::subtract(a, b)
           : how == "prod" ? wrapping::multiply(a, b)
           : how == "max"  ? std::max(a, b)
                           : std::min(a, b);
}

template <int Version>
struct ScatterNdUpdate {
  static void schema(OpSchema& s) {
    s.doc("data, indices, updates")
        .input("data", Role::fixed)
        .input("indices", Role::fixed, integer_types)
        .input("updates", Role::fixed)
        .keeps_shape()
        .outputs(1);
    if constexpr (Version == 15)
      s.attr<std::string>("reduction", "none").one_of({"none", "sum", "sub", "prod", "min", "max"});
  }
  static std::string reduction(const OpContext& c) {
    if constexpr (Version == 15) return c.attr<std::string>("reduction");
    return "none";
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"indices are i32 or i64", "", "src/core/src/op/util/scatter_nd_base.cpp of 2025",
                      are_i32_or_i64<1>}});
    if constexpr (Version == 3)
      check_limits(n, {{"constant indices count from the start", "2022.3",
                        "ngraph/core/reference/include/ngraph/runtime/reference/scatter_nd_update.hpp:43",
                        from_start<1>}});
  }
  static void infer(InferContext& c) {
    const Shape data = c.shape(0), indices = c.shape(1);
    check(data, indices, c.shape(2));
    const auto places = c.ints(1);
    const bool exact = places && data.is_static() && indices.is_static() && reduction(c) == "none";
    output_scattered(c, exact, [&](void* to, const void* from, size_t width) {
      replace(data.to_static(), *places, indices.to_static(), to, from, width);
    });
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0), indices = c.input(1), updates = c.input(2);
    require(updates.type() == data.type(), "updates are ", name(updates.type()), "; expected ",
            name(data.type()));
    check(data.shape(), indices.shape(), updates.shape());
    const std::string how = reduction(c);
    const auto out = copied(c, in_bytes(c, data));
    if (how == "none")
      replace(data.dims(), indices.to_ints(), indices.dims(), out.second, in_bytes(c, updates).data(),
              width_of(data.type()));
    else
      for_element(data.type(), [&](auto e) {
        using E = decltype(e);
        for_slices(data.dims(), indices.to_ints(), indices.dims(), [&](size_t at, size_t first, size_t n) {
          for (size_t i = 0; i < n; ++i)
            E::put(out.second, at + i,
                   combined(how, E::get(out.second, at + i), E::get(updates.data(), first + i)));
        });
      });
    c.output(0, of_type(c, out.first, data.type()));
  }
};

}  // namespace scattering_nd

void register_scatter_nd_update(Registry& r) {
  r.operation<scattering_nd::ScatterNdUpdate<3>>("ScatterNDUpdate", "opset4");
  r.operation<scattering_nd::ScatterNdUpdate<15>>("ScatterNDUpdate", "opset15");
}

}  // namespace mo::opset
