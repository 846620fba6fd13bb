// Scale and Bias: with numbers of their own, or of a second blob; Axpy, which scales by channels and adds.
#include "support/convert_layers.hpp"
#include "support/scaling.hpp"

namespace mo::caffe {

namespace scaling {

// The shape of a layer's own numbers: num_axes dimensions of what it reads, from `axis` on.
static Ints own_dims(const Layer& l, std::string_view param, size_t axis, size_t blob) {
  const int64_t axes = l.integer(text(param, ".num_axes"), 1);
  if (axes == 0) return {};
  if (l.blobs() > blob && axes == 1) return {static_cast<int64_t>(l.weights(blob).size())};
  const size_t rank = l.rank(l.in(0));
  require(axis < rank, "its axis is ", axis, ", but it reads a blob of ", rank, " dimensions");
  const size_t end = axes < 0 ? rank : std::min(rank, axis + static_cast<size_t>(axes));
  Ints dims;
  for (size_t i = axis; i < end; ++i) dims.push_back(l.dim(l.in(0), i));
  return dims;
}

static std::vector<double> numbers(const Layer& l, size_t blob, const Ints& dims, double filler) {
  return l.weights(blob, dims, filler).to_floats<double>();
}

static OutPort by_own(Layer& l) {
  const OutPort x = l.in(0);
  const size_t axis = l.axis(l.integer("scale_param.axis", 1), x, "axis");
  const Ints own = own_dims(l, "scale_param", axis, 0);
  Scaling s{
      numbers(l, 0, own, l.real("scale_param.filler.value", 1)), {}, aligned_dims(own, axis, l.rank(x))};
  if (l.flag("scale_param.bias_term", false))
    s.shifts = numbers(l, 1, own, l.real("scale_param.bias_filler.value", 0));
  return scaled(l, x, std::move(s));
}

// The second blob with dimensions of one at its end, so that it stands from `axis` on.
static OutPort aligned(Layer& l, const OutPort& x, const OutPort& other, size_t axis) {
  const size_t rank = l.rank(x), own = l.rank(other);
  require(own == 0 || axis + own <= rank, "its second blob has ", own, " dimensions, which the first, of ",
          rank, " dimensions, does not have from dimension ", axis, " on");
  Ints axes;
  for (size_t i = own; own != 0 && i + axis < rank; ++i) axes.push_back(static_cast<int64_t>(i));
  return axes.empty() ? other : l.op("Unsqueeze", "opset1", {other, l.list(axes)});
}

static Ports scale(Layer& l) {
  if (l.bottoms() == 1) return {by_own(l)};
  const OutPort x = l.in(0), other = l.in(1);
  const size_t axis = l.axis(l.integer("scale_param.axis", 1), x, "axis");
  const OutPort product = l.multiply(x, aligned(l, x, other, axis));
  if (!l.flag("scale_param.bias_term", false)) return {product};
  Ints own;
  for (size_t i = 0; i < l.rank(other); ++i) own.push_back(l.dim(other, i));
  return {l.add(product,
                l.constant(l.weights(0, own).reshaped(l.context(), aligned_dims(own, axis, l.rank(x)))))};
}

static Ports bias(Layer& l) {
  const OutPort x = l.in(0);
  const size_t axis = l.axis(l.integer("bias_param.axis", 1), x, "axis");
  if (l.bottoms() > 1) return {l.add(x, aligned(l, x, l.in(1), axis))};
  const Ints own = own_dims(l, "bias_param", axis, 0);
  Scaling s{{}, numbers(l, 0, own, l.real("bias_param.filler.value", 0)), aligned_dims(own, axis, l.rank(x))};
  return {scaled(l, x, std::move(s))};
}

// scale [N, C], x, y: scale * x + y
static Ports axpy(Layer& l) {
  const OutPort factors = l.reshape(l.in(0), {0, 0, 1, 1});
  return {l.add(l.multiply(l.in(1), factors), l.in(2))};
}

}  // namespace scaling

void register_scale(Items& items) {
  items.layer("Scale", &scaling::scale);
  items.layer("Bias", &scaling::bias);
  items.layer("Axpy", &scaling::axpy);
}

}  // namespace mo::caffe
