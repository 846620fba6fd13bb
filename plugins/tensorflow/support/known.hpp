// Numbers that an operation has as attributes and TensorFlow as inputs.
#pragma once

#include "support/build.hpp"

namespace mo::tensorflow {

// All elements of an input that is a Const. What follows from shapes may change with them, and stays
// computed.
inline std::optional<Ints> constant_ints(const Build& b, size_t i) {
  return b.has(i) && b.in(i).node().is("Const") ? b.ints(i) : std::nullopt;
}

// All elements of an input that is constant, or follows from constants and known shapes.
inline std::optional<Ints> known_ints(const Build& b, size_t i) {
  if (auto list = b.ints(i)) return list;
  if (!b.has(i)) return std::nullopt;
  b.graph().infer_marked();
  return b.ints(i);
}

inline Ints required_ints(const Build& b, size_t i, std::string_view what) {
  auto list = known_ints(b, i);
  require(list.has_value(), "input ", i, ", ", what,
          ", is not constant, but the operation has it as an attribute",
          hint("give the model fixed input shapes with --input_shape, or make it a constant"));
  return std::move(*list);
}

inline int64_t required_int(const Build& b, size_t i, std::string_view what) {
  const Ints list = required_ints(b, i, what);
  require(list.size() == 1, "input ", i, ", ", what, ", has ", list.size(), " elements, expected one");
  return list.front();
}

// Elements of a list whose shape is known early.
inline std::optional<size_t> known_length(const OutPort& list) {
  const Shape s = list.shape();
  if (!s.is_static() || s.rank() != 1) return std::nullopt;
  return static_cast<size_t>(s[0].value());
}

// A rank that is known early, perhaps after inference.
inline std::optional<size_t> known_rank(const Build& b, const OutPort& x) {
  if (!x.shape().has_rank()) b.graph().infer_marked();
  const Shape s = x.shape();
  return s.has_rank() ? std::optional(s.size()) : std::nullopt;
}

// Replaces operators once those that such numbers are computed with are replaced.
template <MakeOperator Make>
class ReplaceLate : public ReplaceOperator<Make> {
 public:
  explicit ReplaceLate(const OperatorText& t) : ReplaceOperator<Make>(t) {
    for (const char* earlier : {"identity", "rank", "size", "pack", "slice", "unpack", "strided_slice",
                                "squeeze", "expand_dims", "floor_div", "fill", "shape_n"})
      this->run_after.push_back(text("tf.front.", earlier));
  }
};

template <MakeOperator Make>
void replace_late(Registry& r, const ReplacementText& t) {
  r.transformation<ReplaceLate<Make>>(operator_text(t));
}

}  // namespace mo::tensorflow
