#include "apps/options/parse_shape.hpp"

#include "core/support/numbers.hpp"

namespace mo::core {

namespace {

constexpr const char* forms = "; a dimension is a number, '?', -1, or an interval like 1..8";

}  // namespace

Dim parse_dim(const OptionText& all, Letters word) {
  const std::string w = text_of(word);
  const auto fail = [&](const std::string& what) { return all.failure("MO0112", all.place(word), what); };
  if (w == "?" || w == "-1") return any_dim;
  if (const size_t dots = w.find(".."); dots != std::string::npos) {
    const std::string low = w.substr(0, dots), high = w.substr(dots + 2);
    const auto min = low.empty() ? 0 : parse_number<int64_t>(low);
    const auto max = high.empty() || high == "?" ? -1 : parse_number<int64_t>(high);
    if (!min || !max || *min < 0 || (low.empty() && high.empty()) ||
        (!high.empty() && high != "?" && *max < 0))
      throw fail("'" + w + "' is not an interval" + forms);
    if (*max != -1 && *max < *min) throw fail("the interval " + w + " is empty");
    return {*min, *max};
  }
  const auto v = parse_number<int64_t>(w);
  if (!v) throw fail("'" + w + "' is not a dimension" + forms);
  if (*v < 0) throw fail("dimension " + w + " is negative" + forms);
  return *v;
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

}  // namespace mo::core
