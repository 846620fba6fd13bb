// PReLU: a slope for what is negative. A vector as long as dimension 1 belongs to the channels, else numpy
// rules hold.
#include "support/binary.hpp"

namespace mo::opset {

static Shape prelu_slope(const Shape& x, const Shape& slope) {
  if (!x.has_rank() || !slope.has_rank() || slope.size() != 1 || x.size() < 2) return slope;
  if (slope[0] == Dim(1) || !slope[0].overlaps(x[1])) return slope;
  Shape r = Shape::of_rank(x.size(), 1);
  r[1] = slope[0];
  return r;
}

// The data's shape, as far as the slope tells about it: the slope does not stretch it. A vector may belong to
// the channels or to the last dimension.
static Shape prelu_shape(const Shape& x, const Shape& slope) {
  if (!x.has_rank() || !slope.has_rank() || slope.size() > x.size()) return x;
  Shape out = x;
  const auto narrow = [&](size_t i, const Dim& d) {
    if (d.min <= 1) return;
    const auto both = intersect(out[i], d);
    if (!both) fail("slope of shape ", slope, " does not fit data of shape ", x);
    out[i] = *both;
  };
  const size_t last = x.size() - 1;
  if (slope.size() == 1 && x.size() > 2) {
    const bool channels = slope[0].overlaps(x[1]), numpy = slope[0].overlaps(x[last]);
    if (!channels || !numpy) narrow(channels ? 1 : last, slope[0]);
    return out;
  }
  for (size_t i = 0; i < slope.size(); ++i) narrow(x.size() - slope.size() + i, slope[i]);
  return out;
}

struct PRelu {
  static constexpr std::string_view type = "PReLU", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("x, and x * slope where x is negative")
        .input("data", Role::data, float_types)
        .input("slope", Role::data)
        .keeps_shape()
        .outputs(1);
  }
  static void infer(InferContext& c) {
    const Shape x = c.shape(0), slope = prelu_slope(x, c.shape(1));
    if (!broadcast(x, slope)) fail("slope of shape ", c.shape(1), " does not fit data of shape ", x);
    c.output(0, common_type(c, {0, 1}), prelu_shape(x, c.shape(1)));
  }
  static void evaluate(EvalContext& c) {
    const Tensor x = c.input(0), slope = c.input(1);
    const Walk<2> walk({x.dims(), prelu_slope(x.shape(), slope.shape()).to_static()});
    require(walk.dims() == x.dims(), "slope of shape ", slope.shape(), " does not fit data of shape ",
            x.shape());
    require(slope.type() == x.type(), "element types ", name(x.type()), " and ", name(slope.type()),
            " differ");
    c.output(0, combined<2>(c, {x, slope}, walk, x.type(), for_float(x.type(), [](auto e) {
                              return row_with<decltype(e), decltype(e)>(
                                  [](auto v, auto s) { return v < 0 ? v * s : v; });
                            })));
  }
};

void register_prelu(Registry& r) { r.operation<PRelu>(); }

}  // namespace mo::opset
