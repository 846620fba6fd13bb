// Regions of a picture, each brought to one size.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/windows.hpp"

namespace mo::mxnet {

namespace regions {

static Ints pair_of(const SourceNode& n, std::string_view name) {
  Ints size = ints_of(n, name);
  if (size.size() == 1) size.push_back(size.front());
  require(size.size() == 2 && size[0] > 0 && size[1] > 0, "attribute '", name, "' is ", size,
          "; expected height and width");
  return size;
}

static Ports roi_pooling(Build& b, const SourceNode& n) {
  const Ints size = pair_of(n, "pooled_size");
  const Node r = b.node("ROIPooling", "opset2", {b.in(0), b.in(1)});
  r.set("pooled_h", size[0]).set("pooled_w", size[1]).set("method", "max");
  r.set("spatial_scale", n.native<double>("spatial_scale"));
  return {r.out_port()};
}

// Of the channels for all places, each place keeps its own.
static OutPort of_places(const Build& b, const OutPort& x, const Ints& size) {
  const int64_t places = size[0] * size[1];
  require(places <= 4096, "attribute 'pooled_size' is ", size);
  std::vector<double> own(static_cast<size_t>(places * places), 0);
  for (int64_t i = 0; i < places; ++i) own[static_cast<size_t>(i * (places + 1))] = 1;
  const OutPort all = b.reshape(x, Ints{0, -1, places, places});
  const OutPort kept = b.multiply(all, b.like(x, own, {1, 1, places, places}));
  return b.reshape(b.reduce("ReduceSum", kept, b.list({3}), false), Ints{0, 0, size[0], size[1]});
}

// The batch of a region is its first number.
static Ports roi_align(Build& b, const SourceNode& n) {
  const Ints size = pair_of(n, "pooled_size");
  const Node parts = b.node("VariadicSplit", "opset1", {b.in(1), b.integer(1), b.list({1, 4})}, 2);
  const OutPort batch = b.convert(b.squeeze(parts.out_port(0), {1}), ElementType::i32);
  const bool aligned = n.native("aligned", false);
  const Node r = b.node("ROIAlign", aligned ? "opset9" : "opset3", {b.in(0), parts.out_port(1), batch});
  r.set("pooled_h", size[0]).set("pooled_w", size[1]).set("mode", "avg");
  r.set("sampling_ratio", std::max<int64_t>(n.native("sample_ratio", -1), 0));
  r.set("spatial_scale", n.native<double>("spatial_scale"));
  if (aligned) r.set("aligned_mode", "half_pixel_for_nn");
  if (!n.native("position_sensitive", false)) return {r.out_port()};
  return {of_places(b, r.out_port(), size)};
}

static Ports ps_roi_pooling(Build& b, const SourceNode& n) {
  const auto pooled = n.native<int64_t>("pooled_size"), group = n.native("group_size", 0),
             outputs = n.native<int64_t>("output_dim");
  const OutPort x = channels_of_places(b, b.in(0), outputs, group == 0 ? pooled : group, pooled);
  const Node r = b.node("PSROIPooling", "opset1", {x, b.in(1)});
  r.set("output_dim", outputs).set("group_size", pooled);
  r.set("spatial_scale", n.native<double>("spatial_scale")).set("mode", "average");
  r.set("spatial_bins_x", 1).set("spatial_bins_y", 1);
  return {r.out_port()};
}

}  // namespace regions

void register_region_pooling(Registry& r) {
  convert<regions::roi_pooling>(r, "ROIPooling", "ROIPooling(x, regions)", "ROIPooling(x, regions)");
  convert<regions::roi_align>(r, "_contrib_ROIAlign", "_contrib_ROIAlign(x, regions)",
                              "ROIAlign(x, boxes of the regions, their pictures)");
  convert<regions::ps_roi_pooling>(r, "_contrib_PSROIPooling", "_contrib_PSROIPooling(x, regions)",
                                   "PSROIPooling(x, regions)");
}

}  // namespace mo::mxnet
