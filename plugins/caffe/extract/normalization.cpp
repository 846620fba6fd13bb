// LRN, MVN, Normalize (L2, of SSD) and GRN.
#include "support/convert_layers.hpp"

namespace mo::caffe {

namespace normalization {

static Ports lrn(Layer& l) {
  const bool within = l.word("lrn_param.norm_region", "ACROSS_CHANNELS") == "WITHIN_CHANNEL";
  const int64_t size = l.integer("lrn_param.local_size", 5);
  require(size > 0 && size % 2 == 1, "local_size is ", size, "; expected an odd number");
  const Node n = l.with("LRN", "opset1", {l.in(0), l.list(within ? Ints{2, 3} : Ints{1})});
  n.set("alpha", l.real("lrn_param.alpha", 1)).set("beta", l.real("lrn_param.beta", 0.75)).set("size", size);
  n.set("bias", within ? 1.0 : l.real("lrn_param.k", 1));  // Caffe takes 1 within a channel
  return {n.out_port()};
}

static Ints axes_from(size_t first, size_t rank) {
  Ints axes;
  for (size_t i = first; i < rank; ++i) axes.push_back(static_cast<int64_t>(i));
  return axes;
}

static Ports mvn(Layer& l) {
  const size_t first = l.flag("mvn_param.across_channels", false) ? 1 : 2;
  const Node n = l.with("MVN", "opset6", {l.in(0), l.list(axes_from(first, l.rank(l.in(0))))});
  n.set("normalize_variance", l.flag("mvn_param.normalize_variance", true));
  n.set("eps", l.real("mvn_param.eps", 1e-9)).set("eps_mode", "outside_sqrt");
  return {n.out_port()};
}

static Ports normalize(Layer& l) {
  const OutPort x = l.in(0);
  const bool across = l.flag("norm_param.across_spatial", true),
             shared = l.flag("norm_param.channel_shared", true);
  const size_t rank = l.rank(x);
  const Node n = l.with("NormalizeL2", "opset1", {x, l.list(across ? axes_from(1, rank) : Ints{1})});
  n.set("eps", l.real("norm_param.eps", 1e-10)).set("eps_mode", "add");
  const double filler = l.real("norm_param.scale_filler.value", 1);
  Ints dims(rank, 1);
  if (!shared) dims[1] = l.blobs() == 0 ? l.dim(x, 1) : -1;
  return {l.multiply(n.out_port(), l.constant(l.weights(0, dims, filler)))};
}

static Ports grn(Layer& l) {
  return {l.with("GRN", "opset1", {l.in(0)}).set("bias", l.real("grn_param.bias", 1)).out_port()};
}

}  // namespace normalization

void register_normalization(Items& items) {
  items.layer("LRN", &normalization::lrn);
  items.layer("MVN", &normalization::mvn);
  items.layer("Normalize", &normalization::normalize);
  items.layer("GRN", &normalization::grn);
}

}  // namespace mo::caffe
