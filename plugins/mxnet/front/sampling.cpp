// Pictures read at places that the network computes: from -1 to 1, x and y of each along dimension 1.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace sampling {

static OutPort sampled(const Build& b, const OutPort& x, const OutPort& places) {
  const Node s = b.node("GridSample", "opset9", {x, b.transpose(places, {0, 2, 3, 1})});
  s.set("align_corners", true).set("mode", "bilinear").set("padding_mode", "zeros");
  return s.out_port();
}

static OutPort numbers(const Build& b, const std::vector<double>& list, const Ints& dims) {
  return b.constant(Tensor::filled(b.context(), ElementType::f32, list, dims));
}

// Six numbers turn, stretch and move a grid of `target_shape`.
static OutPort affine(const Build& b, const SourceNode& n, const OutPort& factors) {
  const Ints size = ints_of(n, "target_shape");
  require(size.size() == 2 && size[0] > 1 && size[1] > 1 && size[0] <= 65536 && size[1] <= 65536,
          "attribute 'target_shape' is ", size, "; expected height and width from 2 on");
  const int64_t count = size[0] * size[1];
  const auto [grid, x] = Tensor::create<float>(b.context(), {3, count});  // x, y, 1
  for (int64_t i = 0; i < count; ++i) {
    const int64_t row = i / size[1], column = i % size[1];
    x[i] = static_cast<float>(-1 + 2.0 * static_cast<double>(column) / static_cast<double>(size[1] - 1));
    x[count + i] = static_cast<float>(-1 + 2.0 * static_cast<double>(row) / static_cast<double>(size[0] - 1));
  }
  std::fill_n(x + 2 * count, count, 1.0F);
  const Node m = b.node("MatMul", "opset1", {b.reshape(factors, b.list({-1, 2, 3})), b.constant(grid)});
  m.set("transpose_a", false).set("transpose_b", false);
  return b.reshape(m.out_port(), b.list({-1, 2, size[0], size[1]}));
}

// How far each element is moved, in elements.
static OutPort warp(const Build& b, const OutPort& flow) {
  const int64_t height = dim_of(b, flow, 2), width = dim_of(b, flow, 3);
  require(height > 1 && width > 1, "it moves ", height, " x ", width, " elements; expected at least 2 x 2");
  const auto [own, x] = Tensor::create<float>(b.context(), {1, 2, height, width});
  for (int64_t i = 0, count = height * width; i < count; ++i) {
    const int64_t row = i / width, column = i % width;
    x[i] = static_cast<float>(column);
    x[count + i] = static_cast<float>(row);
  }
  const OutPort moved = b.add(flow, b.constant(own));
  const OutPort half =
      numbers(b, {static_cast<double>(width - 1) / 2, static_cast<double>(height - 1) / 2}, {1, 2, 1, 1});
  return b.subtract(b.divide(moved, half), b.like(flow, 1));
}

static Ports sampler(Build& b, const SourceNode&) { return {sampled(b, b.in(0), b.in(1))}; }

static Ports generator(Build& b, const SourceNode& n) {
  const auto type = n.native<std::string>("transform_type");
  require(type == "affine" || type == "warp", "attribute 'transform_type' is '", type,
          "'; expected affine or warp");
  return {type == "warp" ? warp(b, b.in(0)) : affine(b, n, b.in(0))};
}

static Ports transformer(Build& b, const SourceNode& n) {
  return {sampled(b, b.in(0), affine(b, n, b.in(1)))};
}

}  // namespace sampling

void register_sampling(Registry& r) {
  convert<sampling::sampler>(r, "BilinearSampler", "BilinearSampler(x, places)",
                             "GridSample(x, Transpose(places))");
  convert<sampling::generator>(r, "GridGenerator", "GridGenerator(factors)",
                               "Reshape(MatMul(factors, grid))");
  convert<sampling::transformer>(r, "SpatialTransformer", "SpatialTransformer(x, factors)",
                                 "GridSample(x, Transpose(Reshape(MatMul(factors, grid))))");
}

}  // namespace mo::mxnet
