// Sizes that are expressions of symbols: what is known of them.
#pragma once

#include "loader/document.hpp"

#include <mo/shape.hpp>

#include <map>
#include <string>
#include <string_view>

namespace mo::pytorch {

class Ranges {
 public:
  Ranges() = default;
  // range_constraints of a program.
  explicit Ranges(const Value& constraints);

  // The sizes that an expression may have, as SymPy's srepr or as people write it. What is not understood
  // may have any.
  Dim of(std::string_view expression) const;
  // The symbol that the expression is; "" when it is more than that.
  std::string symbol(std::string_view expression) const;

 private:
  std::map<std::string, Dim> known_;  // by one way of writing each
};

}  // namespace mo::pytorch
