// What a layer reads: its bottoms, and behind them its weights.
#pragma once

#include <mo/build.hpp>

namespace mo::caffe {

// What the loader says of a layer beside what is in the file: how many of its inputs are bottoms.
inline constexpr std::string_view bottoms_attribute = "mo.bottoms";

size_t bottom_count(const SourceNode& l);
OutPort bottom(const SourceNode& l, size_t i);  // error when there are not so many
Ports bottoms(const SourceNode& l);

size_t blob_count(const SourceNode& l);
// With one -1 in `dims` that follows from the number of elements. An error says which file should have them;
// zeros, or `filler`, when --allow_missing_weights is given.
Tensor weights(const SourceNode& l, size_t i, Ints dims, double filler = 0);
Tensor weights(const SourceNode& l, size_t i);  // in their own shape; they must be there

}  // namespace mo::caffe
