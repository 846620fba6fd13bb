// The best boxes, without those that overlap a better one.
#pragma once

#include <mo/build.hpp>

namespace mo::mxnet {

// Columns of a row with its box, score and class (less than 0: there is none), and what counts. Boxes of
// different classes do not overlap, but with `any_class`.
struct Suppression {
  int64_t box, score, id, background;
  int64_t most;           // of one picture, where it is more than 0
  double overlap, least;  // above which a box goes, above which a score counts
  bool any_class, from_center;
};

// Rows [batch, rows, numbers] in the order of their scores, and [batch, rows, 1]: whether a row is there;
// those that are not come last.
struct BestRows {
  OutPort rows, there;
};
BestRows best_rows(const Build& b, const Suppression& s, const OutPort& x);

}  // namespace mo::mxnet
