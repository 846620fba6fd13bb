// CenterCropPad and Col2Im.
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

static Ports col2im(Build& b, const SourceNode& n) {
  const auto list = [&](std::string_view name, int64_t fallback, size_t size) {
    const Ints values = n.find_native<Ints>(name).value_or(Ints(size, fallback));
    require(values.size() == size, "attribute '", name, "' has ", values.size(), " entries, expected ", size,
            ": other than images are not supported");
    return values;
  };
  const Ints pads = list("pads", 0, 4);
  const auto i64 = [&](size_t i) { return b.convert(b.in(i), ElementType::i64); };
  const Node c = b.node("Col2Im", "opset15", {b.in(0), i64(1), i64(2)});
  c.set("strides", list("strides", 1, 2)).set("dilations", list("dilations", 1, 2));
  c.set("pads_begin", Ints{pads[0], pads[1]}).set("pads_end", Ints{pads[2], pads[3]});
  return {c.out_port()};
}

void register_crop_pad_and_col2im(Registry& r) {
  replace<center_crop_pad>(r, {"CenterCropPad", "CenterCropPad(x, shape)", "Pad(Slice(x))"});
  replace<col2im>(r, {"Col2Im", "Col2Im(x, image, block)", "Col2Im-15(x, image, block)"});
}

}  // namespace mo::onnx
