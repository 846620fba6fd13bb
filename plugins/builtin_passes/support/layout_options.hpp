// --layout, --source_layout and --target_layout: what the dimensions of inputs and outputs mean, and in which
// order the converted model has them.
//   nhwc    nhwc->nchw    data([n,h,w,c]->[n,c,h,w]),prob(nc)    n...c    n??c
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

// One name for each dimension; "?" for one that has none, "..." for any number of them.
using DimensionNames = std::vector<std::string>;

struct LayoutOption {
  std::string name;  // empty: the groups are in the order of the inputs
  DimensionNames source, target;
};

std::vector<LayoutOption> parse_layouts(std::string_view option, std::string_view text);

// What the options say of each input and output that they name. Fails for what does not fit the model.
struct PlacedLayout {
  Node node;                      // a Parameter or a Result
  DimensionNames source, target;  // as many as there are dimensions; empty when nothing is said
};
bool has_layout_options(Context);
std::vector<PlacedLayout> placed_layouts(const Graph&);

// Where the options see the channels of an input.
std::optional<size_t> channels_in_options(const Graph&, const Node& input, const Shape&);

// "[N,C,H,W]"
std::string layout_text(const DimensionNames&);

}  // namespace mo::builtin_passes
