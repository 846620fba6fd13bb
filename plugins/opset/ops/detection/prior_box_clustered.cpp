// PriorBoxClustered: boxes of listed widths and heights around each point of a grid, and their variances.
#include "support/limits.hpp"
#include "support/prior_grid.hpp"

namespace mo::opset {

struct PriorBoxClustered {
  static constexpr std::string_view type = "PriorBoxClustered", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("sizes of the grid and of the picture: boxes and variances")
        .input("grid_size", Role::any)
        .optional_input("picture_size", Role::any)
        .outputs(1);
    s.attr("width", std::vector<double>{1}).attr("height", std::vector<double>{1});
    s.attr<bool>("clip", true)
        .attr<double>("step", 0.0)
        .attr<double>("step_w", 0.0)
        .attr<double>("step_h", 0.0);
    s.attr<double>("offset").attr("variance", std::vector<double>{});
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"there are four variances or none", "2021.4",
                      "ngraph/core/reference/include/ngraph/runtime/reference/prior_box_clustered.hpp:95",
                      [](const Node& l) { return l.attr("variance", std::vector<double>{}).size() != 1; }}});
  }
  static void infer(InferContext& c) {
    for (const auto* const name : {"offset", "step", "step_w", "step_h"}) float_attr(c, name, 0);
    prior_grid::infer(c, static_cast<int64_t>(sizes(c).first.size()));
  }
  static void evaluate(EvalContext& c) {
    if (!c.has(1)) no_value("the size of the picture is not given");
    const auto [widths, heights] = sizes(c);
    const auto grid = prior_grid::sizes(c, 0), image = prior_grid::sizes(c, 1);
    auto step_w = c.attr<double>("step_w"), step_h = c.attr<double>("step_h");
    if (step_w == 0 && step_h == 0) step_w = step_h = c.attr<double>("step");
    if (step_w == 0 && step_h == 0) {
      step_w = image.width / grid.width;
      step_h = image.height / grid.height;
    }
    const auto offset = c.attr<double>("offset");
    const bool clip = c.attr<bool>("clip");
    prior_grid::Writer out(c, static_cast<int64_t>(widths.size()));
    for (double y = 0; y < grid.height; ++y)
      for (double x = 0; x < grid.width; ++x)
        for (size_t i = 0; i < widths.size(); ++i) {
          const double cx = (x + offset) * step_w, cy = (y + offset) * step_h;
          out.add({(cx - widths[i] / 2) / image.width, (cy - heights[i] / 2) / image.height,
                   (cx + widths[i] / 2) / image.width, (cy + heights[i] / 2) / image.height},
                  clip);
        }
    out.finish();
  }

 private:
  static std::pair<std::vector<double>, std::vector<double>> sizes(const OpContext& c) {
    auto w = c.attr<std::vector<double>>("width"), h = c.attr<std::vector<double>>("height");
    require(w.size() == h.size(), "attribute 'width' has ", w.size(), " numbers but 'height' ", h.size());
    for (const auto& list : {w, h})
      for (const double v : list)
        require(std::isfinite(v) && v > 0, "attributes 'width' and 'height': ", list,
                "; expected positive numbers");
    return {w, h};
  }
};

void register_prior_box_clustered(Registry& r) { r.operation<PriorBoxClustered>(); }

}  // namespace mo::opset
