// MatrixNms and MulticlassNms: boxes selected for each class of each image as rows [class, score, corners],
// where they were in the input, and how many each image has.
#pragma once

#include "support/suppression.hpp"

namespace mo::opset::class_boxes {

void schema(OpSchema& s);  // attributes of both
struct Limits {
  int64_t per_class, per_image, background;  // -1: none
};
// As runtimes read it.
void name_the_order(const Node&, IrAttributes&);
Limits limits(const OpContext& c);
// How many boxes may be selected for each of the images, of `boxes` for each of `classes`.
Dim selected_per_image(const Limits& l, const Dim& boxes, const Dim& classes);
// `all`: how many for all images.
void outputs(const InferContext& c, const Dim& per_image, const Dim& all, const Dim& images);

struct Row {
  double score;
  size_t image, label, box;  // box: of the image
  size_t place;              // in the input
  std::array<double, 4> corners;
};
// The boxes of one image in the order the attributes ask for, the best ones when there are too many.
void arrange_image(const OpContext& c, std::vector<Row>& rows);
// And all of them, when they are sorted across images; then the outputs.
void finish(const EvalContext& c, std::vector<Row>& rows, const std::vector<int64_t>& per_image);

}  // namespace mo::opset::class_boxes
