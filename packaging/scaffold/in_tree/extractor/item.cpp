// @Name@ is Relu, until you write down what it is: attributes in, attributes out.
#include <mo/sdk.hpp>

namespace mo::@plugin@ {

static void extract_@name@(SourceNode& n) { n.set_op("ReLU", "opset1"); }

void register_@name@(Registry& r) { r.extractor<extract_@name@>({"@framework@", "", "@Name@"}); }

}  // namespace mo::@plugin@
