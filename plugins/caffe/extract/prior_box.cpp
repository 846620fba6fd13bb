// PriorBox and PriorBoxClustered: their operations read the sizes of both pictures.
#include "support/convert_layers.hpp"

namespace mo::caffe {

namespace priors {

static OutPort image_size(Layer& l, std::string_view p) {
  const int64_t size = l.integer(text(p, "img_size"), 0);
  const int64_t height = l.integer(text(p, "img_h"), size), width = l.integer(text(p, "img_w"), size);
  if (height > 0 && width > 0) return l.list({height, width});
  return l.part(l.shape_of(l.in(1)), 2, 4);
}

static Reals variances(const Layer& l, std::string_view p) {
  const Reals list = l.reals(text(p, "variance"));
  require(list.empty() || list.size() == 1 || list.size() == 4, "it has ", list.size(),
          " variances; expected 1 or 4");
  return list.empty() ? Reals{0.1} : list;
}

static Ports finished(Layer& l, const Node& n) {
  return {l.op("Unsqueeze", "opset1", {n.out_port(), l.list({0})})};
}

static Ports prior_box(Layer& l) {
  constexpr std::string_view p = "prior_box_param.";
  const Node n = l.with("PriorBox", "opset1", {l.part(l.shape_of(l.in(0)), 2, 4), image_size(l, p)});
  const double step = l.real(text(p, "step"), 0), h = l.real(text(p, "step_h"), step),
               w = l.real(text(p, "step_w"), step);
  require(h == w, "step_h is ", h, " and step_w ", w, "; different steps are not supported");
  for (const std::string_view name :
       {"min_size", "max_size", "aspect_ratio", "fixed_size", "fixed_ratio", "density"})
    if (const Reals list = l.reals(text(p, name)); !list.empty()) n.set(name, list);
  n.set("flip", l.flag(text(p, "flip"), true)).set("clip", l.flag(text(p, "clip"), false)).set("step", h);
  n.set("offset", l.real(text(p, "offset"), 0.5))
      .set("variance", variances(l, p))
      .set("scale_all_sizes", true);
  return finished(l, n);
}

static Ports clustered(Layer& l) {
  const std::string_view p =
      l.is_set("prior_box_clustered_param") ? "prior_box_clustered_param." : "prior_box_param.";
  const Node n = l.with("PriorBoxClustered", "opset1", {l.part(l.shape_of(l.in(0)), 2, 4), image_size(l, p)});
  const double step = l.real(text(p, "step"), 0);
  n.set("width", l.reals(text(p, "width"))).set("height", l.reals(text(p, "height")));
  n.set("clip", l.flag(text(p, "clip"), false)).set("step", step);
  n.set("step_h", l.real(text(p, "step_h"), step)).set("step_w", l.real(text(p, "step_w"), step));
  n.set("offset", l.real(text(p, "offset"), 0.5)).set("variance", variances(l, p));
  return finished(l, n);
}

}  // namespace priors

void register_prior_box(Items& items) {
  items.layer("PriorBox", &priors::prior_box);
  items.layer("PriorBoxClustered", &priors::clustered);
}

}  // namespace mo::caffe
