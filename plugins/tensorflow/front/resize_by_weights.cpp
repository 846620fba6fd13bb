// Resizing that Interpolate cannot express: products with matrices of weights, [size of the result, size].
#include "support/resize.hpp"
#include "support/windows.hpp"

namespace mo::tensorflow {

namespace weighing {

class Weights {
 public:
  // The axis of the pictures, 1 or 2.
  Weights(const Build& b, const SourceNode& n, int64_t axis) : b_(b) {
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

 private:
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

void register_resize_by_weights(Registry& r) {
  replace<resize_area>(
      r, {"ResizeArea", "ResizeArea(x, size)", "MatMul(MatMul(rows, x), columns) between Transposes"});
}

}  // namespace mo::tensorflow
