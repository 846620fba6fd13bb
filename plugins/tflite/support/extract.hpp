// What extractors share.
#pragma once

#include <mo/extract.hpp>

namespace mo::tflite {

template <auto Extract>
void extract(Registry& r, std::string_view op) {
  r.extractor<Extract>({"tflite", "", op, 0, 0});
}

}  // namespace mo::tflite
