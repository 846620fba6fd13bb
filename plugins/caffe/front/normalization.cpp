// LRN, MVN, Normalize (L2, of SSD) and GRN.
#include "support/registering.hpp"

namespace mo::caffe {

namespace normalization {

static Ports lrn(Build& b, const SourceNode& l) {
  const bool within = word(l, "lrn_param.norm_region", "ACROSS_CHANNELS") == "WITHIN_CHANNEL";
  const int64_t size = integer(l, "lrn_param.local_size", 5);
  require(size > 0 && size % 2 == 1, "local_size is ", size, "; expected an odd number");
  const Node n = b.node("LRN", "opset1", {bottom(l, 0), b.list(within ? Ints{2, 3} : Ints{1})});
  n.set("alpha", real(l, "lrn_param.alpha", 1))
      .set("beta", real(l, "lrn_param.beta", 0.75))
      .set("size", size);
  n.set("bias", within ? 1.0 : real(l, "lrn_param.k", 1));  // Caffe takes 1 within a channel
  return {n.out_port()};
}

static Ints axes_from(size_t first, size_t rank) {
  Ints axes;
  for (size_t i = first; i < rank; ++i) axes.push_back(static_cast<int64_t>(i));
  return axes;
}

static Ports mvn(Build& b, const SourceNode& l) {
  const size_t first = flag(l, "mvn_param.across_channels", false) ? 1 : 2;
  const Node n = b.node("MVN", "opset6", {bottom(l, 0), b.list(axes_from(first, rank_of(bottom(l, 0))))});
  n.set("normalize_variance", flag(l, "mvn_param.normalize_variance", true));
  n.set("eps", real(l, "mvn_param.eps", 1e-9)).set("eps_mode", "outside_sqrt");
  return {n.out_port()};
}

static Ports normalize(Build& b, const SourceNode& l) {
  const OutPort x = bottom(l, 0);
  const bool across = flag(l, "norm_param.across_spatial", true),
             shared = flag(l, "norm_param.channel_shared", true);
  const size_t rank = rank_of(x);
  const Node n = b.node("NormalizeL2", "opset1", {x, b.list(across ? axes_from(1, rank) : Ints{1})});
  n.set("eps", real(l, "norm_param.eps", 1e-10)).set("eps_mode", "add");
  const double filler = real(l, "norm_param.scale_filler.value", 1);
  Ints dims(rank, 1);
  if (!shared) dims[1] = blob_count(l) == 0 ? dim_of(x, 1) : -1;
  return {b.multiply(n.out_port(), b.constant(weights(l, 0, dims, filler)))};
}

static Ports grn(Build& b, const SourceNode& l) {
  return {b.node("GRN", "opset1", {bottom(l, 0)}).set("bias", real(l, "grn_param.bias", 1)).out_port()};
}

}  // namespace normalization

void register_normalization(Registry& r) {
  convert<normalization::lrn>(r, "LRN", "LRN(x)", "LRN(x, axes)");
  convert<normalization::mvn>(r, "MVN", "MVN(x)", "MVN(x, axes)");
  convert<normalization::normalize>(r, "Normalize", "Normalize(x, weights)",
                                    "Multiply(NormalizeL2(x, axes), weights)");
  convert<normalization::grn>(r, "GRN", "GRN(x, bias)", "GRN(x, bias)");
}

}  // namespace mo::caffe
