#include "apps/options/parse_shape.hpp"

#include <mo/error.hpp>

#include "core/graph/parse_value.hpp"

namespace mo::app {

Dim parse_dim(const OptionText& all, Letters word) {
  try {
    return core::parse_dim(text_of(word));
  } catch (const Error& e) {
    throw all.failure("MO0112", all.place(word), e.what());
  }
}

Shape parse_shape(const OptionText& all, Letters inside) {
  inside = trim(inside);
  if (text_of(inside) == "...") return Shape::unknown();
  Shape shape;
  while (!inside.empty()) {
    size_t n = 0;
    while (n < inside.size() && !inside[n].is(',') && !inside[n].is_blank()) ++n;
    if (n == 0) throw all.failure("MO0112", inside.front().at, "a dimension is missing before the comma");
    shape.push_back(parse_dim(all, inside.first(n)));
    const size_t behind_last = inside[n - 1].at + 1;
    inside = trim(inside.subspan(n));
    if (inside.empty() || !inside.front().is(',')) continue;
    inside = trim(inside.subspan(1));
    if (inside.empty()) throw all.failure("MO0112", behind_last, "a dimension is missing after the comma");
  }
  return shape;
}

}  // namespace mo::app
