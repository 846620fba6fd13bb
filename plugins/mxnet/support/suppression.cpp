#include "support/suppression.hpp"

#include "support/boxes.hpp"
#include "support/numbers.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace {

constexpr double none = -1e30;  // the score of a row that does not count

struct Ordered {
  OutPort scores, rows;
};
Ordered by_score(const Build& b, const OutPort& scores, const OutPort& rows, const OutPort& count) {
  const Node t = b.node("TopK", "opset3", {scores, b.reshape(count, b.list({}))}, 2);
  t.set("axis", 1).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i64);
  const Node g = b.node("Gather", "opset7", {rows, t.out_port(1), b.integer(1)});
  g.set("batch_dims", 1);
  return {t.out_port(0), g.out_port()};
}

// 1 for rows that stay, [batch, rows].
OutPort kept(const Build& b, const Suppression& s, const Ordered& o, const OutPort& count) {
  OutPort boxes = columns(b, o.rows, s.box, 4);
  if (s.from_center) boxes = to_corners(b, boxes);
  if (s.id >= 0 && !s.any_class) {
    // Boxes of different classes are moved apart.
    const OutPort reach = b.reduce("ReduceMax", b.op("Abs", "opset1", {boxes}), b.list({1, 2}), true);
    const OutPort step = b.add(b.multiply(reach, b.like(boxes, 2)), b.like(boxes, 1));
    boxes = b.add(boxes, b.multiply(columns(b, o.rows, s.id, 1), step));
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
  const OutPort row = b.add(b.multiply(places.out_port(0), count), places.out_port(2));
  const OutPort place = b.op("Maximum", "opset1", {b.add(row, b.integer(1)), b.integer(0)});
  const auto filled = [&](double v, const OutPort& shape) { return b.broadcast(number(v), shape); };
  const OutPort batch = b.part(b.shape_of(o.rows), 0, 1);
  const OutPort all = b.add(b.multiply(batch, count), b.list({1}));
  const OutPort marks =
      b.op("ScatterNDUpdate", "opset4", {filled(0, all), place, filled(1, b.part(b.shape_of(place), 0, 1))});
  return b.reshape(b.part(marks, 1, INT64_MAX), b.concat({batch, count}));
}

}  // namespace

BestRows best_rows(const Build& b, const Suppression& s, const OutPort& x) {
  const OutPort count = b.dim(x, 1);
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
  return {last.rows, b.unsqueeze(there, b.list({2}))};
}

}  // namespace mo::mxnet
