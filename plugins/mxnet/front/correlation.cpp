// Correlation: how alike windows of two pictures are, at each of many displacements of the second one.
#include <mo/slices.hpp>
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace correlation {

struct Form {
  int64_t kernel, most, step, spacing, pad;
  bool multiplies;
  explicit Form(const SourceNode& n)
      : kernel(n.native("kernel_size", 1)),
        most(n.native("max_displacement", 1)),
        step(n.native("stride1", 1)),
        spacing(n.native("stride2", 1)),
        pad(n.native("pad_size", 0)),
        multiplies(n.native("is_multiply", true)) {
    require(kernel > 0 && kernel % 2 == 1 && most >= 0 && step > 0 && spacing > 0 && pad >= 0,
            "attributes 'kernel_size', 'max_displacement', 'stride1', 'stride2' and 'pad_size' are ", kernel,
            ", ", most, ", ", step, ", ", spacing, " and ", pad, "; expected an odd kernel");
    require(most / spacing <= 32, "it has ", 2 * (most / spacing) + 1,
            " displacements in each direction; up to 65 are written out");
  }
  // Where windows of the first picture begin, and up to where.
  int64_t begin() const { return most; }
  int64_t end(int64_t size) const { return size + 2 * pad - most; }
};

static OutPort padded(const Build& b, const OutPort& x, int64_t pad) {
  if (pad == 0) return x;
  const OutPort pads = b.list({0, 0, pad, pad});
  const Node p = b.node("Pad", "opset1", {x, pads, pads, b.like(x, 0)});
  p.set("pad_mode", "constant");
  return p.out_port();
}

// One displacement: the mean over channels and window.
static OutPort plane(const Build& b, const Form& f, const OutPort& x, const OutPort& y) {
  OutPort z = f.multiplies ? multiply(b, x, y) : b.op("Abs", "opset1", {subtract(b, x, y)});
  z = b.reduce("ReduceMean", z, b.list({1}), true);
  if (f.kernel == 1 && f.step == 1) return z;
  const Node p = b.node("AvgPool", "opset1", {z});
  p.set("kernel", Ints{f.kernel, f.kernel}).set("strides", Ints{f.step, f.step});
  p.set("pads_begin", Ints{0, 0}).set("pads_end", Ints{0, 0}).set("exclude-pad", true);
  p.set("rounding_type", "floor");
  return p.out_port();
}

static Ports correlate(Build& b, const SourceNode& n) {
  const Form f(n);
  const int64_t height = dim_of(b, b.in(0), 2), width = dim_of(b, b.in(0), 3);
  require(f.end(height) - f.begin() >= f.kernel && f.end(width) - f.begin() >= f.kernel,
          "its displacements reach beyond pictures of ", height, " x ", width);
  const OutPort x = padded(b, b.in(0), f.pad), y = padded(b, b.in(1), f.pad);
  const auto part = [&](const OutPort& of, int64_t down, int64_t right) {
    return slice(
        b, of, {{}, {}, {f.begin() + down, f.end(height) + down}, {f.begin() + right, f.end(width) + right}});
  };
  const OutPort first = part(x, 0, 0);
  const int64_t radius = f.most / f.spacing;
  Ports planes;
  for (int64_t i = -radius; i <= radius; ++i)
    for (int64_t k = -radius; k <= radius; ++k)
      planes.push_back(plane(b, f, first, part(y, i * f.spacing, k * f.spacing)));
  return {b.concat(planes, 1)};
}

}  // namespace correlation

void register_correlation(Registry& r) {
  convert<correlation::correlate>(
      r, "Correlation", "Correlation(x, y)",
      "Concat of ReduceMean(Multiply(x, y displaced)), averages of their windows");
}

}  // namespace mo::mxnet
