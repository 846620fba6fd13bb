// What a StridedSlice or a Slice with constant bounds does to each dimension.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

struct SlicedDim {
  enum class Kind : uint8_t { whole, part, gone, made };
  Kind kind = Kind::whole;
  size_t axis = 0;  // of the input; of no meaning where the dimension is made
  int64_t begin = 0, end = 0, stride = 1;
  bool from_first = true, to_last = true;
};

// The elements of a constant input; nothing for what may change with the shapes of inputs.
std::optional<std::vector<int64_t>> constant_ints(const Node&, size_t input);

// In the order of the result, with those that are gone between them. Nothing when bounds are not constant or
// the rank is not known.
std::optional<std::vector<SlicedDim>> sliced_dims(const Node&);

// Elements of a dimension: `count` of them from `first` on, in steps.
struct TakenElements {
  int64_t first = 0, stride = 1, count = 0;
  int64_t at(int64_t i) const { return first + i * stride; }
};

// Which ones are taken where the dimension has so many. The count may be as large as that.
TakenElements taken(const SlicedDim&, int64_t size);

}  // namespace mo::builtin_passes
