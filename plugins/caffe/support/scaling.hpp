// x * factors + shifts, along some dimensions: what batch normalisations and scales become. One right behind
// another becomes part of it.
#pragma once

#include "support/arithmetic.hpp"

namespace mo::caffe {

struct Scaling {
  std::vector<double> factors, shifts;  // empty: there are none
  Ints dims;                            // of both, broadcast with what is scaled
};

OutPort scaled(const Build& b, const OutPort& x, Scaling s);

// Dimensions so that `own` stands from dimension `axis` on in a tensor of `rank` dimensions.
Ints aligned_dims(const Ints& own, size_t axis, size_t rank);

}  // namespace mo::caffe
