// Parts of a tensor along its dimensions, as variables that are divided are stored.
#pragma once

#include "loader/attributes.hpp"

namespace mo::tensorflow {

struct Extent {
  int64_t start = 0, length = -1;  // -1: the whole dimension
};
using Slice = std::vector<Extent>;  // empty: the whole tensor

Slice parse_slice(Bytes tensor_slice_proto);
// "10 20 0,5:-": the shape of the whole, and the part of it; "" is the whole. Errors name `text`.
struct SliceSpec {
  std::vector<int64_t> dims;
  Slice slice;
};
SliceSpec parse_slice_spec(std::string_view text);
// With the lengths of `dims`; an error when it does not fit into them.
Slice resolve_slice(const Slice&, const std::vector<int64_t>& dims);
// The key of a slice in a table.
std::string key_of_slice(std::string_view tensor, const Slice&);

// Puts parts of a tensor together: of elements of `width` bytes, or a region of it.
class Assembly {
 public:
  Assembly(const std::vector<int64_t>& dims, size_t width, const Slice& region, char* out);
  // Error when something of it was added before.
  void add(const Slice& slice, Bytes elements);
  bool complete() const;

 private:
  void copy(size_t dim, size_t from, size_t to, const Slice& slice, const Slice& common, Bytes elements);
  std::vector<int64_t> dims_;
  size_t width_;
  Slice region_;
  char* out_;
  std::vector<bool> filled_;
};

}  // namespace mo::tensorflow
