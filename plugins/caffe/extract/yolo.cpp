// Layers of YOLO and ShuffleNet: regions of a grid, reorganised and shuffled channels.
#include "support/convert_layers.hpp"

namespace mo::caffe {

namespace yolo {

static Ports region(Layer& l) {
  const std::string p = l.is_set("region_param") ? "region_param." : "region_yolo_param.";
  const Node n = l.with("RegionYolo", "opset1", {l.in(0)});
  n.set("axis", l.integer("flatten_param.axis", 1)).set("end_axis", l.integer("flatten_param.end_axis", -1));
  n.set("coords", l.integer(p + "coords", 4)).set("classes", l.integer(p + "classes", 20));
  n.set("num", l.integer(p + "num", 1)).set("do_softmax", l.flag(p + "do_softmax", true));
  n.set("mask", l.integers(p + "mask")).set("anchors", l.reals(p + "anchors"));
  return {n.out_port()};
}

static Ports reorg(Layer& l) {
  const std::string p = l.is_set("reorg_param") ? "reorg_param." : "reorg_yolo_param.";
  require(!l.flag(p + "reverse", false), "reverse is not supported");
  return {l.with("ReorgYolo", "opset2", {l.in(0)}).set("stride", l.integer(p + "stride", 1)).out_port()};
}

static Ports shuffle_channel(Layer& l) {
  const Node n = l.with("ShuffleChannels", "opset3", {l.in(0)});
  n.set("axis", 1).set("group", l.integer("shuffle_channel_param.group", 1));
  return {n.out_port()};
}

}  // namespace yolo

void register_yolo(Items& items) {
  for (const std::string_view name : {"RegionYolo", "Region"}) items.layer(name, &yolo::region);
  for (const std::string_view name : {"ReorgYolo", "Reorg"}) items.layer(name, &yolo::reorg);
  items.layer("ShuffleChannel", &yolo::shuffle_channel);
}

}  // namespace mo::caffe
