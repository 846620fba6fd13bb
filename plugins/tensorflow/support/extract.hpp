// What extractors share.
#pragma once

#include <mo/extract.hpp>

namespace mo::tensorflow {

template <auto Extract>
void extract(Registry& r, std::string_view op) {
  r.extractor<Extract>({"tf", "", op, 0, 0});
}

}  // namespace mo::tensorflow
