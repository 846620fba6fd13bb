// ScaledShift: y = x * scale + shift, where shift has one element per position along `axis` of x.
#include "acme_layers.hpp"

namespace acme {

struct ScaledShift {
  static constexpr std::string_view type = "ScaledShift", opset = acme::opset;

  // Ports and attributes. The host checks nodes against it and writes the attributes to the IR.
  static void schema(mo::OpSchema& s) {
    s.doc("x * scale + shift, with one element of shift per position along axis");
    s.inputs(2).outputs(1);
    s.attr<double>("scale");
    s.attr<int64_t>("axis", 1);
  }

  // Says what is certain, for shapes that are known in full, in part, or not at all; refuses what cannot be.
  static void infer(mo::InferContext& c) {
    const mo::Shape shift = c.shape(1);
    c.require(!shift.has_rank() || shift.size() == 1, "shift has shape ", shift, "; expected one dimension");
    mo::Shape y = c.shape(0);
    if (y.has_rank()) {
      const size_t axis = mo::normalize_axis(c.attr<int64_t>("axis"), y.size());
      if (shift.has_rank()) {
        // Each of the two may know more about this dimension than the other.
        const auto both = mo::intersect(y[axis], shift[0]);
        c.require(both.has_value(), "x has shape ", y, " and shift ", shift, "; dimension ", axis,
                  " of x must be as long as shift");
        y[axis] = *both;
      }
    }
    c.output(0, c.type(0), y);
  }

  // Optional. With it the host folds constants and `mo-host run` executes the operation.
  static void evaluate(mo::EvalContext& c) {
    const mo::Tensor x = c.input(0), shift = c.input(1);
    const auto scale = c.attr<double>("scale");
    const size_t axis = mo::normalize_axis(c.attr<int64_t>("axis"), x.rank());
    size_t inner = 1;
    for (size_t d = axis + 1; d < x.rank(); ++d) inner *= static_cast<size_t>(x.dim(d));

    // number() and store_number() take elements of any numeric type.
    auto [y, data] = mo::Tensor::create_bytes(c.context(), x.type(), x.dims());
    for (size_t i = 0, n = x.size(); i < n; ++i)
      mo::store_number(data, x.type(), i, x.number(i) * scale + shift.number(i / inner % shift.size()));
    c.output(0, y);
  }
};

void register_scaled_shift(mo::Registry& registry) { registry.operation<ScaledShift>(); }

}  // namespace acme
