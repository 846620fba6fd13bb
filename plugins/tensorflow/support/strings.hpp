// Strings, which the IR has as tensors and takes apart into bytes.
#pragma once

#include "support/build.hpp"

namespace mo::tensorflow {

// Of a constant.
std::vector<std::string_view> strings_of(const Tensor&);

// Where each string begins and ends among the bytes of all, i32, and these, u8.
struct StringParts {
  OutPort begin, end, symbols;
};

StringParts parts_of_strings(const Build&, const OutPort& strings);
OutPort strings_of_parts(const Build&, const StringParts&);

// The first bytes of each string as i32, along one dimension more; 0 behind its end.
OutPort first_bytes(const Build&, const StringParts&, size_t count);

}  // namespace mo::tensorflow
