// Dimensions, and lists for them, in another layout.
#include "support/build.hpp"

namespace mo::tensorflow {

namespace formats {

// Entry i: where letter i of `to` is in `from`.
static Ints places(const SourceNode& n, std::string_view list, std::string_view of) {
  const auto from = n.native(list, list == "src_format" ? "NHWC" : "NCHW");
  const auto to = n.native(of, of == "src_format" ? "NHWC" : "NCHW");
  require(from.size() == to.size(), "attributes 'src_format' and 'dst_format' differ in length");
  Ints places;
  for (const char letter : to) {
    const size_t at = from.find(letter);
    require(at != std::string::npos, "'", from, "' and '", to, "' are not of the same dimensions");
    places.push_back(static_cast<int64_t>(at));
  }
  return places;
}

static OutPort gathered(const Build& b, const OutPort& x, const OutPort& indices) {
  return b.gather(x, indices, 0);
}

}  // namespace formats

// A list for all dimensions, or only for the spatial ones, which keep their order.
static Ports permute_format(Build& b, const SourceNode& n) {
  const Ints order = formats::places(n, "src_format", "dst_format");
  const Shape s = b.in(0).shape();
  if (s.has_rank() && !s.empty() && s[0].is_static() &&
      s[0].value() + 2 == static_cast<int64_t>(order.size()))
    return bypass(n, b.in(0));
  return {formats::gathered(b, b.in(0), b.list(order))};
}

static Ports map_dimension(Build& b, const SourceNode& n) {
  const Ints map = formats::places(n, "dst_format", "src_format");
  const OutPort rank = b.like(b.in(0), static_cast<double>(map.size()));
  const OutPort from_start = b.op("FloorMod", "opset1", {b.in(0), rank});
  return {b.convert(formats::gathered(b, b.list(map), from_start), n.native("T", ElementType::i32))};
}

void register_data_formats(Registry& r) {
  replace<permute_format>(r, {"DataFormatVecPermute", "DataFormatVecPermute(x)", "Gather(x, order)"});
  replace<map_dimension>(r, {"DataFormatDimMap", "DataFormatDimMap(x)", "Gather(map, x)"});
}

}  // namespace mo::tensorflow
