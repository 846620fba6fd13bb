// Boxes that a detector starts from, as its generator of anchors makes them.
#pragma once

#include "support/detector_settings.hpp"

namespace mo::tensorflow {

// The boxes around each point of one feature map, in pixels.
struct AnchorLevel {
  std::vector<double> widths, heights;
  double step = 0;  // from point to point; 0: as many as fit the picture
  double offset = 0.5;
};

// Nothing where the generator is none that PriorBoxClustered can follow.
std::optional<std::vector<AnchorLevel>> anchor_levels(const DetectorSettings& s);

}  // namespace mo::tensorflow
