// Rows of the best boxes, without those that overlap a better one of their class; rows of -1 take the
// place of what is dropped.
#include "support/boxes.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"
#include "support/suppression.hpp"

namespace mo::mxnet {

namespace suppression {

static bool is_center(const SourceNode& n, std::string_view name) {
  const auto form = n.native(name, "corner");
  require(form == "corner" || form == "center", "attribute '", name, "' is '", form,
          "'; expected corner or center");
  return form == "center";
}

static Suppression read(const SourceNode& n) {
  return {n.native("coord_start", 2),    n.native("score_index", 1),
          n.native("id_index", -1),      n.native("background_id", -1),
          n.native("topk", -1),          n.native("overlap_thresh", 0.5),
          n.native("valid_thresh", 0.0), n.native("force_suppress", false),
          is_center(n, "in_format")};
}

static OutPort in_format(const Build& b, const Suppression& s, bool to_center, const OutPort& rows,
                         int64_t width) {
  if (s.from_center == to_center) return rows;
  const OutPort boxes = columns(b, rows, s.box, 4);
  Ports parts;
  if (s.box > 0) parts.push_back(columns(b, rows, 0, s.box));
  parts.push_back(to_center ? to_centers(b, boxes) : to_corners(b, boxes));
  if (s.box + 4 < width) parts.push_back(columns(b, rows, s.box + 4, width - s.box - 4));
  return b.concat(parts, 2);
}

static Ports box_nms(Build& b, const SourceNode& n) {
  const Suppression s = read(n);
  const size_t rank = rank_of(b, b.in(0));
  require(rank >= 2, "it reads ", rank, " dimensions; expected rows of boxes");
  const int64_t width = dim_of(b, b.in(0), rank - 1);
  require(s.box >= 0 && s.box + 4 <= width && s.score >= 0 && s.score < width && s.id < width,
          "attributes 'coord_start', 'score_index' and 'id_index' are ", s.box, ", ", s.score, " and ", s.id,
          ", but a row has ", width, " numbers");
  const OutPort count = b.dim(b.in(0), static_cast<int64_t>(rank) - 2);
  const OutPort x =
      rank == 3 ? b.in(0) : b.reshape(b.in(0), b.concat({b.list({-1}), count, b.list({width})}));
  const BestRows best = best_rows(b, s, x);
  const OutPort rows =
      b.select(best.there, in_format(b, s, is_center(n, "out_format"), best.rows, width), b.like(x, -1));
  return {rank == 3 ? rows : b.reshape(rows, b.shape_of(b.in(0)))};
}

}  // namespace suppression

void register_box_nms(Registry& r) {
  convert<suppression::box_nms>(r, "_contrib_box_nms _contrib_box_non_maximum_suppression",
                                "_contrib_box_nms(rows)",
                                "rows chosen by NonMaxSuppression, in the order of their scores");
}

}  // namespace mo::mxnet
