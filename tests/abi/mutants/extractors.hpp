// An operation that extractors make, and what they have in common.
#pragma once

#include "mutants.hpp"

namespace mutants {

struct Scaled : Plain {
  static void schema(mo::OpSchema& s) { s.inputs(1, 3).outputs(1).attr<int64_t>("k", 1); }
};

template <void (*wrong_one)(mo::SourceNode&), void (*right_one)(mo::SourceNode&)>
void add_extractor(mo::Registry& r, bool wrong) {
  r.operation<Scaled>();
  const mo::ExtractorKey key{"onnx", "org.example", "Mutant"};
  if (wrong)
    r.extractor<wrong_one>(key);
  else
    r.extractor<right_one>(key);
}

inline void extract_scaled(mo::SourceNode& node) {
  node.set_op("Mutant", opset);
  node.set("k", node.native<int64_t>("k", 3));
}

}  // namespace mutants
