// PriorBox and PriorBoxClustered: their operations read the sizes of both pictures.
#include "support/registering.hpp"

namespace mo::caffe {

namespace priors {

static OutPort image_size(const Build& b, const SourceNode& l, std::string_view p) {
  const int64_t size = integer(l, text(p, "img_size"), 0);
  const int64_t height = integer(l, text(p, "img_h"), size), width = integer(l, text(p, "img_w"), size);
  if (height > 0 && width > 0) return b.list({height, width});
  return b.part(b.shape_of(bottom(l, 1)), 2, 4);
}

static Reals variances(const SourceNode& l, std::string_view p) {
  const Reals list = reals(l, text(p, "variance"));
  require(list.empty() || list.size() == 1 || list.size() == 4, "it has ", list.size(),
          " variances; expected 1 or 4");
  return list.empty() ? Reals{0.1} : list;
}

static Ports finished(const Build& b, const Node& n) {
  return {b.op("Unsqueeze", "opset1", {n.out_port(), b.list({0})})};
}

static Ports prior_box(Build& b, const SourceNode& l) {
  constexpr std::string_view p = "prior_box_param.";
  const Node n = b.node("PriorBox", "opset1", {b.part(b.shape_of(bottom(l, 0)), 2, 4), image_size(b, l, p)});
  const double step = real(l, text(p, "step"), 0), h = real(l, text(p, "step_h"), step),
               w = real(l, text(p, "step_w"), step);
  require(h == w, "step_h is ", h, " and step_w ", w, "; different steps are not supported");
  for (const std::string_view name :
       {"min_size", "max_size", "aspect_ratio", "fixed_size", "fixed_ratio", "density"})
    if (const Reals list = reals(l, text(p, name)); !list.empty()) n.set(name, list);
  n.set("flip", flag(l, text(p, "flip"), true)).set("clip", flag(l, text(p, "clip"), false)).set("step", h);
  n.set("offset", real(l, text(p, "offset"), 0.5))
      .set("variance", variances(l, p))
      .set("scale_all_sizes", true);
  return finished(b, n);
}

static Ports clustered(Build& b, const SourceNode& l) {
  const std::string_view p =
      is_set(l, "prior_box_clustered_param") ? "prior_box_clustered_param." : "prior_box_param.";
  const Node n =
      b.node("PriorBoxClustered", "opset1", {b.part(b.shape_of(bottom(l, 0)), 2, 4), image_size(b, l, p)});
  const double step = real(l, text(p, "step"), 0);
  n.set("width", reals(l, text(p, "width"))).set("height", reals(l, text(p, "height")));
  n.set("clip", flag(l, text(p, "clip"), false)).set("step", step);
  n.set("step_h", real(l, text(p, "step_h"), step)).set("step_w", real(l, text(p, "step_w"), step));
  n.set("offset", real(l, text(p, "offset"), 0.5)).set("variance", variances(l, p));
  return finished(b, n);
}

}  // namespace priors

void register_prior_box(Registry& r) {
  convert<priors::prior_box>(r, "PriorBox", "PriorBox(x, image)",
                             "Unsqueeze(PriorBox(size of x, size of image))");
  convert<priors::clustered>(r, "PriorBoxClustered", "PriorBoxClustered(x, image)",
                             "Unsqueeze(PriorBoxClustered(size of x, size of image))");
}

}  // namespace mo::caffe
