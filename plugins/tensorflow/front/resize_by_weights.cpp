// Resizing that Interpolate cannot express: products with matrices of weights, [size of the result, size].
#include "support/resize.hpp"
#include "support/windows.hpp"

namespace mo::tensorflow {

namespace weighing {

class Weights {
 public:
  // The axis of the pictures, 1 or 2.
  Weights(const Build& b, const SourceNode& n, int64_t axis) : b_(b), axis_(axis) {
    const OutPort in = b.squeeze(b.dim(b.in(0), axis), {0});
    const OutPort out = b.squeeze(b.part(b.convert(b.in(1), ElementType::i64), axis - 1, axis), {0});
    in_ = b.convert(in, ElementType::f32);
    from_ = b.convert(b.range(b.integer(0), in, 1), ElementType::f32);
    to_ = b.unsqueeze(b.convert(b.range(b.integer(0), out, 1), ElementType::f32), b.list({1}));
    const OutPort size = b.convert(out, ElementType::f32);
    scale_ = op("Divide", in_, size);
    if (n.native("align_corners", false)) {
      const OutPort steps = op("Subtract", size, number(1));
      const OutPort aligned = op("Divide", op("Subtract", in_, number(1)), op("Maximum", steps, number(1)));
      scale_ = b.select(op("Greater", steps, number(0)), aligned, scale_);
    }
  }

  // How much of each element is in the place of an element of the result; what is beyond the last one counts
  // as more of it.
  OutPort area() const {
    const OutPort begin = op("Multiply", to_, scale_);
    const OutPort end = op("Multiply", op("Add", to_, number(1)), scale_);
    const OutPort is_last = op("Equal", from_, op("Subtract", in_, number(1)));
    const OutPort border = b_.select(is_last, number(3e38), op("Add", from_, number(1)));
    const OutPort overlap = op("Subtract", op("Minimum", end, border), op("Maximum", begin, from_));
    return op("Divide", op("Maximum", overlap, number(0)), scale_);
  }

  // Cubic convolution around the centres of elements; what lies outside does not count. TensorFlow looks
  // weights up in a table of 1024 entries.
  OutPort cubic() const {
    const OutPort half = number(0.5);
    const OutPort centre = op("Subtract", op("Multiply", op("Add", to_, half), scale_), half);
    const OutPort base = b_.op("Floor", "opset1", {centre});
    const Node entry =
        b_.node("Round", "opset5", {op("Multiply", op("Subtract", centre, base), number(1024))});
    entry.set("mode", "half_to_even");
    const OutPort place = op("Add", base, op("Divide", entry.out_port(), number(1024)));
    const OutPort d = b_.op("Abs", "opset1", {op("Subtract", from_, place)});
    const OutPort near = polynomial(d, 1.5, -2.5, 0, 1), far = polynomial(d, -0.5, 2.5, -4, 2);
    const OutPort beyond = b_.select(op("Less", d, number(2)), far, number(0));
    const OutPort weight = b_.select(op("LessEqual", d, number(1)), near, beyond);
    return op("Divide", weight, b_.reduce("ReduceSum", weight, b_.list({1}), true));
  }

  // ScaleAndTranslate: the kernel stands over the place that an element of the result comes from, as wide as the
  // result is smaller. What lies outside of the picture does not count.
  OutPort moved(const std::string& kernel, bool antialias) const {
    const auto given = [&](size_t i) {
      return b_.squeeze(b_.part(b_.convert(b_.in(i), ElementType::f32), axis_ - 1, axis_), {0});
    };
    const OutPort step = op("Divide", number(1), given(2));
    const OutPort place = op("Multiply", op("Subtract", op("Add", to_, number(0.5)), given(3)), step);
    OutPort d = b_.op("Abs", "opset1", {op("Subtract", op("Add", from_, number(0.5)), place)});
    if (antialias) d = op("Divide", d, op("Maximum", step, number(1)));
    const OutPort weight = kernel_at(kernel, d), sum = b_.reduce("ReduceSum", weight, b_.list({1}), true);
    const OutPort nothing = op("Less", b_.op("Abs", "opset1", {sum}), number(1.2e-35));
    const OutPort shares = op("Divide", weight, b_.select(nothing, number(1), sum));
    const OutPort outside =
        b_.op("LogicalOr", "opset1", {op("Less", place, number(0)), op("Greater", place, in_)});
    return b_.select(outside, number(0), shares);
  }

 private:
  OutPort kernel_at(const std::string& kernel, const OutPort& d) const {
    if (kernel == "box") {
      const OutPort border = b_.select(op("Equal", d, number(0.5)), number(0.5), number(0));
      return b_.select(op("Less", d, number(0.5)), number(1), border);
    }
    if (kernel == "triangle") return op("Maximum", op("Subtract", number(1), d), number(0));
    if (kernel == "gaussian") {
      const OutPort curve = b_.op("Exp", "opset1", {op("Multiply", op("Multiply", d, d), number(-2))});
      return b_.select(op("Less", d, number(1.5)), curve, number(0));
    }
    if (kernel == "keyscubic" || kernel == "mitchellcubic") {
      const bool keys = kernel == "keyscubic";
      const OutPort near = keys ? polynomial(d, 1.5, -2.5, 0, 1) : polynomial(d, 7.0 / 6, -2, 0, 8.0 / 9);
      const OutPort far =
          keys ? polynomial(d, -0.5, 2.5, -4, 2) : polynomial(d, -7.0 / 18, 2, -10.0 / 3, 16.0 / 9);
      const OutPort beyond = b_.select(op("Less", d, number(2)), far, number(0));
      return b_.select(op("Less", d, number(1)), near, beyond);
    }
    const bool lanczos = kernel.size() == 8 && kernel.substr(0, 7) == "lanczos";
    const double radius = lanczos ? kernel.back() - '0' : 0;
    require(radius == 1 || radius == 3 || radius == 5, "attribute 'kernel_type' is '", kernel,
            "', expected lanczos1, lanczos3, lanczos5, gaussian, box, triangle, keyscubic or mitchellcubic");
    constexpr double pi = 3.14159265358979323846;
    const auto sine = [&](double factor) {
      return b_.op("Sin", "opset1", {op("Multiply", d, number(factor))});
    };
    const OutPort centre = op("LessEqual", d, number(1e-3));
    const OutPort divisor =
        b_.select(centre, number(1), op("Multiply", op("Multiply", d, d), number(pi * pi)));
    const OutPort waves = op("Multiply", op("Multiply", sine(pi), sine(pi / radius)), number(radius));
    const OutPort wave = b_.select(centre, number(1), op("Divide", waves, divisor));
    return b_.select(op("Greater", d, number(radius)), number(0), wave);
  }

  OutPort op(std::string_view type, const OutPort& l, const OutPort& r) const {
    return b_.op(type, "opset1", {l, r});
  }
  OutPort number(double v) const {
    return b_.constant(Tensor::filled(b_.context(), ElementType::f32, {v}, {}));
  }
  // By Horner's rule, highest power first.
  OutPort polynomial(const OutPort& d, double c3, double c2, double c1, double c0) const {
    OutPort y = op("Add", op("Multiply", d, number(c3)), number(c2));
    y = op("Add", op("Multiply", y, d), number(c1));
    return op("Add", op("Multiply", y, d), number(c0));
  }

  const Build& b_;
  int64_t axis_;
  OutPort in_, from_, to_, scale_;
};

static OutPort product(const Build& b, const OutPort& l, const OutPort& r, bool transpose_r) {
  return b.matmul(l, r, false, transpose_r);
}

static OutPort weighed(const Build& b, const OutPort& rows, const OutPort& columns) {
  const Layout l;
  const OutPort x = to_channels_first(b, l, b.convert(b.in(0), ElementType::f32));
  return from_channels_first(b, l, product(b, product(b, rows, x, false), columns, true));
}

}  // namespace weighing

OutPort resize_cubic_by_weights(const Build& b, const SourceNode& n) {
  return weighing::weighed(b, weighing::Weights(b, n, 1).cubic(), weighing::Weights(b, n, 2).cubic());
}

static Ports resize_area(Build& b, const SourceNode& n) {
  return {weighing::weighed(b, weighing::Weights(b, n, 1).area(), weighing::Weights(b, n, 2).area())};
}

static Ports scale_and_translate(Build& b, const SourceNode& n) {
  const auto kernel = n.native<std::string>("kernel_type", "lanczos3");
  const bool antialias = n.native("antialias", true);
  return {weighing::weighed(b, weighing::Weights(b, n, 1).moved(kernel, antialias),
                            weighing::Weights(b, n, 2).moved(kernel, antialias))};
}

void register_resize_by_weights(Registry& r) {
  replace<scale_and_translate>(r, {"ScaleAndTranslate", "ScaleAndTranslate(x, size, scale, translation)",
                                   "MatMul(MatMul(rows, x), columns) between Transposes"});
  replace<resize_area>(
      r, {"ResizeArea", "ResizeArea(x, size)", "MatMul(MatMul(rows, x), columns) between Transposes"});
}

}  // namespace mo::tensorflow
