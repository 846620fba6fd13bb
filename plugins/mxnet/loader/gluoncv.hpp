// Networks of gluoncv's SSD, whose end is written out in some two hundred operators.
#pragma once

#include "loader/symbol.hpp"

namespace mo::mxnet {

// An operator that is no one of MXNet: reads locations [batch, anchors * 4], scores [batch, anchors, classes]
// and anchors [1, anchors, 4] as centers and sizes. Attributes: those of box_nms, num_classes and variances.
constexpr std::string_view ssd_detection = "gluoncv.ssd_detection";

// What computes a box_nms becomes one such operator, under its name, and the outputs that depend on it become
// one. Error: there is no box_nms, or something else than the end of an SSD.
void join_ssd_detection(Symbol& s);

}  // namespace mo::mxnet
