// Relu(x) -> ReLU(x)
#include "support/extract.hpp"

namespace mo::tensorflow {

void register_relu(Registry& r) { extract<becomes<"ReLU">>(r, "Relu"); }

}  // namespace mo::tensorflow
