// Operators whose results look at the elements of what they read, so that writing into one is seen in the
// other.
#pragma once

#include <string_view>

namespace mo::pytorch {

enum class View {
  none,
  same,      // all elements as they are
  reshaped,  // in the same order
  if_dense,  // as `reshaped` where the elements lie one after the other, else a copy
  swapped,   // the operator is its own inverse
  permuted,  // argument 'dims' says where each dimension comes from
  moved,     // arguments 'source' and 'destination'
  some,      // some elements; the operator with _scatter puts them back
  narrowed,  // elements from 'start' on
  parts,     // a list of all elements in parts
  unbound,   // the same without the dimension
  repeated,  // writing into it means nothing
};
View view_of(std::string_view operator_base);

}  // namespace mo::pytorch
