// What front transformations share: one ONNX operator becomes operations of the operation sets.
//
//   static Ports reciprocal(Build& b, const SourceNode&) {
//     return {b.divide(b.like(b.in(0), 1), b.in(0))};
//   }
//   void register_reciprocal(Registry& r) {
//     replace<reciprocal>(r, {"Reciprocal", "Reciprocal(x)", "Divide(1, x)"});
//   }
//
// Types are known early (loader/value_types.hpp). What depends on a rank that is not known yet is computed by
// nodes; middle.fold_ranks makes constants of them.
#pragma once

#include <mo/build.hpp>

namespace mo::onnx {

// A damaged model may hold an axis that is beyond any rank, and lists are made that long: an error that
// begins with `what`. Otherwise the axis.
int64_t checked_axis(int64_t axis, std::string_view what);
// Attribute 'axis', checked.
int64_t axis_of(const SourceNode& n);  // error when it is absent
int64_t axis_of(const SourceNode& n, int64_t fallback);

// A vector of one element is taken for a scalar, as many exporters write it.
OutPort as_scalar(const Build& b, const OutPort& x);
// Dimensions before `axis` become one, and those from it on another.
OutPort to_matrix(const Build& b, const OutPort& x, int64_t axis);

struct ReplacementText {
  std::string_view op, before, after;
  std::string_view domain = {};
  std::string_view run_before = {};  // id of another transformation
  std::string_view also = {};        // another domain that has the same operator
};

template <MakeOperator Make>
void replace(Registry& r, const ReplacementText& t) {
  r.transformation<ReplaceOperator<Make>>(
      OperatorText{"onnx", t.op, t.before, t.after, t.domain, t.run_before, t.also});
}

}  // namespace mo::onnx
