// Operations of which a newer version has more choices become the older version where none of them is made:
//   TopK-11(x, k) {stable=false}  ->  TopK-3(x, k)
#include "support/lowering.hpp"

namespace mo::builtin_passes {

namespace {

struct OlderVersion {
  std::string_view type;
  int opset;
  std::string_view older;
  std::vector<std::string> added;  // attributes
  bool (*same)(const Node&);       // as what the older version computes
  std::string_view use;            // of what is new, where it is not
};

template <size_t input>
bool has_no_negative(const Node& n) {
  const auto value = n.in_port(input).value();
  if (!value) return false;
  const auto list = value->to_ints();
  return std::all_of(list.begin(), list.end(), [](int64_t i) { return i >= 0; });
}

const OlderVersion older_versions[] = {
    {"TopK", 11, "opset3", {"stable"}, [](const Node& n) { return !n.attr("stable", false); }, "stable=true"},
    {"Pad",
     12,
     "opset1",
     {},
     [](const Node& n) { return has_no_negative<1>(n) && has_no_negative<2>(n); },
     "pads below 0, or such as are not known"},
    {"ScatterElementsUpdate",
     12,
     "opset3",
     {"reduction", "use_init_val"},
     [](const Node& n) { return n.attr("reduction", std::string("none")) == "none"; },
     "a reduction"},
    {"ScatterNDUpdate",
     15,
     "opset4",
     {"reduction"},
     [](const Node& n) { return n.attr("reduction", std::string("none")) == "none"; },
     "a reduction"},
    {"Squeeze",
     15,
     "opset1",
     {"allow_axis_skip"},
     [](const Node& n) { return !n.attr("allow_axis_skip", false); },
     "allow_axis_skip=true"},
    {"OneHot",
     16,
     "opset1",
     {"negative_indices_mode"},
     [](const Node& n) { return n.attr<std::string>("negative_indices_mode") == "ignore_negative"; },
     "negative_indices_mode=\"normalize\""},
    {"ROIAlign",
     9,
     "opset3",
     {"aligned_mode"},
     [](const Node& n) { return n.attr<std::string>("aligned_mode") == "asymmetric"; },
     "an aligned_mode other than asymmetric"},
    {"DeformableConvolution",
     8,
     "opset1",
     {"bilinear_interpolation_pad"},
     [](const Node& n) { return !n.is_in_port_connected(3) && !n.attr("bilinear_interpolation_pad", false); },
     "a mask, or bilinear_interpolation_pad=true"},
    {"PriorBox",
     8,
     "opset1",
     {"min_max_aspect_ratios_order"},
     [](const Node& n) { return n.attr("min_max_aspect_ratios_order", true); },
     "min_max_aspect_ratios_order=false"},
};

}  // namespace

class LowerAttributes : public Lowering {
 public:
  LowerAttributes() {
    id = "back.lower_attributes";
    doc = "operations that make no use of what their version added, in the version before";
    before = R"(
      %x = Parameter -> f32[2,8]
      %k = Const -> i64[] {3}
      %y = TopK@opset11 (%x, %k) {axis=1, mode="max", sort="value", index_element_type=i64, stable=false} -> (_, _)
      Result (%y:0)
      Result (%y:1))";
    after = R"(
      %x = Parameter -> f32[2,8]
      %k = Const -> i64[] {3}
      %y = TopK@opset3 (%x, %k) {axis=1, mode="max", sort="value", index_element_type=i64} -> (_, _)
      Result (%y:0)
      Result (%y:1))";
    for (const OlderVersion& v : older_versions) lowers(v.type, {v.opset});
  }

 private:
  Ports lower(const Build&, const Node& n) override {
    for (const OlderVersion& v : older_versions) {
      if (!n.is(text("opset", v.opset, "::", v.type))) continue;
      only_when(v.same(n), "it uses what ", v.type, "-", v.opset, " added: ", v.use);
      return as_older(n, v.older, v.added);
    }
    return {};
  }
};

void register_lower_attributes(Registry& r) { r.transformation<LowerAttributes>(); }

}  // namespace mo::builtin_passes
