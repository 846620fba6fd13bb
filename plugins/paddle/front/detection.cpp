// Detectors: priors, boxes, proposals and suppression.
#include "support/operator.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace detection {

static OutPort column(const Op& o, const OutPort& x, int64_t i) { return o.slice(x, -1, i, i + 1); }

// How many boxes each image has tells which image each of `total` boxes belongs to.
static OutPort image_of(const Op& o, const OutPort& counts, const OutPort& total) {
  const OutPort ends =
      o.op("CumSum", "opset3", {o.convert(o.reshape(counts, Ints{-1}), ElementType::i64), o.integer(0)});
  const OutPort passed = o.op1("GreaterEqual", {o.unsqueezed(o.iota(total), {1}), o.unsqueezed(ends, {0})});
  return o.reduce("ReduceSum", o.convert(passed, ElementType::i64), o.list({1}), false);
}

// How many of `images` each of so many has.
static OutPort counted(const Op& o, const OutPort& images, const OutPort& count) {
  const OutPort same = o.op1("Equal", {o.unsqueezed(o.iota(count), {1}), o.unsqueezed(images, {0})});
  return o.reduce("ReduceSum", o.convert(same, ElementType::i64), o.list({1}), false);
}

static void set_suppression(const Op& o, const Node& n, std::string_view order) {
  n.set("sort_result_type", std::string(order)).set("sort_result_across_batch", false);
  n.set("output_type", ElementType::i32).set("score_threshold", o.real("score_threshold", 0));
  n.set("nms_top_k", o.integer("nms_top_k", -1)).set("keep_top_k", o.integer("keep_top_k", -1));
  n.set("background_class", o.integer("background_label", 0)).set("normalized", o.flag("normalized", true));
}

static Ports multiclass_nms(const Op& o) {
  OutPort boxes = o.in("0 BBoxes"), scores = o.in("1 Scores");
  Ports inputs{boxes, scores};
  if (o.has("2 RoisNum"))
    inputs = {o.transpose(boxes, {1, 0, 2}), o.transpose(scores, {1, 0}),
              o.convert(o.in("2 RoisNum"), ElementType::i32)};
  else
    require(o.rank(scores) == 3, "its scores have ", o.rank(scores),
            " dimensions, and no numbers of boxes per image are given");
  const Node n = o.node("MulticlassNms", "opset9", inputs, 3);
  set_suppression(o, n, "classid");
  n.set("iou_threshold", o.real("nms_threshold", 0.3)).set("nms_eta", o.real("nms_eta", 1));
  return o.give(
      {{"0 Out", {n.out_port(0)}}, {"1 Index", {n.out_port(1)}}, {"2 NmsRoisNum", {n.out_port(2)}}});
}

static Ports matrix_nms(const Op& o) {
  const Node n = o.node("MatrixNms", "opset8", {o.in("0 BBoxes"), o.in("1 Scores")}, 3);
  set_suppression(o, n, "score");
  n.set("decay_function", o.flag("use_gaussian", false) ? "gaussian" : "linear");
  n.set("gaussian_sigma", o.real("gaussian_sigma", 2)).set("post_threshold", o.real("post_threshold", 0));
  return o.give({{"0 Out", {n.out_port(0)}}, {"1 Index", {n.out_port(1)}}, {"2 RoisNum", {n.out_port(2)}}});
}

// Boxes in the order of their scores.
static Ports nms(const Op& o) {
  const OutPort boxes = o.in("0 Boxes"), count = o.dim(boxes, 0);
  const OutPort order = o.op1("Negative", {o.convert(o.iota(count), ElementType::f32)});
  const OutPort least = o.number(-3e38);
  const Node n = o.node("NonMaxSuppression", "opset9",
                        {o.unsqueezed(boxes, {0}), o.unsqueezed(order, {0, 1}), o.as_scalar(count),
                         o.number(o.real("threshold iou_threshold", 0.3)), least},
                        3);
  n.set("box_encoding", "corner").set("sort_result_descending", true).set("output_type", ElementType::i64);
  return {o.gather(n.out_port(), o.integer(2), 1)};
}

// Deltas are scaled by variances first: the operation has none.
static Ports generate_proposals(const Op& o) {
  const OutPort scores = o.in("0 Scores"), shape = o.in("2 ImShape"), anchors = o.in("3 Anchors"),
                variances = o.in("4 Variances");
  OutPort deltas = o.in("1 BboxDeltas");
  const OutPort flat = o.reshape(variances, o.concat({o.part(o.shape_of(variances), 0, 2), o.list({-1})}));
  deltas = o.multiply(deltas, o.transpose(flat, {2, 0, 1}));
  const OutPort ones = o.broadcast(o.like(shape, 1), o.concat({o.dim(shape, 0), o.list({1})}));
  const Node n =
      o.node("GenerateProposals", "opset9", {o.concat({shape, ones}, 1), anchors, deltas, scores}, 3);
  // Less than one pixel is no box.
  n.set("min_size", std::max(o.real("min_size", 0.1), 1.0)).set("nms_threshold", o.real("nms_thresh", 0.5));
  n.set("pre_nms_count", o.integer("pre_nms_top_n pre_nms_topN", 6000))
      .set("post_nms_count", o.integer("post_nms_top_n post_nms_topN", 1000));
  n.set("normalized", !o.flag("pixel_offset", true))
      .set("nms_eta", o.real("eta", 1))
      .set("roi_num_type", ElementType::i32);
  return o.give({{"0 RpnRois", {n.out_port(0)}},
                 {"1 RpnRoiProbs", {o.unsqueezed(n.out_port(1), {1})}},
                 {"2 RpnRoisNum", {n.out_port(2)}}});
}

static Ports yolo_box(const Op& o) {
  OutPort x = o.in("0 X");
  const OutPort sizes = o.convert(o.in("1 ImgSize"), o.type_of(x));
  const Ints anchors = o.ints("anchors");
  const auto count = static_cast<int64_t>(anchors.size() / 2), classes = o.integer("class_num", 1);
  require(count > 0 && anchors.size() % 2 == 0 && classes > 0, "attributes 'anchors' and 'class_num' are ",
          anchors, " and ", classes);
  const double scale = o.real("scale_x_y", 1), bias = -0.5 * (scale - 1),
               stride = static_cast<double>(o.integer("downsample_ratio", 32));
  const OutPort n = o.dim(x, 0), h = o.dim(x, 2), w = o.dim(x, 3);
  OutPort overlaps;
  if (o.flag("iou_aware", false)) {
    overlaps = o.op1("Sigmoid", {o.unsqueezed(o.slice(x, 1, 0, count), {2})});
    x = o.slice(x, 1, count, INT32_MAX);
  }
  x = o.reshape(x, o.concat({n, o.list({count, 5 + classes}), h, w}));
  const auto channel = [&](int64_t i) { return o.slice(x, 2, i, i + 1); };
  const auto number = [&](const OutPort& p) { return o.convert(p, o.type_of(x)); };
  // [n, 1, 1, 1, 1] of the image, [1, a, 1, 1, 1] of anchors.
  const auto of_image = [&](int64_t i) { return o.reshape(column(o, sizes, i), Ints{-1, 1, 1, 1, 1}); };
  const OutPort image_h = of_image(0), image_w = of_image(1);
  const auto of_anchors = [&](size_t first) {
    std::vector<double> list;
    for (size_t i = first; i < anchors.size(); i += 2) list.push_back(static_cast<double>(anchors[i]));
    return o.like(x, list, {1, count, 1, 1, 1});
  };
  const auto center = [&](int64_t i, const OutPort& size, const Ints& place, const OutPort& image) {
    const OutPort cell = o.reshape(number(o.iota(size)), place);
    const OutPort at = o.plus(o.times(o.op1("Sigmoid", {channel(i)}), scale), bias);
    return o.divide(o.multiply(o.add(cell, at), image), number(o.as_scalar(size)));
  };
  const auto half = [&](int64_t i, size_t anchor, const OutPort& size, const OutPort& image) {
    const OutPort whole = o.multiply(o.multiply(o.op1("Exp", {channel(i)}), of_anchors(anchor)), image);
    return o.divide(o.times(whole, 0.5), o.times(number(o.as_scalar(size)), stride));
  };
  const OutPort cx = center(0, w, {1, 1, 1, 1, -1}, image_w), cy = center(1, h, {1, 1, 1, -1, 1}, image_h);
  const OutPort bw = half(2, 0, w, image_w), bh = half(3, 1, h, image_h);
  OutPort conf = o.op1("Sigmoid", {channel(4)});
  if (overlaps) {
    const double f = o.real("iou_aware_factor", 0.5);
    conf = o.multiply(o.power(conf, 1 - f), o.power(overlaps, f));
  }
  const OutPort sure = o.op1("GreaterEqual", {conf, o.like(x, o.real("conf_thresh", 0))}),
                zero = o.like(x, 0);
  OutPort x0 = o.subtract(cx, bw), y0 = o.subtract(cy, bh), x1 = o.add(cx, bw), y1 = o.add(cy, bh);
  if (o.flag("clip_bbox", true)) {
    x0 = o.op1("Maximum", {x0, zero});
    y0 = o.op1("Maximum", {y0, zero});
    x1 = o.op1("Minimum", {x1, o.plus(image_w, -1)});
    y1 = o.op1("Minimum", {y1, o.plus(image_h, -1)});
  }
  const OutPort boxes = o.select(sure, o.concat({x0, y0, x1, y1}, 2), zero);
  const OutPort scores =
      o.select(sure, o.multiply(conf, o.op1("Sigmoid", {o.slice(x, 2, 5, INT32_MAX)})), zero);
  const auto rows = [&](const OutPort& p, int64_t width) {
    return o.reshape(o.transpose(p, {0, 1, 3, 4, 2}), Ints{0, -1, width});
  };
  return o.give({{"0 Boxes", {rows(boxes, 4)}}, {"1 Scores", {rows(scores, classes)}}});
}

static Ports prior_box(const Op& o) {
  const OutPort x = o.in("0 Input"), image = o.in("1 Image");
  const double step = o.real("step_w", 0), offset = o.real("offset", 0.5);
  require(step == o.real("step_h", 0), "attributes 'step_w' and 'step_h' are ", step, " and ",
          o.real("step_h", 0), "; PriorBox of the IR has one step");
  require(step != 0 || offset == 0.5, "attribute 'offset' is ", offset,
          " without steps; PriorBox of the IR takes 0.5 then");
  const OutPort grid = o.part(o.shape_of(x), 2, 4);
  const Node n = o.node("PriorBox", "opset8", {grid, o.part(o.shape_of(image), 2, 4)});
  n.set("min_size", o.reals("min_sizes"))
      .set("max_size", o.reals("max_sizes"))
      .set("aspect_ratio", o.reals("aspect_ratios"));
  n.set("flip", o.flag("flip", false))
      .set("clip", o.flag("clip", false))
      .set("step", step)
      .set("offset", offset);
  n.set("variance", o.reals("variances")).set("scale_all_sizes", true);
  n.set("min_max_aspect_ratios_order", o.flag("min_max_aspect_ratios_order", false));
  const OutPort all = o.reshape(n.out_port(), o.concat({o.list({2}), grid, o.list({-1, 4})}));
  const Ports parts = o.split(all, 0, 2);
  return o.give({{"0 Boxes", {o.squeeze(parts[0], {0})}}, {"1 Variances", {o.squeeze(parts[1], {0})}}});
}

struct Centered {
  OutPort x, y, w, h;
};
static Centered centered(const Op& o, const OutPort& boxes, double pixel, bool by_size) {
  const OutPort x0 = column(o, boxes, 0), y0 = column(o, boxes, 1), x1 = column(o, boxes, 2),
                y1 = column(o, boxes, 3);
  const OutPort w = o.plus(o.subtract(x1, x0), pixel), h = o.plus(o.subtract(y1, y0), pixel);
  if (!by_size) return {o.times(o.add(x0, x1), 0.5), o.times(o.add(y0, y1), 0.5), w, h};
  return {o.add(x0, o.times(w, 0.5)), o.add(y0, o.times(h, 0.5)), w, h};
}

static Ports box_coder(const Op& o) {
  const OutPort target = o.in("2 TargetBox");
  const bool encodes = o.word("code_type", "encode_center_size").find("encode") == 0;
  const double pixel = o.flag("box_normalized", true) ? 0 : 1;
  const int64_t axis = encodes ? 0 : o.integer("axis", 0);
  require(axis == 0 || axis == 1, "attribute 'axis' is ", axis, ", expected 0 or 1");
  const OutPort priors = o.unsqueezed(o.in("0 PriorBox"), {axis});
  OutPort variances;
  if (o.has("1 PriorBoxVar")) {
    variances = o.unsqueezed(o.in("1 PriorBoxVar"), {axis});
  } else if (const auto list = o.reals("variance"); !list.empty()) {
    require(list.size() == 4, "attribute 'variance' is ", list, ", expected 4 numbers");
    variances = o.like(target, list, {1, 1, 4});
  }
  const Centered p = centered(o, priors, pixel, true);
  if (encodes) {
    const Centered t = centered(o, o.unsqueezed(target, {1}), pixel, false);
    const auto log_of = [&](const OutPort& a, const OutPort& b) {
      return o.op1("Log", {o.op1("Abs", {o.divide(a, b)})});
    };
    const OutPort code = o.concat({o.divide(o.subtract(t.x, p.x), p.w), o.divide(o.subtract(t.y, p.y), p.h),
                                   log_of(t.w, p.w), log_of(t.h, p.h)},
                                  2);
    return {variances ? o.divide(code, variances) : code};
  }
  const OutPort code = variances ? o.multiply(target, variances) : target;
  const OutPort x = o.add(o.multiply(column(o, code, 0), p.w), p.x),
                y = o.add(o.multiply(column(o, code, 1), p.h), p.y);
  const OutPort w = o.times(o.multiply(o.op1("Exp", {column(o, code, 2)}), p.w), 0.5);
  const OutPort h = o.times(o.multiply(o.op1("Exp", {column(o, code, 3)}), p.h), 0.5);
  return {o.concat(
      {o.subtract(x, w), o.subtract(y, h), o.plus(o.add(x, w), -pixel), o.plus(o.add(y, h), -pixel)}, 2)};
}

static OutPort images_of(const Op& o, const OutPort& boxes) {
  if (o.has("2 RoisNum")) return image_of(o, o.in("2 RoisNum"), o.dim(boxes, 0));
  return o.broadcast(o.integer(0), o.dim(boxes, 0));
}

static Ports roi_align(const Op& o) {
  const OutPort boxes = o.in("1 ROIs");
  const Node n = o.node("ROIAlign", "opset9", {o.in("0 X"), boxes, images_of(o, boxes)});
  n.set("pooled_h", o.integer("pooled_height", 1)).set("pooled_w", o.integer("pooled_width", 1));
  n.set("sampling_ratio", std::max<int64_t>(o.integer("sampling_ratio", -1), 0))
      .set("spatial_scale", o.real("spatial_scale", 1));
  n.set("mode", "avg").set("aligned_mode", o.flag("aligned", true) ? "half_pixel_for_nn" : "asymmetric");
  return {n.out_port()};
}

// Image and corners.
static OutPort numbered(const Op& o, const OutPort& boxes) {
  return o.concat({o.unsqueezed(o.convert(images_of(o, boxes), o.type_of(boxes)), {1}), boxes}, 1);
}

static Ports roi_pool(const Op& o) {
  const Node n = o.node("ROIPooling", "opset2", {o.in("0 X"), numbered(o, o.in("1 ROIs"))});
  n.set("pooled_h", o.integer("pooled_height", 1)).set("pooled_w", o.integer("pooled_width", 1));
  n.set("spatial_scale", o.real("spatial_scale", 1)).set("method", "max");
  return o.give({{"0 Out", {n.out_port()}}});
}

static Ports psroi_pool(const Op& o) {
  const int64_t h = o.integer("pooled_height", 1), w = o.integer("pooled_width", 1);
  require(h == w, "its regions become ", h, " x ", w, " places; PSROIPooling of the IR makes squares");
  const Node n = o.node("PSROIPooling", "opset1", {o.in("0 X"), numbered(o, o.in("1 ROIs"))});
  n.set("output_dim", o.integer("output_channels", 1))
      .set("group_size", h)
      .set("spatial_scale", o.real("spatial_scale", 1));
  n.set("mode", "average").set("spatial_bins_x", 1).set("spatial_bins_y", 1);
  return {n.out_port()};
}

// Regions by their size to the levels of a pyramid; `restore` says where each is in what they make together.
static Ports distribute_fpn(const Op& o) {
  const OutPort boxes = o.in("0 FpnRois");
  const double pixel = o.flag("pixel_offset", true) ? 1 : 0;
  const int64_t first = o.integer("min_level", 2), last = o.integer("max_level", 5);
  require(first <= last && last - first < 64, "levels ", first, " to ", last, " are asked for");
  const Centered c = centered(o, boxes, pixel, true);
  const OutPort zero = o.like(boxes, 0);
  const OutPort area = o.multiply(o.op1("Maximum", {c.w, zero}), o.op1("Maximum", {c.h, zero}));
  const OutPort size = o.plus(
      o.divide(o.op1("Sqrt", {area}), o.like(boxes, static_cast<double>(o.integer("refer_scale", 224)))),
      1e-6);
  const OutPort log2 = o.divide(o.op1("Log", {size}), o.like(boxes, 0.693147180559945309417));
  OutPort level = o.op1("Floor", {o.plus(log2, static_cast<double>(o.integer("refer_level", 4)))});
  level = o.reshape(o.clamp(level, static_cast<double>(first), static_cast<double>(last)), Ints{-1});
  const OutPort total = o.dim(boxes, 0);
  const bool counts = o.has("1 RoisNum");
  const OutPort per_image = counts ? o.in("1 RoisNum") : OutPort();
  const OutPort images = counts ? image_of(o, per_image, total) : OutPort();
  Ports regions, numbers, places;
  for (int64_t l = first; l <= last; ++l) {
    const OutPort mine = o.op1("Equal", {level, o.like(level, static_cast<double>(l))});
    const OutPort at = o.reshape(o.op("NonZero", "opset3", {mine}), Ints{-1});
    places.push_back(at);
    regions.push_back(o.gather(boxes, at, 0));
    if (counts) numbers.push_back(counted(o, o.gather(images, at, 0), o.dim(per_image, 0)));
  }
  const OutPort order = o.concat(places);
  const OutPort back = o.op("ScatterUpdate", "opset3", {o.iota(total), order, o.iota(total), o.integer(0)});
  return o.give({{"0 MultiFpnRois", regions},
                 {"1 MultiLevelRoIsNum", numbers},
                 {"2 RestoreIndex", {o.unsqueezed(back, {1})}}});
}

// The best regions of all levels, by image.
static Ports collect_fpn(const Op& o) {
  const Ports regions = o.all("0 MultiLevelRois"), scores = o.all("1 MultiLevelScores"),
              numbers = o.all("2 MultiLevelRoIsNum");
  require(!regions.empty() && regions.size() == numbers.size(), "it has regions of ", regions.size(),
          " levels, and ", numbers.size(), " numbers of them");
  Ports images, flat;
  for (size_t i = 0; i < regions.size(); ++i) images.push_back(image_of(o, numbers[i], o.dim(regions[i], 0)));
  for (const OutPort& s : scores) flat.push_back(o.reshape(s, Ints{-1}));
  const OutPort all = o.concat(regions, 0), best = o.concat(flat), image = o.concat(images);
  const OutPort k = o.op1(
      "Minimum", {o.as_scalar(o.dim(all, 0)), o.integer(o.integer("post_nms_topN post_nms_topn", 100))});
  const OutPort chosen = o.topk(best, k, 0, "max", "value").out_port(1);
  const OutPort of = o.gather(image, chosen, 0);
  const OutPort order = o.gather(chosen, o.topk(of, k, 0, "min", "value", true).out_port(1), 0);
  return o.give(
      {{"0 FpnRois", {o.gather(all, order, 0)}}, {"1 RoisNum", {counted(o, of, o.dim(numbers.front(), 0))}}});
}

static Ports box_clip(const Op& o) {
  const OutPort boxes = o.in("0 Input"), info = o.in("1 ImInfo");
  require(o.rank(boxes) == 3, "its boxes have ", o.rank(boxes),
          " dimensions; those of LoDTensors are not supported");
  const auto limit = [&](int64_t i) {
    const OutPort size = o.op("Round", "opset5", {o.divide(column(o, info, i), column(o, info, 2))});
    return o.unsqueezed(o.plus(size, -1), {1});
  };
  const OutPort h = limit(0), w = limit(1), zero = o.like(boxes, 0);
  const OutPort most = o.concat({w, h, w, h}, 2);
  return {o.op1("Maximum", {o.op1("Minimum", {boxes, most}), zero})};
}

}  // namespace detection

void register_detection(Registry& r) {
  using namespace detection;
  convert<multiclass_nms>(r, "multiclass_nms3 multiclass_nms2 multiclass_nms",
                          "multiclass_nms3(boxes, scores)", "MulticlassNms(boxes, scores)");
  convert<matrix_nms>(r, "matrix_nms", "matrix_nms(boxes, scores)", "MatrixNms(boxes, scores)");
  convert<nms>(r, "nms", "nms(boxes)", "NonMaxSuppression(boxes, order)");
  convert<generate_proposals>(r, "generate_proposals generate_proposals_v2",
                              "generate_proposals(scores, deltas, shape, anchors, variances)",
                              "GenerateProposals(shape, anchors, Multiply(deltas, variances), scores)");
  convert<yolo_box>(r, "yolo_box", "yolo_box(x, sizes)", "Sigmoid, Exp, Multiply, Add, Select");
  convert<prior_box>(r, "prior_box", "prior_box(x, image)", "PriorBox(sizes, sizes)");
  convert<box_coder>(r, "box_coder", "box_coder(priors, variances, boxes)",
                     "Subtract, Divide, Log, or Multiply, Add, Exp");
  convert<roi_align>(r, "roi_align", "roi_align(x, boxes, numbers)", "ROIAlign(x, boxes, images)");
  convert<roi_pool>(r, "roi_pool", "roi_pool(x, boxes, numbers)", "ROIPooling(x, boxes)");
  convert<psroi_pool>(r, "psroi_pool", "psroi_pool(x, boxes, numbers)", "PSROIPooling(x, boxes)");
  convert<distribute_fpn>(r, "distribute_fpn_proposals", "distribute_fpn_proposals(boxes, numbers)",
                          "Gather(boxes, NonZero(Equal(level, l)))");
  convert<collect_fpn>(r, "collect_fpn_proposals", "collect_fpn_proposals(boxes, scores, numbers)",
                       "Gather(boxes, TopK(scores))");
  convert<box_clip>(r, "box_clip", "box_clip(boxes, info)", "Minimum(Maximum(boxes, 0), size)");
}

}  // namespace mo::paddle
