// The extractor sets `kk`, the operation declares `k`: the IR gets the default.
#include "extractors.hpp"

namespace mutants {

static void extract_undeclared(mo::SourceNode& node) {
  node.set_op("Mutant", opset);
  node.set("kk", node.native<int64_t>("k", 3));
}

const Mutant undeclared_attribute{"undeclared_attribute", add_extractor<extract_undeclared, extract_scaled>};

}  // namespace mutants
