#include "support/windows.hpp"

namespace mo::tflite {

Ints spatial_option(const SourceNode& n, std::string_view prefix, std::string_view suffix, size_t dims) {
  constexpr std::string_view letters = "dhw";
  Ints list;
  for (const char letter : letters.substr(letters.size() - dims)) {
    const std::string name = text(prefix, letter, suffix);
    const auto v = n.native<int64_t>(name);
    require(v > 0, "attribute '", name, "' is ", v, ", expected at least 1");
    list.push_back(v);
  }
  return list;
}

void set_windows(const Node& made, const SourceNode& n, size_t dims, bool dilated) {
  made.set("strides", spatial_option(n, "stride_", "", dims));
  if (dilated) made.set("dilations", spatial_option(n, "dilation_", "_factor", dims));
  made.set("auto_pad", n.native<std::string>("padding") == "SAME" ? "same_upper" : "valid");
  made.set("pads_begin", Ints(dims, 0)).set("pads_end", Ints(dims, 0));
}

OutPort filters_in_groups(const Build& b, const OutPort& w, int64_t groups) {
  return b.reshape(w, b.concat({b.list({groups, -1}), b.part(b.shape_of(w), 1, INT64_MAX)}));
}

}  // namespace mo::tflite
