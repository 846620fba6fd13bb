#include "support/windows.hpp"

namespace mo::tensorflow {

Layout read_layout(const SourceNode& n) {
  const auto format = n.native("data_format", "NHWC");
  if (format == "NHWC") return {true, 2};
  if (format == "NCHW") return {false, 2};
  if (format == "NDHWC") return {true, 3};
  if (format == "NCDHW") return {false, 3};
  fail("attribute 'data_format' is '", format, "', expected NHWC, NCHW, NDHWC or NCDHW");
}

OutPort to_channels_first(const Build& b, const Layout& l, const OutPort& x) {
  return l.channels_last ? b.channels_first(x, l.rank()) : x;
}

OutPort from_channels_first(const Build& b, const Layout& l, const OutPort& x) {
  return l.channels_last ? b.channels_last(x, l.rank()) : x;
}

Ints spatial_part(const Layout& l, const Ints& all, std::string_view name) {
  require(all.size() == l.spatial + 2, "'", name, "' is ", all, ", expected ", l.spatial + 2, " numbers");
  require(all[0] == 1 && all[l.channel_axis()] == 1, "'", name, "' is ", all,
          "; windows over the batch and the channels are not supported");
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(l.first_spatial());
  Ints part(first, first + static_cast<std::ptrdiff_t>(l.spatial));
  for (const int64_t v : part)
    require(v > 0 && v <= INT32_MAX, "'", name, "' is ", all, "; expected positive numbers of 32 bits");
  return part;
}

Ints native_spatial_part(const SourceNode& n, const Layout& l, std::string_view name) {
  const auto all = n.find_native<Ints>(name).value_or(Ints{});
  return all.empty() ? Ints(l.spatial, 1) : spatial_part(l, all, name);
}

Padding read_padding(const SourceNode& n, const Layout& l) {
  const auto mode = n.native<std::string>("padding");
  Padding p{"explicit", Ints(l.spatial, 0), Ints(l.spatial, 0)};
  if (mode == "SAME" || mode == "VALID") {
    p.auto_pad = mode == "SAME" ? "same_upper" : "valid";
    return p;
  }
  require(mode == "EXPLICIT", "attribute 'padding' is '", mode, "', expected SAME, VALID or EXPLICIT");
  const auto pads = n.find_native<Ints>("explicit_paddings").value_or(Ints{});
  require(pads.size() == 2 * (l.spatial + 2), "attribute 'explicit_paddings' has ", pads.size(),
          " entries, expected ", 2 * (l.spatial + 2));
  for (size_t i = 0; i < l.spatial + 2; ++i) {
    const int64_t begin = pads[2 * i], end = pads[2 * i + 1];
    const bool inside = i >= l.first_spatial() && i < l.first_spatial() + l.spatial;
    require(begin >= 0 && end >= 0 && begin <= INT32_MAX && end <= INT32_MAX && (inside || begin + end == 0),
            "attribute 'explicit_paddings' is ", pads, "; expected pads of the spatial dimensions only");
    if (!inside) continue;
    p.begin[i - l.first_spatial()] = begin;
    p.end[i - l.first_spatial()] = end;
  }
  return p;
}

void set_padding(const Node& n, const Padding& p) {
  n.set("auto_pad", p.auto_pad).set("pads_begin", p.begin).set("pads_end", p.end);
}

}  // namespace mo::tensorflow
