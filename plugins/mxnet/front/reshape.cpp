// Reshape, with its codes: support/reshape_codes.hpp.
#include "support/registering.hpp"
#include "support/reshape_codes.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace reshaping_by_codes {

using Item = ReshapeItem;

static OutPort value_of(const Build& b, const OutPort& x, const Item& i) {
  if (i.end == 0) return b.list({i.number});
  OutPort size = b.dim(x, static_cast<int64_t>(i.begin));
  for (size_t d = i.begin + 1; d < i.end; ++d) size = b.multiply(size, b.dim(x, static_cast<int64_t>(d)));
  return i.divisor == 1 ? size : b.divide(size, b.list({i.divisor}));
}

// Numbers alone where they say it, so that the batch stays open; 0 at its place keeps a dimension.
static std::optional<Ints> plain(const OutPort& x, const std::vector<Item>& items) {
  Ints dims;
  size_t open = 0;
  for (const Item& i : items) open += i.end == 0 && i.number == -1 ? 1 : 0;
  for (size_t k = 0; k < items.size(); ++k) {
    const Item& i = items[k];
    const Shape s = x.shape();
    int64_t size = i.number;
    if (i.end != 0 && i.copies() && i.begin == k) {
      size = 0;
    } else if (i.end != 0) {
      size = 1;
      for (size_t d = i.begin; d < i.end && size > 0; ++d)
        size = s.has_rank() && s[d].is_static() ? size * s[d].value() : -1;
      if (size > 0) {
        require(size % i.divisor == 0, "dimension ", i.begin, " of ", s, " cannot be split by ", i.divisor);
        size /= i.divisor;
      } else if (open++ != 0) {
        return std::nullopt;
      }
    }
    dims.push_back(size);
  }
  return dims;
}

static OutPort reshaped(const Build& b, const OutPort& x, const std::vector<Item>& items) {
  (void)shape_of(b, x);
  if (const auto dims = plain(x, items)) return b.reshape(x, *dims);
  Ports parts;
  for (const Item& i : items) parts.push_back(value_of(b, x, i));
  return b.reshape(x, b.concat(parts));
}

// Files of the first releases: 0 is what is left.
static OutPort by_target_shape(const Build& b, const SourceNode& n) {
  Ints dims = ints_of(n, "target_shape");
  require(!dims.empty(), "attribute 'shape' is missing");
  for (int64_t& d : dims)
    if (d == 0) d = -1;
  if (n.native("keep_highest", false)) dims.front() = 0;
  return b.reshape(b.in(0), dims);
}

static Ports reshape(Build& b, const SourceNode& n) {
  const Ints codes = ints_of(n, "shape");
  if (codes.empty()) return {by_target_shape(b, n)};
  const bool reverse = n.native("reverse", false);
  const bool simple = std::all_of(codes.begin(), codes.end(), [](int64_t c) { return c >= -1; });
  if (simple && !reverse) return {b.reshape(b.in(0), codes)};
  return {reshaped(b, b.in(0), reshape_items(codes, rank_of(b, b.in(0)), reverse))};
}

}  // namespace reshaping_by_codes

void register_reshape(Registry& r) {
  convert<reshaping_by_codes::reshape>(r, "Reshape reshape _np_reshape _npx_reshape", "Reshape(x, codes)",
                                       "Reshape(x, sizes)");
}

}  // namespace mo::mxnet
