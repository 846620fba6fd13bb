// The extractor makes an operation that nobody defines.
#include "extractors.hpp"

namespace mutants {

static void extract_undefined(mo::SourceNode& node) { node.set_op("Zapp", opset); }

const Mutant undefined_operation{"undefined_operation", add_extractor<extract_undefined, extract_scaled>};

}  // namespace mutants
