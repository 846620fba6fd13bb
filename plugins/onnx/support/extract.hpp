// What extractors share.
#pragma once

#include <mo/extract.hpp>

namespace mo::onnx {

template <auto Extract>
void extract(Registry& r, std::string_view op, int32_t since = 0, int32_t until = 0) {
  r.extractor<Extract>({"onnx", "", op, since, until});
}

// Gathers what an extractor sets, for attributes that come over as they are.
template <class T>
void copy(SourceNode& n, std::string_view name, T fallback) {
  n.set(name, n.native(name, fallback));
}

}  // namespace mo::onnx
