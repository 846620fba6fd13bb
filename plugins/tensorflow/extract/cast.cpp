#include "support/extract.hpp"

namespace mo::tensorflow {

static void extract_cast(SourceNode& n) {
  const auto type = n.native<ElementType>("DstT");
  require(type != ElementType::unknown, "attribute 'DstT' is a type that the IR does not have");
  n.set_op("Convert", "opset1");
  n.set("destination_type", type);
}

void register_cast(Registry& r) { extract<extract_cast>(r, "Cast"); }

}  // namespace mo::tensorflow
