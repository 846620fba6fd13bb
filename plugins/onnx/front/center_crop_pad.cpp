#include "support/build.hpp"

namespace mo::onnx {

// Of an odd difference the smaller half is cut off, or added, in front.
static Ports center_crop_pad(Build& b, const SourceNode& n) {
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const OutPort x = b.in(0), have = b.shape_of(x), two = b.list({2});
  OutPort wanted = b.convert(b.in(1), ElementType::i64);
  if (const auto axes = n.find_native<Ints>("axes")) {
    const OutPort places = op("FloorMod", b.list(*axes), b.rank(x));
    wanted = b.op("ScatterElementsUpdate", "opset3", {have, places, wanted, b.integer(0)});
  }
  const OutPort kept = op("Minimum", have, wanted);
  const OutPort from = op("Divide", op("Subtract", have, kept), two);
  const Node ones = b.node("Broadcast", "opset3", {b.integer(1), b.shape_of(have)});
  ones.set("mode", "numpy");
  const OutPort cropped = b.op("Slice", "opset8", {x, from, op("Add", from, kept), ones.out_port()});
  const OutPort missing = op("Subtract", wanted, kept), before = op("Divide", missing, two);
  const Node p = b.node("Pad", "opset1", {cropped, before, op("Subtract", missing, before), b.like(x, 0)});
  p.set("pad_mode", "constant");
  return {p.out_port()};
}

void register_center_crop_pad(Registry& r) {
  replace<center_crop_pad>(r, {"CenterCropPad", "CenterCropPad(x, shape)", "Pad(Slice(x))"});
}

}  // namespace mo::onnx
