// Axes that only the run shows, whose number is known: what is computed of them in the graph.
#pragma once

#include <mo/build.hpp>

namespace mo::builtin_passes {

struct OpenAxes {
  int64_t rank, count;  // of the tensor they are put in or taken from; of the axes
};

// Of the axes at input 1; declines where they are known, or nobody knows how many they are.
OpenAxes open_axes(const Build&);

// boolean[n]: the axes at input 1 among `n` dimensions, counted from the end where they are negative.
OutPort marked_axes(const Build&, int64_t n);

// i64[n]: how many of the flags in front of each are set.
OutPort count_before(const Build&, const OutPort& flags);

}  // namespace mo::builtin_passes
