// What numbers and tables of the format mean.
#pragma once

#include "loader/document.hpp"
#include "loader/expressions.hpp"

#include <mo/shape.hpp>
#include <mo/types.hpp>

#include <string>
#include <vector>

namespace mo::pytorch {

struct ScalarType {
  ElementType type = ElementType::unknown;  // of complex numbers that of their parts
  bool is_complex = false;
};
// An error for types that the IR does not have.
ScalarType scalar_type(int64_t code);

// What the program says of a tensor; one of complex numbers has a last dimension of two.
struct TensorMeta {
  ScalarType type;
  Shape shape;
  std::vector<std::string> dim_names;  // symbols; "" where it is none
};
TensorMeta read_tensor_meta(const Value& meta, const Ranges& ranges);

// As an integer, or 0 where it is an expression.
int64_t fixed_size(const Value& sym_int);

}  // namespace mo::pytorch
