// Col2Im: the operation of that name for images; for signals and volumes a transposed convolution, whose
// kernel puts each entry of a block in its place.
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace col2im_parts {

struct Windows {
  size_t spatial = 2;
  Ints strides, dilations, pads_begin, pads_end;
};

static Windows windows(const Build& b, const SourceNode& n) {
  Windows w;
  const auto given = [&](std::string_view name) { return n.find_native<Ints>(name).value_or(Ints{}); };
  if (const Shape image = b.in(1).shape(); image.rank() == 1 && image[0].is_static())
    w.spatial = static_cast<size_t>(image[0].value());
  require(w.spatial >= 1 && w.spatial <= 3, "input 1, the shape of the image, has ", w.spatial,
          " entries, expected 1 to 3");
  const auto list = [&](std::string_view name, int64_t fallback, size_t size) {
    Ints values = given(name);
    if (values.empty()) values.assign(size, fallback);
    require(values.size() == size, "attribute '", name, "' has ", values.size(), " entries, expected ", size);
    return values;
  };
  w.strides = list("strides", 1, w.spatial);
  w.dilations = list("dilations", 1, w.spatial);
  const Ints pads = list("pads", 0, 2 * w.spatial);
  const auto middle = pads.begin() + static_cast<int64_t>(w.spatial);
  w.pads_begin.assign(pads.begin(), middle);
  w.pads_end.assign(middle, pads.end());
  return w;
}

static OutPort identity(const Build& b, const OutPort& count, const OutPort& like) {
  const OutPort all = b.range(b.integer(0), b.squeeze(count, {0}), 1);
  const OutPort equal =
      b.op("Equal", "opset1", {b.unsqueeze(all, b.list({0})), b.unsqueeze(all, b.list({1}))});
  if (like.type() != ElementType::unknown) return b.convert(equal, like.type());
  return b.op("ConvertLike", "opset1", {equal, like});
}

static OutPort by_convolution(const Build& b, const Windows& w) {
  using namespace ms;
  const Ints ones(w.spatial, 1), zeros(w.spatial, 0);
  const OutPort x = b.in(0), one = b.list(ones);
  const OutPort image = b.convert(b.in(1), ElementType::i64), block = b.convert(b.in(2), ElementType::i64);
  const OutPort begin = b.list(w.pads_begin), end = b.add(begin, image), stride = b.list(w.strides);
  const OutPort reach = b.add(b.multiply(b.subtract(block, one), b.list(w.dilations)), one);
  const OutPort steps = b.divide(b.subtract(b.add(end, b.list(w.pads_end)), reach), stride);
  const OutPort size = b.reduce("ReduceProd", block, b.list({0}), true);
  const OutPort blocks = b.reshape(x, b.concat({b.list({-1}), size, b.add(steps, one)}));
  const OutPort kernel = b.reshape(identity(b, size, x), b.concat({size, b.list({1}), block}));
  const Node c = b.node("ConvolutionBackpropData", "opset1", {blocks, kernel});
  c.set("strides", w.strides).set("dilations", w.dilations).set("auto_pad", "explicit");
  c.set("pads_begin", zeros).set("pads_end", zeros).set("output_padding", zeros);
  // What no block reaches is 0, and what lies in the padding is cut off.
  const OutPort missing =
      b.op("Maximum", "opset1", {b.subtract(end, b.add(b.multiply(steps, stride), reach)), b.integer(0)});
  const OutPort none = b.list({0, 0});
  const Node p =
      b.node("Pad", "opset1",
             {c.out_port(), b.concat({none, b.list(zeros)}), b.concat({none, missing}), b.like(x, 0)});
  p.set("pad_mode", "constant");
  Ints axes;
  for (size_t i = 0; i < w.spatial; ++i) axes.push_back(static_cast<int64_t>(i) + 2);
  const OutPort y = b.op("Slice", "opset8", {p.out_port(), begin, end, one, b.list(axes)});
  return b.reshape(y, b.concat({b.part(b.shape_of(x), 0, 1), b.list({-1}), image}));
}

}  // namespace col2im_parts

static Ports col2im(Build& b, const SourceNode& n) {
  const col2im_parts::Windows w = col2im_parts::windows(b, n);
  if (w.spatial != 2) return {col2im_parts::by_convolution(b, w)};
  const auto i64 = [&](size_t i) { return b.convert(b.in(i), ElementType::i64); };
  const Node c = b.node("Col2Im", "opset15", {b.in(0), i64(1), i64(2)});
  c.set("strides", w.strides).set("dilations", w.dilations);
  c.set("pads_begin", w.pads_begin).set("pads_end", w.pads_end);
  return {c.out_port()};
}

void register_col2im(Registry& r) {
  replace<col2im>(
      r, {"Col2Im", "Col2Im(x, image, block)",
          "Col2Im-15(x, image, block), or ConvolutionBackpropData(x, kernel) with other than images"});
}

}  // namespace mo::onnx
