// Operators of one tensor that are one operation, with the type of what they read.
#include <mo/extract.hpp>

namespace mo::pytorch {

void register_unary(Registry& r) { r.extractor<becomes<"ReLU">>({"pytorch", "aten", "relu.default"}); }

}  // namespace mo::pytorch
