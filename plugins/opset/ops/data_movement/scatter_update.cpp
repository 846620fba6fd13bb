// ScatterUpdate: slices of the data along an axis are replaced.
#include "support/limits.hpp"
#include "support/scattering.hpp"

namespace mo::opset {

struct ScatterUpdate {
  static constexpr std::string_view type = "ScatterUpdate", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("data, indices, updates, axis")
        .input("data", Role::fixed)
        .input("indices", Role::fixed, integer_types)
        .input("updates", Role::fixed)
        .input("axis", Role::any)
        .keeps_shape()
        .outputs(1);
  }

  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(
        n, {{"constant indices count from the start", "2023.3",
             "ngraph/core/reference/include/ngraph/runtime/reference/scatter_update.hpp", from_start<1>}});
  }
  static void infer(InferContext& c) {
    const Shape data = c.shape(0), indices = c.shape(1), updates = c.shape(2);
    const auto axis_value = scalar_input(c, 3, "axis");
    if (data.has_rank() && indices.has_rank())
      require_rank(updates, "updates", data.rank() + indices.rank() - 1);
    if (!data.has_rank() || !indices.has_rank() || !updates.has_rank() || !axis_value)
      return c.output(0, common_type(c, {0, 2}), data);
    const size_t axis = normalize_axis(*axis_value, data.size());
    check(data, indices, updates, axis);
    const auto places = c.ints(1);
    output_scattered(c, places.has_value(), [&](void* to, const void* from, size_t width) {
      write(data.to_static(), *places, axis, to, from, width);
    });
  }
  static void evaluate(EvalContext& c) {
    const Tensor data = c.input(0), indices = c.input(1), updates = c.input(2), axis_value = c.input(3);
    require(axis_value.size() == 1 && updates.type() == data.type(), "axis has shape ", axis_value.shape(),
            " and updates are ", name(updates.type()));
    const size_t axis = normalize_axis(axis_value.integer(0), data.rank());
    require_rank(updates.shape(), "updates", static_cast<int64_t>(data.rank() + indices.rank()) - 1);
    check(data.shape(), indices.shape(), updates.shape(), axis);
    const auto out = copied(c, in_bytes(c, data));
    write(data.dims(), indices.to_ints(), axis, out.second, in_bytes(c, updates).data(),
          width_of(data.type()));
    c.output(0, of_type(c, out.first, data.type()));
  }

 private:
  static void check(const Shape& data, const Shape& indices, const Shape& updates, size_t axis) {
    for (size_t i = 0; i < updates.size(); ++i) {
      const Dim& expected = i < axis                    ? data[i]
                            : i < axis + indices.size() ? indices[i - axis]
                                                        : data[i + 1 - indices.size()];
      same_dim(updates[i], expected, text("dimension ", i, " of the updates"));
    }
  }
  static void write(const Dims& data, const Dims& indices, size_t axis, void* to, const void* from,
                    size_t width) {
    size_t outer = 1, inner = width;
    for (size_t i = 0; i < axis; ++i) outer *= static_cast<size_t>(data[i]);
    for (size_t i = axis + 1; i < data.size(); ++i) inner *= static_cast<size_t>(data[i]);
    if (inner == 0) return;
    for (size_t o = 0; o < outer; ++o)
      for (size_t k = 0; k < indices.size(); ++k) {
        const auto at =
            o * static_cast<size_t>(data[axis]) + static_cast<size_t>(place_in(indices[k], data[axis]));
        std::memcpy(static_cast<char*>(to) + at * inner,
                    static_cast<const char*>(from) + (o * indices.size() + k) * inner, inner);
      }
  }
};

void register_scatter_update(Registry& r) { r.operation<ScatterUpdate>(); }

}  // namespace mo::opset
