#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace padding {

static Ports pad(Build& b, const SourceNode& n) {
  const Ints widths = ints_of(n, "pad_width");
  const auto mode = n.native<std::string>("mode");
  require(mode == "constant" || mode == "edge" || mode == "reflect", "attribute 'mode' is '", mode,
          "'; expected constant, edge or reflect");
  require(!widths.empty() && widths.size() % 2 == 0, "attribute 'pad_width' is ", widths,
          "; expected two numbers for each dimension");
  Ints begin, end;
  for (size_t i = 0; i < widths.size(); i += 2) {
    begin.push_back(widths[i]);
    end.push_back(widths[i + 1]);
  }
  Ports inputs{b.in(0), b.list(begin), b.list(end)};
  if (mode == "constant") inputs.push_back(b.like(b.in(0), n.native("constant_value", 0.0)));
  return {b.node("Pad", "opset1", inputs).set("pad_mode", mode).out_port()};
}

}  // namespace padding

void register_pad(Registry& r) { convert<padding::pad>(r, "Pad pad", "Pad(x)", "Pad(x, begin, end, value)"); }

}  // namespace mo::mxnet
