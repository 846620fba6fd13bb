// Regions of pictures, each resized to the same size. ROIPooling does it where elements outside of the
// pictures are 0; else elements are gathered by their coordinates.
#include "support/known.hpp"
#include "support/windows.hpp"

namespace mo::tensorflow {

namespace cropping {

static OutPort op1(const Build& b, std::string_view type, const Ports& inputs) {
  return b.op(type, "opset1", inputs);
}
// Column i of the boxes: y1, x1, y2, x2.
static OutPort side(const Build& b, int64_t i) { return b.gather(b.in(1), b.list({i}), 1); }

// The places along one axis of the picture, [boxes, count], and which of them are in it.
struct Places {
  OutPort at, inside, last;
};
static Places places(const Build& b, int64_t axis, int64_t count) {
  const OutPort low = side(b, axis - 1), high = side(b, axis + 1);
  Places p;
  p.last =
      op1(b, "Subtract", {b.convert(b.squeeze(b.dim(b.in(0), axis), {0}), ElementType::f32), b.number(1)});
  if (count == 1) {
    p.at = op1(b, "Multiply", {op1(b, "Add", {low, high}), op1(b, "Multiply", {p.last, b.number(0.5)})});
  } else {
    std::vector<double> steps;
    for (int64_t i = 0; i < count; ++i) steps.push_back(static_cast<double>(i));
    const OutPort number = b.constant(Tensor::filled(b.context(), ElementType::f32, steps, {count}));
    const OutPort length = op1(b, "Multiply", {op1(b, "Subtract", {high, low}), p.last});
    const OutPort step = op1(b, "Divide", {length, b.number(static_cast<double>(count - 1))});
    p.at = op1(b, "Add", {op1(b, "Multiply", {low, p.last}), op1(b, "Multiply", {number, step})});
  }
  p.inside = op1(b, "LogicalAnd",
                 {op1(b, "GreaterEqual", {p.at, b.number(0)}), op1(b, "LessEqual", {p.at, p.last})});
  return p;
}

static OutPort index(const Build& b, const OutPort& place, const OutPort& last) {
  const OutPort kept = op1(b, "Minimum", {op1(b, "Maximum", {place, b.number(0)}), last});
  return b.convert(kept, ElementType::i64);
}

// Elements [boxes, rows, columns, channels] of the pictures that belong to the boxes.
static OutPort elements(const Build& b, const OutPort& rows, const OutPort& columns) {
  const Node lines = b.node("Gather", "opset7", {b.in(0), b.in(2), b.integer(0)});
  lines.set("batch_dims", 0);
  const Node down = b.node("Gather", "opset7", {lines.out_port(), rows, b.integer(1)});
  down.set("batch_dims", 1);
  // [boxes, rows, width, channels]: the columns are the same for all rows of a box.
  const OutPort turned = b.transpose(down.out_port(), {0, 2, 1, 3});
  const Node across = b.node("Gather", "opset7", {turned, columns, b.integer(1)});
  across.set("batch_dims", 1);
  return b.transpose(across.out_port(), {0, 2, 1, 3});
}

static OutPort gathered(const Build& b, const SourceNode& n, const Ints& size) {
  const Places y = places(b, 1, size[0]), x = places(b, 2, size[1]);
  const auto floor = [&](const OutPort& p) { return op1(b, "Floor", {p}); };
  OutPort values;
  if (n.native("method", "bilinear") == "nearest") {
    const auto near = [&](const Places& p) {  // halves are rounded up, as all that counts is positive
      return index(b, floor(op1(b, "Add", {p.at, b.number(0.5)})), p.last);
    };
    values = b.convert(elements(b, near(y), near(x)), ElementType::f32);
  } else {
    const auto low = [&](const Places& p) { return index(b, floor(p.at), p.last); };
    const auto high = [&](const Places& p) { return index(b, op1(b, "Ceiling", {p.at}), p.last); };
    const auto mix = [&](const OutPort& a, const OutPort& c, const OutPort& weight) {
      return op1(b, "Add", {a, op1(b, "Multiply", {op1(b, "Subtract", {c, a}), weight})});
    };
    const auto weight = [&](const Places& p, const Ints& axes) {
      return b.unsqueeze(op1(b, "Subtract", {p.at, floor(p.at)}), b.list(axes));
    };
    const auto line = [&](const OutPort& rows) {
      const OutPort left = b.convert(elements(b, rows, low(x)), ElementType::f32);
      const OutPort right = b.convert(elements(b, rows, high(x)), ElementType::f32);
      return mix(left, right, weight(x, {1, 3}));
    };
    values = mix(line(low(y)), line(high(y)), weight(y, {2, 3}));
  }
  const OutPort inside =
      op1(b, "LogicalAnd", {b.unsqueeze(y.inside, b.list({2, 3})), b.unsqueeze(x.inside, b.list({1, 3}))});
  return b.select(inside, values, b.number(n.native("extrapolation_value", 0.0)));
}

}  // namespace cropping

static Ports crop_and_resize(Build& b, const SourceNode& n) {
  const auto method = n.native("method", "bilinear");
  require(method == "bilinear" || method == "nearest", "attribute 'method' is '", method,
          "', expected bilinear or nearest");
  const Ints size = required_ints(b, 3, "the size of the regions");
  require(size.size() == 2 && size[0] > 0 && size[1] > 0 && size[0] <= 1 << 20 && size[1] <= 1 << 20,
          "the size of the regions is ", size, ", expected a height and a width");
  if (method != "bilinear" || n.native("extrapolation_value", 0.0) != 0)
    return {cropping::gathered(b, n, size)};
  // [picture, x1, y1, x2, y2]
  const Node swapped = b.node("Gather", "opset7", {b.in(1), b.list({1, 0, 3, 2}), b.integer(1)});
  swapped.set("batch_dims", 0);
  const OutPort picture = b.unsqueeze(b.convert(b.in(2), ElementType::f32), b.list({1}));
  const Layout l;
  const Node roi = b.node("ROIPooling", "opset2",
                          {to_channels_first(b, l, b.convert(b.in(0), ElementType::f32)),
                           b.concat({picture, swapped.out_port()}, 1)});
  roi.set("pooled_h", size[0]).set("pooled_w", size[1]).set("spatial_scale", 1.0).set("method", "bilinear");
  return {from_channels_first(b, l, roi.out_port())};
}

void register_crop_and_resize(Registry& r) {
  replace_late<crop_and_resize>(
      r, {"CropAndResize", "CropAndResize(x, boxes, pictures, size)",
          "ROIPooling(x, Concat(pictures, boxes)) between Transposes, or elements that are gathered"});
}

}  // namespace mo::tensorflow
