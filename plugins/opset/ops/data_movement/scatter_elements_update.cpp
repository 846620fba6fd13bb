// ScatterElementsUpdate: elements along an axis are replaced; opset12 can combine them with what is there.
#include "support/limits.hpp"
#include "support/scattering.hpp"
#include "support/wrapping.hpp"

namespace mo::opset {

namespace scattering {

static void check(const Shape& data, const Shape& indices, const Shape& updates) {
  const auto places = merge(indices, updates);
  if (!places) fail("indices have shape ", indices, " but updates ", updates, "; expected the same");
  if (data.has_rank()) require_rank(*places, "indices", data.rank());
}

// element(place in the data, place in the updates), in the order of the updates.
template <class Element>
void for_places(const Dims& data, const Dims& shape, const Dims& indices, size_t axis, Element element) {
  const Dims strides = dense_strides(data), own = dense_strides(shape);
  for (size_t i = 0; i < indices.size(); ++i) {
    int64_t at = 0, left = static_cast<int64_t>(i);
    for (size_t d = 0; d < shape.size(); ++d) {
      const int64_t p = left / own[d];
      left %= own[d];
      require(d == axis || p < data[d], "indices of shape ", Shape(shape), " do not fit data of shape ",
              Shape(data));
      at += (d == axis ? place_in(indices[i], data[d]) : p) * strides[d];
    }
    element(static_cast<size_t>(at), i);
  }
}

template <class E>
void combine(const std::string& how, bool keep, const Tensor& data, const Tensor& indices,
             const Tensor& updates, size_t axis, void* to) {
  using T = typename E::computed;
  const Dims places = indices.to_ints();
  const auto each = [&](auto f) { for_places(data.dims(), indices.dims(), places, axis, f); };
  if (!keep) {
    const T start = how == "prod"  ? T{1}
                    : how == "max" ? std::numeric_limits<T>::lowest()
                    : how == "min" ? std::numeric_limits<T>::max()
                                   : T{0};
    each([&](size_t at, size_t) { E::put(to, at, start); });
  }
  std::vector<uint32_t> counts(how == "mean" ? data.size() : 0, keep ? 1 : 0);
  each([&](size_t at, size_t i) {
    const T a = E::get(to, at), b = E::get(updates.data(), i);
    if (how == "mean") ++counts[at];
    E::put(to, at,
           how == "prod"  ? wrapping::multiply(a, b)
           : how == "max" ? std::max(a, b)
           : how == "min" ? std::min(a, b)
                          : wrapping::add(a, b));
  });
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 1) E::put(to, i, wrapping::floor_quotient(E::get(to, i), static_cast<T>(counts[i])));
}

}  // namespace scattering

struct ScatterElementsUpdate3 {
  static constexpr std::string_view type = "ScatterElementsUpdate", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("data, indices, updates, axis")
        .input("data", Role::data)
        .input("indices", Role::data, integer_types)
        .input("updates", Role::data)
        .input("axis", Role::axes)
        .keeps_shape()
        .outputs(1);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"constant indices count from the start", "2025.4",
                      "ngraph/core/reference/include/ngraph/runtime/reference/scatter_elements_update.hpp:44",
                      from_start<1>}});
  }
  static void infer(InferContext& c) {
    const Shape data = c.shape(0), indices = c.shape(1);
    scattering::check(data, indices, c.shape(2));
    const auto axis = scalar_input(c, 3, "axis");
    if (!data.has_rank() || !axis) return c.output(0, common_type(c, {0, 2}), data);
    const size_t a = normalize_axis(*axis, data.size());
    const auto places = replaces(c) ? c.ints(1) : std::nullopt;
    output_scattered(c, places && data.is_static() && indices.is_static(),
                     [&](void* to, const void* from, size_t width) {
                       replace(data.to_static(), indices.to_static(), *places, a, to, from, width);
                     });
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0), indices = c.input(1), updates = c.input(2), axis_value = c.input(3);
    require(axis_value.size() == 1 && updates.type() == data.type(), "axis has shape ", axis_value.shape(),
            " and updates are ", name(updates.type()));
    scattering::check(data.shape(), indices.shape(), updates.shape());
    const size_t axis = normalize_axis(axis_value.integer(0), data.rank());
    const auto out = copied(c, in_bytes(c, data));
    if (replaces(c)) {
      replace(data.dims(), indices.dims(), indices.to_ints(), axis, out.second, in_bytes(c, updates).data(),
              width_of(data.type()));
    } else {
      const auto how = c.attr<std::string>("reduction");
      for_number(data.type(), [&](auto e) {
        scattering::combine<decltype(e)>(how, c.attr<bool>("use_init_val"), data, indices, updates, axis,
                                         out.second);
      });
    }
    c.output(0, of_type(c, out.first, data.type()));
  }

 private:
  static bool replaces(const OpContext& c) { return c.attr<std::string>("reduction", "none") == "none"; }
  static void replace(const Dims& data, const Dims& shape, const Dims& indices, size_t axis, void* to,
                      const void* from, size_t width) {
    scattering::for_places(data, shape, indices, axis, [&](size_t at, size_t i) {
      std::memcpy(static_cast<char*>(to) + at * width, static_cast<const char*>(from) + i * width, width);
    });
  }
};

struct ScatterElementsUpdate12 : ScatterElementsUpdate3 {
  static constexpr std::string_view opset = "opset12";
  static void ir_attrs(const Node&, IrAttributes&) {}  // it counts from either end
  static void schema(OpSchema& s) {
    ScatterElementsUpdate3::schema(s);
    s.attr<std::string>("reduction", "none").one_of({"none", "sum", "prod", "min", "max", "mean"});
    s.attr<bool>("use_init_val", true);
  }
};

void register_scatter_elements_update(Registry& r) {
  r.operation<ScatterElementsUpdate3>();
  r.operation<ScatterElementsUpdate12>();
}

}  // namespace mo::opset
