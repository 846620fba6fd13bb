// Layers of YOLO and ShuffleNet: regions of a grid, reorganised and shuffled channels.
#include "support/registering.hpp"

namespace mo::caffe {

namespace yolo {

static Ports region(Build& b, const SourceNode& l) {
  const std::string p = is_set(l, "region_param") ? "region_param." : "region_yolo_param.";
  const Node n = b.node("RegionYolo", "opset1", {bottom(l, 0)});
  n.set("axis", integer(l, "flatten_param.axis", 1))
      .set("end_axis", integer(l, "flatten_param.end_axis", -1));
  n.set("coords", integer(l, p + "coords", 4)).set("classes", integer(l, p + "classes", 20));
  n.set("num", integer(l, p + "num", 1)).set("do_softmax", flag(l, p + "do_softmax", true));
  n.set("mask", integers(l, p + "mask")).set("anchors", reals(l, p + "anchors"));
  return {n.out_port()};
}

static Ports reorg(Build& b, const SourceNode& l) {
  const std::string p = is_set(l, "reorg_param") ? "reorg_param." : "reorg_yolo_param.";
  require(!flag(l, p + "reverse", false), "reverse is not supported");
  return {
      b.node("ReorgYolo", "opset2", {bottom(l, 0)}).set("stride", integer(l, p + "stride", 1)).out_port()};
}

static Ports shuffle_channel(Build& b, const SourceNode& l) {
  const Node n = b.node("ShuffleChannels", "opset3", {bottom(l, 0)});
  n.set("axis", 1).set("group", integer(l, "shuffle_channel_param.group", 1));
  return {n.out_port()};
}

}  // namespace yolo

void register_yolo(Registry& r) {
  convert<yolo::region>(r, "RegionYolo Region", "RegionYolo(x)", "RegionYolo(x)");
  convert<yolo::reorg>(r, "ReorgYolo Reorg", "ReorgYolo(x)", "ReorgYolo(x)");
  convert<yolo::shuffle_channel>(r, "ShuffleChannel", "ShuffleChannel(x)", "ShuffleChannels(x)");
}

}  // namespace mo::caffe
