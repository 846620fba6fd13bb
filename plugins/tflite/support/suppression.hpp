// Boxes that overlap better ones are left out.
#pragma once

#include "support/build.hpp"

namespace mo::tflite {

struct Suppression {
  OutPort boxes, scores;          // [batch, box, 4] corners; [batch, class, box]
  OutPort limit, overlap, least;  // scalars: boxes of a class, i64; IoU and score, f32
  OutPort soft_sigma = {};
};
// Rows (batch, class, box), and (batch, class, score).
struct Selection {
  OutPort rows, scores;
};
Selection suppressed(const Build& b, const Suppression& s);

// A list with zeros behind it, or cut off, so that it has `size` elements, a list of one.
OutPort padded_to(const Build& b, const OutPort& list, const OutPort& size, ElementType type);

}  // namespace mo::tflite
