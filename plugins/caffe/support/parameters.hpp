// Parameters of a layer, by their paths: loader/attributes.hpp. One that is absent has the value that the
// schema declares, or else the fallback.
#pragma once

#include <mo/build.hpp>

namespace mo::caffe {

using Reals = std::vector<double>;

// Whether the network sets it.
inline bool is_set(const SourceNode& l, std::string_view path) { return l.native(text(path, '?'), false); }
inline int64_t integer(const SourceNode& l, std::string_view path, int64_t fallback) {
  return l.native(path, fallback);
}
inline double real(const SourceNode& l, std::string_view path, double fallback) {
  return l.native(path, fallback);
}
inline bool flag(const SourceNode& l, std::string_view path, bool fallback) {
  return l.native(path, fallback);
}
inline std::string word(const SourceNode& l, std::string_view path, std::string_view fallback) {
  return l.native(path, std::string(fallback));
}
// Of one value, or of a list; empty when it is absent.
Ints integers(const SourceNode& l, std::string_view path);
Reals reals(const SourceNode& l, std::string_view path);

}  // namespace mo::caffe
