// Scale and Bias: with numbers of their own, or of a second blob; Axpy, which scales by channels and adds.
#include "support/registering.hpp"
#include "support/scaling.hpp"

namespace mo::caffe {

namespace scaling {

// The shape of a layer's own numbers: num_axes dimensions of what it reads, from `axis` on.
static Ints own_dims(const SourceNode& l, std::string_view param, size_t axis, size_t blob) {
  const int64_t axes = integer(l, text(param, ".num_axes"), 1);
  if (axes == 0) return {};
  if (blob_count(l) > blob && axes == 1) return {static_cast<int64_t>(weights(l, blob).size())};
  const size_t rank = rank_of(bottom(l, 0));
  require(axis < rank, "its axis is ", axis, ", but it reads a blob of ", rank, " dimensions");
  const size_t end = axes < 0 ? rank : std::min(rank, axis + static_cast<size_t>(axes));
  Ints dims;
  for (size_t i = axis; i < end; ++i) dims.push_back(dim_of(bottom(l, 0), i));
  return dims;
}

static std::vector<double> own_numbers(const SourceNode& l, size_t blob, const Ints& dims, double filler) {
  return weights(l, blob, dims, filler).to_floats<double>();
}

static OutPort by_own(const Build& b, const SourceNode& l) {
  const OutPort x = bottom(l, 0);
  const size_t axis = axis_of(integer(l, "scale_param.axis", 1), x, "axis");
  const Ints own = own_dims(l, "scale_param", axis, 0);
  Scaling s{own_numbers(l, 0, own, real(l, "scale_param.filler.value", 1)),
            {},
            aligned_dims(own, axis, rank_of(x))};
  if (flag(l, "scale_param.bias_term", false))
    s.shifts = own_numbers(l, 1, own, real(l, "scale_param.bias_filler.value", 0));
  return scaled(b, x, std::move(s));
}

// The second blob with dimensions of one at its end, so that it stands from `axis` on.
static OutPort aligned(const Build& b, const OutPort& x, const OutPort& other, size_t axis) {
  const size_t rank = rank_of(x), own = rank_of(other);
  require(own == 0 || axis + own <= rank, "its second blob has ", own, " dimensions, which the first, of ",
          rank, " dimensions, does not have from dimension ", axis, " on");
  Ints axes;
  for (size_t i = own; own != 0 && i + axis < rank; ++i) axes.push_back(static_cast<int64_t>(i));
  return axes.empty() ? other : b.op("Unsqueeze", "opset1", {other, b.list(axes)});
}

static Ports scale(Build& b, const SourceNode& l) {
  if (bottom_count(l) == 1) return {by_own(b, l)};
  const OutPort x = bottom(l, 0), other = bottom(l, 1);
  const size_t axis = axis_of(integer(l, "scale_param.axis", 1), x, "axis");
  const OutPort product = b.multiply(x, aligned(b, x, other, axis));
  if (!flag(l, "scale_param.bias_term", false)) return {product};
  Ints own;
  for (size_t i = 0; i < rank_of(other); ++i) own.push_back(dim_of(other, i));
  return {b.add(product,
                b.constant(weights(l, 0, own).reshaped(b.context(), aligned_dims(own, axis, rank_of(x)))))};
}

static Ports bias(Build& b, const SourceNode& l) {
  const OutPort x = bottom(l, 0);
  const size_t axis = axis_of(integer(l, "bias_param.axis", 1), x, "axis");
  if (bottom_count(l) > 1) return {b.add(x, aligned(b, x, bottom(l, 1), axis))};
  const Ints own = own_dims(l, "bias_param", axis, 0);
  Scaling s{
      {}, own_numbers(l, 0, own, real(l, "bias_param.filler.value", 0)), aligned_dims(own, axis, rank_of(x))};
  return {scaled(b, x, std::move(s))};
}

// scale [N, C], x, y: scale * x + y
static Ports axpy(Build& b, const SourceNode& l) {
  const OutPort factors = reshaped(b, bottom(l, 0), {0, 0, 1, 1});
  return {b.add(b.multiply(bottom(l, 1), factors), bottom(l, 2))};
}

}  // namespace scaling

void register_scale(Registry& r) {
  convert<scaling::scale>(r, "Scale", "Scale(x, factors, shifts)", "Add(Multiply(x, factors), shifts)");
  convert<scaling::bias>(r, "Bias", "Bias(x, shifts)", "Add(x, shifts)");
  convert<scaling::axpy>(r, "Axpy", "Axpy(factors, x, y)", "Add(Multiply(x, Reshape(factors)), y)");
}

}  // namespace mo::caffe
