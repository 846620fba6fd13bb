// Strings as three lists: where each begins and ends, and the bytes of all, which operations on numbers work with.
#pragma once

#include "support/build.hpp"

namespace mo::tensorflow {

// Each operation is added to the graph that `b` builds. Indices are i64; `begins` and `ends` have the strings' shape.
class Strings {
 public:
  // Those of a tensor; of one that has just been put together, its parts.
  static Strings of(const Build& b, const OutPort& tensor);
  static Strings constant(const Build& b, const Tensor& tensor);

  Strings(OutPort begins, OutPort ends, OutPort symbols)
      : begins_(std::move(begins)), ends_(std::move(ends)), symbols_(std::move(symbols)) {}

  const OutPort& begins() const { return begins_; }
  const OutPort& ends() const { return ends_; }
  const OutPort& symbols() const { return symbols_; }  // u8, one dimension
  OutPort packed(const Build& b) const;

  // Whether each of these is the same as each of `keys`, a constant: the shape of these, and a dimension for the keys.
  OutPort is_each_of(const Build& b, const Tensor& keys) const;

 private:
  OutPort begins_, ends_, symbols_;
};

std::vector<std::string_view> list_of_strings(const Tensor& t);

}  // namespace mo::tensorflow
