// What the operators of ai.onnx.ml share: classical machine learning. Numbers are those of onnxruntime where
// the specification leaves them open.
#pragma once

#include "support/microsoft.hpp"

namespace mo::onnx::ml {

inline constexpr std::string_view domain = "ai.onnx.ml";

// [samples, features] as f32; a list is one sample.
OutPort samples(const Build& b, const OutPort& x);
// Numbers as f32 of these dimensions.
OutPort numbers(const Build& b, const std::vector<double>& values, const Ints& dims);
// NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO or PROBIT over the last dimension.
OutPort transformed(const Build& b, const OutPort& scores, std::string_view transform);
// Two columns of scores that are one number: those of the negative and of the positive class.
OutPort two_columns(const Build& b, const OutPort& negative, const OutPort& positive);
// The same of a score that is a share of 1, or that LOGISTIC makes one.
OutPort with_rest(const Build& b, const OutPort& score, std::string_view transform);

// Labels of classes. Those that are strings are given as numbers of classes, which is said once.
struct Labels {
  Ints values;
  size_t count() const { return values.size(); }
};
Labels labels_of(const Build& b, const SourceNode& n, std::string_view numbers, std::string_view strings);
// The labels of classes by their numbers; of the greatest entry in each row of [samples, classes].
OutPort labelled(const Build& b, const Labels& l, const OutPort& classes);
OutPort greatest(const Build& b, const Labels& l, const OutPort& scores);
// The second label where a condition holds, and else the first.
OutPort either(const Build& b, const Labels& l, const OutPort& positive);

}  // namespace mo::onnx::ml
