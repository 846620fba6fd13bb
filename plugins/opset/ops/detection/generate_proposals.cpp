// GenerateProposals and ExperimentalDetectronGenerateProposalsSingleImage: given anchors, moved by predicted
// deltas and clipped to the picture; the best ones that do not overlap.
#include "support/boxes.hpp"

namespace mo::opset {

namespace generate_proposals {

static void schema(OpSchema& s) {
  s.inputs(4);
  s.attr<double>("min_size").attr<double>("nms_threshold");
  s.attr<int64_t>("pre_nms_count").attr<int64_t>("post_nms_count");
}
// Gives post_nms_count.
static int64_t checked_attrs(const OpContext& c) {
  float_attr(c, "min_size", 0);
  float_attr(c, "nms_threshold", 0);
  int_attr(c, "pre_nms_count", 0);
  return int_attr(c, "post_nms_count", 0);
}

template <class T>
struct Image {
  T height, width, scale_height, scale_width;
};
// Deltas [4A, H, W], scores [A, H, W], anchors [H * W * A, 4], where H * W is `area`.
template <class T>
struct Predictions {
  const std::vector<T>& anchors;
  const T* deltas;
  const T* scores;
  size_t area;
};

template <class T>
Box<T> moved_anchor(const Box<T>& a, const T* d, size_t area, T pixel) {
  const double most = std::log(1000.0 / 16);
  const auto grown = [&](T v) { return static_cast<T>(std::exp(std::min(static_cast<double>(v), most))); };
  const T w = a.x1 - a.x0 + pixel, h = a.y1 - a.y0 + pixel;
  const T cx = d[0] * w + a.x0 + T{0.5} * w, cy = d[area] * h + a.y0 + T{0.5} * h;
  const T pw = grown(d[2 * area]) * w, ph = grown(d[3 * area]) * h;
  return {cx - T{0.5} * pw, cy - T{0.5} * ph, cx + T{0.5} * pw - pixel, cy + T{0.5} * ph - pixel};
}

// Appends the boxes and their scores; gives their number.
template <class T>
size_t propose(const OpContext& c, const Image<T>& image, const Predictions<T>& p, T pixel, T eta,
               std::vector<T>& out_boxes, std::vector<T>& out_scores) {
  const size_t count = p.anchors.size() / 4, kinds = p.area == 0 ? 0 : count / p.area;
  const auto least = static_cast<T>(c.attr<double>("min_size"));
  std::vector<Box<T>> boxes;
  std::vector<T> scores;
  for (size_t place = 0; place < p.area; ++place)
    for (size_t k = 0; k < kinds; ++k) {
      const Box<T> b = clipped<T>(
          moved_anchor(box_at(p.anchors, boxes.size()), p.deltas + 4 * k * p.area + place, p.area, pixel),
          image.width - pixel, image.height - pixel);
      const bool large = b.x1 - b.x0 + pixel >= least * image.scale_width &&
                         b.y1 - b.y0 + pixel >= least * image.scale_height;
      boxes.push_back(b);
      scores.push_back(large ? p.scores[k * p.area + place] : T{0});
    }
  auto order = first_indices(boxes.size());
  sort_by_score(order, [&](size_t i) { return scores[i]; });
  keep_first(order, c.attr<int64_t>("pre_nms_count"));
  const auto threshold = static_cast<T>(static_cast<float>(c.attr<double>("nms_threshold")));
  const auto kept = suppressed(boxes, order, threshold, c.attr<int64_t>("post_nms_count"), pixel, eta);
  for (const size_t i : kept) {
    const Box<T>& b = boxes[i];
    out_boxes.insert(out_boxes.end(), {b.x0, b.y0, b.x1, b.y1});
    out_scores.push_back(scores[i]);
  }
  return kept.size();
}

// Height, width and anchors of a place, from the shapes that name them.
struct Grid {
  Dim height, width, anchors;
  void add(const Shape& s, size_t channel, int64_t of_each, std::string_view what) {
    if (!s.has_rank()) return;
    const Dim& d = s[channel];
    const Dim n{ceil_div(Dim(d.min), of_each).value(), floor_div(d, of_each).max};
    require(n.is_unbounded() || n.min <= n.max, "dimension ", channel, " of ", what, " is ", d,
            "; expected a multiple of ", of_each);
    anchors = same_dim(anchors, n, text("number of anchors and of ", what));
    height = same_dim(height, s[channel + 1], text("height of ", what));
    width = same_dim(width, s[channel + 2], text("width of ", what));
  }
};

}  // namespace generate_proposals

struct GenerateProposals {
  static constexpr std::string_view type = "GenerateProposals", opset = "opset9";
  static void schema(OpSchema& s) {
    s.doc("im_info [N, 3 or 4], anchors [H, W, A, 4], deltas [N, 4A, H, W], scores [N, A, H, W]").outputs(3);
    generate_proposals::schema(s);
    s.attr<bool>("normalized", true).attr<double>("nms_eta", 1.0);
    s.attr<ElementType>("roi_num_type", ElementType::i64);
  }
  static void infer(InferContext& c) {
    require_float(c, 0);
    const ElementType t = common_type(c, {0, 1, 2, 3}), count_type = index_type_attr(c, "roi_num_type");
    const int64_t most = generate_proposals::checked_attrs(c);
    const auto eta = c.attr<double>("nms_eta");
    require(eta >= 0 && eta <= 1, "attribute 'nms_eta' is ", eta, "; expected a number from 0 to 1");
    const Shape info = c.shape(0), anchors = c.shape(1), deltas = c.shape(2), scores = c.shape(3);
    require_rank(info, "im_info", 2);
    require_rank(anchors, "anchors", 4);
    require_rank(deltas, "boxes_deltas", 4);
    require_rank(scores, "scores", 4);
    Dim images;
    narrow(images, info, 0, "images");
    narrow(images, deltas, 0, "images of im_info and boxes_deltas");
    narrow(images, scores, 0, "images of scores");
    if (info.has_rank()) same_dim(info[1], Dim(3, 4), "dimension 1 of im_info");
    generate_proposals::Grid grid;
    if (anchors.has_rank()) {
      same_dim(anchors[3], 4, "dimension 3 of anchors");
      grid = {anchors[0], anchors[1], anchors[2]};
    }
    grid.add(deltas, 1, 4, "boxes_deltas");
    grid.add(scores, 1, 1, "scores");
    const Dim candidates = grid.height * grid.width * grid.anchors;
    const Interval each(
        0, interval::minimum(Interval(std::min(most, c.attr<int64_t>("pre_nms_count"))), Interval(candidates))
               .hi);
    const Dim all{0, (each.to_dim() * images).max};
    c.output(0, t, {all, 4});
    c.output(1, t, {all});
    if (may_have_bounds(count_type, {images}))
      output_intervals(c, 2, count_type, {images},
                       std::vector<Interval>(static_cast<size_t>(images.value()), each));
    else
      c.output(2, count_type, {images});
  }
  static void evaluate(EvalContext& c) {
    const Tensor info_in = c.input(0), deltas_in = c.input(2), scores_in = c.input(3);
    const ElementType type = info_in.type(), count_type = index_type_attr(c, "roi_num_type");
    const auto images = static_cast<size_t>(info_in.dim(0)), fields = static_cast<size_t>(info_in.dim(1));
    const auto area = static_cast<size_t>(scores_in.dim(2) * scores_in.dim(3));
    with_float(type, [&](auto zero) {
      using T = decltype(zero);
      const auto info = info_in.to_floats<T>(), anchors = c.input(1).to_floats<T>(),
                 deltas = deltas_in.to_floats<T>(), scores = scores_in.to_floats<T>();
      const T pixel = c.attr<bool>("normalized") ? 0 : 1;
      const auto eta = static_cast<T>(c.attr<double>("nms_eta"));
      std::vector<T> boxes, values;
      std::vector<double> counts;
      for (size_t i = 0; i < images; ++i) {
        const T* const of = info.data() + i * fields;
        counts.push_back(static_cast<double>(generate_proposals::propose<T>(
            c, {of[0], of[1], of[2], of[fields - 1]},
            {anchors, deltas.data() + i * anchors.size(), scores.data() + i * (anchors.size() / 4), area},
            pixel, eta, boxes, values)));
      }
      const auto n = static_cast<int64_t>(values.size());
      c.output(0, tensor_of(c, type, {n, 4}, boxes));
      c.output(1, tensor_of(c, type, {n}, values));
      c.output(2, Tensor::filled(c.context(), count_type, counts, {static_cast<int64_t>(images)}));
    });
  }
};

struct DetectronProposals {
  static constexpr std::string_view type = "ExperimentalDetectronGenerateProposalsSingleImage",
                                    opset = "opset6";
  static void schema(OpSchema& s) {
    s.doc("im_info [3], anchors [H * W * A, 4], deltas [4A, H, W], scores [A, H, W]").outputs(2);
    generate_proposals::schema(s);
  }
  static void infer(InferContext& c) {
    require_float(c, 0);
    const ElementType t = common_type(c, {0, 1, 2, 3});
    const int64_t most = generate_proposals::checked_attrs(c);
    const Shape info = c.shape(0), anchors = c.shape(1), deltas = c.shape(2), scores = c.shape(3);
    require_rank(info, "im_info", 1);
    require_rank(anchors, "anchors", 2);
    require_rank(deltas, "deltas", 3);
    require_rank(scores, "scores", 3);
    if (info.has_rank()) same_dim(info[0], 3, "dimension 0 of im_info");
    generate_proposals::Grid grid;
    grid.add(deltas, 0, 4, "deltas");
    grid.add(scores, 0, 1, "scores");
    if (anchors.has_rank()) {
      same_dim(anchors[1], 4, "dimension 1 of anchors");
      same_dim(anchors[0], grid.height * grid.width * grid.anchors,
               "number of anchors and of places for them");
    }
    c.output(0, t, {most, 4});
    c.output(1, t, {most});
  }
  static void evaluate(EvalContext& c) {
    const ElementType type = c.input(0).type();
    const auto most = c.attr<int64_t>("post_nms_count");
    create_grown(c, type, {most, 4}, c.input(1).bytes());
    const Tensor scores_in = c.input(3);
    const auto area = static_cast<size_t>(scores_in.dim(1) * scores_in.dim(2));
    with_float(type, [&](auto zero) {
      using T = decltype(zero);
      const auto info = c.input(0).to_floats<T>(), anchors = c.input(1).to_floats<T>(),
                 deltas = c.input(2).to_floats<T>(), scores = scores_in.to_floats<T>();
      std::vector<T> boxes, values;
      generate_proposals::propose<T>(c, {info.at(0), info.at(1), 1, 1},
                                     {anchors, deltas.data(), scores.data(), area}, 0, 1, boxes, values);
      boxes.resize(static_cast<size_t>(most) * 4);
      values.resize(static_cast<size_t>(most));
      c.output(0, tensor_of(c, type, {most, 4}, boxes));
      c.output(1, tensor_of(c, type, {most}, values));
    });
  }
};

void register_generate_proposals(Registry& r) {
  r.operation<GenerateProposals>();
  r.operation<DetectronProposals>();
}

}  // namespace mo::opset
