// Other types, and numbers within bounds.
#include "support/registering.hpp"
#include "support/types.hpp"

namespace mo::mxnet {

namespace casting {

// Floats become integers without what is after the point.
static Ports cast(Build& b, const SourceNode& n) { return {b.convert(b.in(0), type_of(n))}; }

static Ports clip(Build& b, const SourceNode& n) {
  return {b.clamp(b.in(0), n.native<double>("a_min"), n.native<double>("a_max"))};
}

}  // namespace casting

void register_casting(Registry& r) {
  convert<casting::cast>(r, "Cast cast amp_cast _npi_cast", "Cast(x, dtype)", "Convert(x)");
  convert<casting::clip>(r, "clip _npi_clip", "clip(x, a_min, a_max)", "Clamp(x)");
}

}  // namespace mo::mxnet
