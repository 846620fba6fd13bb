#include "support/repetition.hpp"

namespace mo::builtin_passes {

std::vector<int64_t> repeated_axes(const std::vector<int64_t>& factors) {
  std::vector<int64_t> axes;
  for (size_t d = 0; d < factors.size(); ++d)
    if (factors[d] != 1) axes.push_back(static_cast<int64_t>(d));
  return axes;
}

Node repeat_elements(const Graph& g, const std::string& name, const OutPort& x,
                     const std::vector<int64_t>& factors) {
  const Shape s = x.shape();
  const std::vector<int64_t> axes = repeated_axes(factors);
  std::vector<int64_t> sizes;
  std::vector<float> scales;
  for (const int64_t a : axes) {
    const auto d = static_cast<size_t>(a);
    // Scales decide; of an open dimension there is no size.
    sizes.push_back(s[d].is_static() ? s[d].value() * factors[d] : factors[d]);
    scales.push_back(static_cast<float>(factors[d]));
  }
  const Node made =
      g.create_node("Interpolate", "opset4", name,
                    {x, g.create_ints(name + "/sizes", sizes),
                     g.create_const(name + "/scales", Tensor::vector<float>(g.context(), scales)),
                     g.create_ints(name + "/axes", axes)});
  made.set("mode", "nearest").set("shape_calculation_mode", "scales");
  made.set("coordinate_transformation_mode", "asymmetric").set("nearest_mode", "floor");
  return made;
}

}  // namespace mo::builtin_passes
