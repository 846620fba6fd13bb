// Operations that only move elements: one description of the copies serves values and bounds.
#pragma once

#include "support/elements.hpp"
#include "support/inference.hpp"

namespace mo::opset {

using Dims = std::vector<int64_t>;

int64_t count_of(const Dims& dims);    // error on overflow
Dims dense_strides(const Dims& dims);  // row-major, in elements

// A box of elements copied from one strided layout to another; steps and starts count elements.
struct Copy {
  Dims counts, from, to;
  int64_t from_start = 0, to_start = 0;
};

// The same with loops of one element gone, and neighbours that run evenly as one.
Copy collapsed(const Copy& c);

// What an output consists of: `copies` out of input 0, in order. Elements no copy reaches are 0.
struct Movement {
  Dims dims;
  std::vector<Copy> copies;
};

// A dense result that reads its one input through these strides.
Movement gathered(const Dims& dims, const Dims& from, int64_t from_start = 0);

// Runs copies on elements of 1, 2, 4, 8 or 16 bytes.
void run_copies(const std::vector<Copy>& copies, const void* in, void* out, size_t width);

// out[i, k, …] = in[lists[0][i], lists[1][k], …]; where a list has -1, nothing is written.
void run_lists(const std::vector<Dims>& lists, const Dims& in_dims, const void* in, void* out, size_t width);

// Sub-byte elements are moved as bytes: `unpacked` gives a u8 tensor, `repacked` turns it back.
Tensor unpacked(const EvalContext& c, const Tensor& t);
Tensor repacked(const EvalContext& c, const Tensor& bytes, ElementType type);

inline bool is_packed(ElementType t) { return bits(t) < 8; }
inline Tensor in_bytes(const EvalContext& c, const Tensor& t) {
  return is_packed(t.type()) ? unpacked(c, t) : t;
}
inline Tensor of_type(const EvalContext& c, const Tensor& bytes, ElementType type) {
  return is_packed(type) ? repacked(c, bytes, type) : bytes;
}
// Bytes of one element. Error for types without a fixed size.
size_t width_of(ElementType t);

// The value of the movement; a view where the elements are one run of the input.
Tensor moved(const EvalContext& c, const Tensor& in, const Movement& m);
std::vector<Interval> moved(const std::vector<Interval>& in, const Movement& m);

// Sets output 0 to `shape` and, when bounds of input 0 are worth it, to the intervals that make(dims) moves
// there; make returns std::optional<Movement>.
template <class Make>
void output_moved(const InferContext& c, uint32_t output, const Shape& shape, Make make) {
  const ElementType t = c.type(0);
  if (may_have_bounds(t, shape) && bounds_wanted(c, {0}))
    if (const std::optional<Movement> m = make(c.shape(0).to_static()))
      return output_intervals(c, output, t, shape, moved(*intervals(c, 0), *m));
  c.output(output, t, shape);
}

}  // namespace mo::opset
