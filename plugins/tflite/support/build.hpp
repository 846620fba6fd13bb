// What front transformations share: one TensorFlow Lite operator becomes operations of the operation sets.
//
//   static Ports reciprocal(Build& b, const SourceNode&) {
//     return {b.divide(b.like(b.in(0), 1), b.in(0))};
//   }
//   void register_reciprocal(Registry& r) {
//     replace<reciprocal>(r, {"RECIPROCAL", "RECIPROCAL(x)", "Divide(1, x)"});
//   }
//
// Types are known early: the file states them.
#pragma once

#include <mo/build.hpp>

namespace mo::tflite {

struct ReplacementText {
  std::string_view op, before, after;
};

template <MakeOperator Make>
class Replace : public ReplaceOperator<Make> {
 public:
  explicit Replace(const ReplacementText& t) : ReplaceOperator<Make>({"tflite", t.op, t.before, t.after}) {
    this->id = "tflite.front.";
    for (const char c : t.op) this->id += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
};

template <MakeOperator Make>
void replace(Registry& r, const ReplacementText& t) {
  r.transformation<Replace<Make>>(t);
}

inline OutPort op1(const Build& b, std::string_view type, const Ports& inputs) {
  return b.op(type, "opset1", inputs);
}

// The shape of an input as the file states it. Only what other inputs could not change may be used of it.
Shape stated_shape(const SourceNode& n, size_t input);
// A dimension of it, counted from the end when negative; an error when the file does not state it.
int64_t stated_dim(const SourceNode& n, size_t input, int64_t axis);
// The rank of an input; an error when it is not known.
int64_t rank_of(const Build& b, const SourceNode& n, size_t input);

// All elements of an input that must be constant.
Ints constant_ints(const Build& b, size_t i, std::string_view what);
int64_t constant_int(const Build& b, size_t i, std::string_view what);

// The integers that a tensor of a quantized kernel has: real = scale * (integer - zero).
struct Levels {
  double scale = 0, zero = 0;
  explicit operator bool() const { return scale > 0; }
};
// Of input, or intermediate tensor, i; none where it is not quantized by one scale.
Levels input_levels(const SourceNode& n, size_t i);
Levels intermediate_levels(const SourceNode& n, size_t i);
// The nearest of signed integers of so many bits; x itself where there are no levels.
OutPort rounded(const Build& b, const OutPort& x, const Levels& levels, int bits);

// The fused activation of an operator, applied to what it computes.
OutPort activated(const Build& b, const SourceNode& n, const OutPort& x);
// x and a bias for its last dimension, when there is one, and the activation.
OutPort finished(const Build& b, const SourceNode& n, const OutPort& x, size_t bias);

}  // namespace mo::tflite
