// Which type torch computes in: tensors with dimensions decide over those without, and these over numbers of
// Python, unless the latter are of a higher kind (boolean, integer, float).
#pragma once

#include <mo/types.hpp>

namespace mo::pytorch {

// The type that both fit into, as of two tensors with dimensions.
ElementType promote(ElementType a, ElementType b);

class Promotion {
 public:
  void add_tensor(ElementType type, bool has_dims);
  void add_number(ElementType type);  // boolean, i64 or f32
  ElementType type() const;

 private:
  ElementType dims_ = ElementType::unknown, scalars_ = ElementType::unknown, numbers_ = ElementType::unknown;
};

}  // namespace mo::pytorch
