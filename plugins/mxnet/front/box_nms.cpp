// Rows of the best boxes, without those that overlap a better one of their class; rows of -1 take the
// place of what is dropped.
#include "support/boxes.hpp"
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace suppression {

constexpr double none = -1e30;  // the score of a row that does not count

struct Settings {
  int64_t box, score, id, background, most;
  double overlap, least;
  bool any_class, from_center, to_center;
};

static bool is_center(const SourceNode& n, std::string_view name) {
  const auto form = n.native(name, "corner");
  require(form == "corner" || form == "center", "attribute '", name, "' is '", form,
          "'; expected corner or center");
  return form == "center";
}

static Settings read(const SourceNode& n) {
  return {n.native("coord_start", 2),    n.native("score_index", 1),
          n.native("id_index", -1),      n.native("background_id", -1),
          n.native("topk", -1),          n.native("overlap_thresh", 0.5),
          n.native("valid_thresh", 0.0), n.native("force_suppress", false),
          is_center(n, "in_format"),     is_center(n, "out_format")};
}

struct Ordered {
  OutPort scores, rows;
};
static Ordered by_score(const Build& b, const OutPort& scores, const OutPort& rows, const OutPort& count) {
  const Node t = b.node("TopK", "opset3", {scores, b.reshape(count, b.list({}))}, 2);
  t.set("axis", 1).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i64);
  const Node g = b.node("Gather", "opset7", {rows, t.out_port(1), b.integer(1)});
  g.set("batch_dims", 1);
  return {t.out_port(0), g.out_port()};
}

// 1 for rows that stay, [batch, rows].
static OutPort kept(const Build& b, const Settings& s, const Ordered& o, const OutPort& count) {
  OutPort boxes = columns(b, o.rows, s.box, 4);
  if (s.from_center) boxes = to_corners(b, boxes);
  if (s.id >= 0 && !s.any_class) {
    // Boxes of different classes are moved apart.
    const OutPort reach = b.reduce("ReduceMax", b.op("Abs", "opset1", {boxes}), b.list({1, 2}), true);
    const OutPort step = add(b, multiply(b, reach, b.like(boxes, 2)), b.like(boxes, 1));
    boxes = add(b, boxes, multiply(b, columns(b, o.rows, s.id, 1), step));
  }
  const auto number = [&](double v) {
    return b.constant(Tensor::scalar<float>(b.context(), static_cast<float>(v)));
  };
  const Node nms = b.node("NonMaxSuppression", "opset5",
                          {boxes, b.unsqueeze(o.scores, b.list({1})), b.reshape(count, b.list({})),
                           number(s.overlap), number(none / 10)},
                          3);
  nms.set("box_encoding", "corner").set("sort_result_descending", true).set("output_type", ElementType::i64);
  // A row that fills up has -1: its place is 0, which no box has.
  const Node places = b.node("Split", "opset1", {nms.out_port(0), b.integer(1)}, 3);
  places.set("num_splits", 3);
  const OutPort row = add(b, multiply(b, places.out_port(0), count), places.out_port(2));
  const OutPort place = b.op("Maximum", "opset1", {add(b, row, b.integer(1)), b.integer(0)});
  const auto filled = [&](double v, const OutPort& shape) { return broadcast(b, number(v), shape); };
  const OutPort batch = b.part(b.shape_of(o.rows), 0, 1);
  const OutPort all = add(b, multiply(b, batch, count), b.list({1}));
  const OutPort marks =
      b.op("ScatterNDUpdate", "opset4", {filled(0, all), place, filled(1, b.part(b.shape_of(place), 0, 1))});
  return b.reshape(b.part(marks, 1, INT64_MAX), b.concat({batch, count}));
}

static OutPort in_format(const Build& b, const Settings& s, const OutPort& rows, int64_t width) {
  if (s.from_center == s.to_center) return rows;
  const OutPort boxes = columns(b, rows, s.box, 4);
  Ports parts;
  if (s.box > 0) parts.push_back(columns(b, rows, 0, s.box));
  parts.push_back(s.to_center ? to_centers(b, boxes) : to_corners(b, boxes));
  if (s.box + 4 < width) parts.push_back(columns(b, rows, s.box + 4, width - s.box - 4));
  return b.concat(parts, 2);
}

static Ports box_nms(Build& b, const SourceNode& n) {
  const Settings s = read(n);
  const size_t rank = rank_of(b, b.in(0));
  require(rank >= 2, "it reads ", rank, " dimensions; expected rows of boxes");
  const int64_t width = dim_of(b, b.in(0), rank - 1);
  require(s.box >= 0 && s.box + 4 <= width && s.score >= 0 && s.score < width && s.id < width,
          "attributes 'coord_start', 'score_index' and 'id_index' are ", s.box, ", ", s.score, " and ", s.id,
          ", but a row has ", width, " numbers");
  const OutPort count = b.dim(b.in(0), static_cast<int64_t>(rank) - 2);
  const OutPort x =
      rank == 3 ? b.in(0) : b.reshape(b.in(0), b.concat({b.list({-1}), count, b.list({width})}));
  const OutPort scores = columns(b, x, s.score, 1), dropped = b.like(x, none);
  OutPort counts = b.op("Greater", "opset1", {scores, b.like(x, s.least)});
  if (s.id >= 0)
    counts = b.op("LogicalAnd", "opset1",
                  {counts, b.op("NotEqual", "opset1",
                                {columns(b, x, s.id, 1), b.like(x, static_cast<double>(s.background))})});
  Ordered o = by_score(b, b.squeeze(b.select(counts, scores, dropped), {2}), x, count);
  if (s.most > 0) {
    const OutPort places = b.range(b.integer(0), b.reshape(count, b.list({})), 1);
    o.scores = b.select(b.op("Less", "opset1", {places, b.integer(s.most)}), o.scores, dropped);
  }
  const OutPort stays = as_truth(b, kept(b, s, o, count));
  const Ordered last = by_score(b, b.select(stays, o.scores, dropped), o.rows, count);
  const OutPort there = b.op("Greater", "opset1", {last.scores, b.like(x, none / 10)});
  const OutPort rows =
      b.select(b.unsqueeze(there, b.list({2})), in_format(b, s, last.rows, width), b.like(x, -1));
  return {rank == 3 ? rows : b.reshape(rows, b.shape_of(b.in(0)))};
}

}  // namespace suppression

void register_box_nms(Registry& r) {
  convert<suppression::box_nms>(r, "_contrib_box_nms _contrib_box_non_maximum_suppression",
                                "_contrib_box_nms(rows)",
                                "rows chosen by NonMaxSuppression, in the order of their scores");
}

}  // namespace mo::mxnet
