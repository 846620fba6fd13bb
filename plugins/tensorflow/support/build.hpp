// What front transformations share: one TensorFlow operator becomes operations of the operation sets.
//
//   static Ports reciprocal(Build& b, const SourceNode&) {
//     return {b.divide(b.like(b.in(0), 1), b.in(0))};
//   }
//   void register_reciprocal(Registry& r) {
//     replace<reciprocal>(r, {"Reciprocal", "Reciprocal(x)", "Divide(1, x)"});
//   }
//
// Types are known early, from the loader's tables of operators.
#pragma once

#include <mo/build.hpp>

namespace mo::tensorflow {

struct ReplacementText {
  std::string_view op, before, after;
  std::string_view run_before = {};  // id of another transformation
};

// What only floating point has, infinities above all, cannot be asked of other types.
inline void require_float(const OutPort& x, std::string_view what) {
  const ElementType t = x.type();
  require(t == ElementType::unknown || is_float(t), what, " has elements of type ", name(t),
          ", expected floating point");
}

// Convolutions come last: what is before them is inferred, see front/conv.cpp.
inline OperatorText operator_text(const ReplacementText& t) {
  const std::string_view next = t.run_before.empty() ? "tf.front.convolutions" : t.run_before;
  return {"tf", t.op, t.before, t.after, {}, next, {}};
}

template <MakeOperator Make>
void replace(Registry& r, const ReplacementText& t) {
  r.transformation<ReplaceOperator<Make>>(operator_text(t));
}

}  // namespace mo::tensorflow
