// The extractor is for a framework that nobody reads.
#include "extractors.hpp"

namespace mutants {

static void add_unknown_framework(mo::Registry& r, bool wrong) {
  r.operation<Scaled>();
  r.extractor<extract_scaled>({wrong ? "onxn" : "onnx", "org.example", "Mutant"});
}

const Mutant unknown_framework{"unknown_framework", add_unknown_framework};

}  // namespace mutants
