// mo/extract_reductions.hpp: extractors of operators that TensorFlow and TensorFlow Lite have alike, in
// C++20. The axes are an input; attributes are as both formats spell them.
#ifndef MO_EXTRACT_REDUCTIONS_HPP
#define MO_EXTRACT_REDUCTIONS_HPP

#include <mo/extract.hpp>

#if __cplusplus >= 202002L

namespace mo {

template <Name Type, Name Opset = "opset1">
void extract_reduction(SourceNode& n) {
  const bool keep = n.native("keep_dims", false);
  n.set_op(Type, Opset);
  n.set("keep_dims", keep);
}

inline void extract_running_sum(SourceNode& n) {
  const bool exclusive = n.native("exclusive", false), reverse = n.native("reverse", false);
  n.set_op("CumSum", "opset3");
  n.set("exclusive", exclusive).set("reverse", reverse);
}

}  // namespace mo

#endif  // C++20

#endif
