// Numpy broadcasting: the rule for shapes, and a walk over several operands at once.
#pragma once

#include "support/inference.hpp"

#include <array>

namespace mo::opset {

// The shape of an element-wise operation on inputs 0 and 1 by the attribute auto_broadcast.
Shape broadcast_inputs(const InferContext& c);
// Of `b` aligned with `a` from dimension `axis` on (-1: the last ones): 1s put behind it.
Shape align_pdpd(const Shape& a, const Shape& b, int64_t axis);
void add_auto_broadcast(OpSchema& s);
// What releases ask of auto_broadcast, for `ir_attrs` of an operation that has it.
void check_broadcast(const Node& n);

// Visits the elements of N dense operands that are broadcast against each other, in the order of the result.
template <size_t N>
class Walk {
 public:
  explicit Walk(const std::array<std::vector<int64_t>, N>& operands) {
    size_t rank = 0;
    for (const auto& o : operands) rank = std::max(rank, o.size());
    dims_.assign(rank, 1);
    for (const auto& o : operands)
      for (size_t i = 0; i < o.size(); ++i) {
        int64_t& d = dims_[rank - o.size() + i];
        require(d == 1 || o[i] == 1 || d == o[i], "shapes ", Shape(operands[0]), " and ", Shape(o),
                " do not broadcast");
        if (o[i] != 1) d = o[i];
      }
    std::array<std::vector<int64_t>, N> strides;
    for (size_t k = 0; k < N; ++k) {
      const auto& o = operands[k];
      strides[k].assign(rank, 0);
      int64_t step = 1;
      for (size_t i = o.size(); i-- > 0; step *= o[i])
        if (o[i] != 1) strides[k][rank - o.size() + i] = step;
    }
    collapse(strides);
  }
  const std::vector<int64_t>& dims() const { return dims_; }  // of the result

  // row(first element of the result, first elements, steps (0 or 1) and number of elements of the operands)
  template <class Row>
  void rows(Row row) const {
    for (const int64_t d : dims_)
      if (d == 0) return;
    std::array<size_t, N> at{}, steps{};
    const size_t inner = loops_.empty() ? 1 : static_cast<size_t>(loops_.back().count);
    for (size_t k = 0; k < N && !loops_.empty(); ++k) steps[k] = static_cast<size_t>(loops_.back().steps[k]);
    std::vector<int64_t> index(loops_.size(), 0);
    for (size_t out = 0;; out += inner) {
      row(out, at, steps, inner);
      size_t level = loops_.size();
      for (;;) {
        if (level <= 1) return;
        --level;
        const Loop& l = loops_[level - 1];
        for (size_t k = 0; k < N; ++k) at[k] += static_cast<size_t>(l.steps[k]);
        if (++index[level - 1] < l.count) break;
        for (size_t k = 0; k < N; ++k) at[k] -= static_cast<size_t>(l.steps[k] * l.count);
        index[level - 1] = 0;
      }
    }
  }

 private:
  struct Loop {
    int64_t count;
    std::array<int64_t, N> steps;
  };
  // Neighbouring dimensions that every operand runs through evenly become one loop.
  void collapse(const std::array<std::vector<int64_t>, N>& strides) {
    for (size_t i = 0; i < dims_.size(); ++i) {
      if (dims_[i] == 1) continue;
      Loop l{dims_[i], {}};
      bool joins = !loops_.empty();
      for (size_t k = 0; k < N; ++k) {
        l.steps[k] = strides[k][i];
        joins = joins && loops_.back().steps[k] == l.steps[k] * l.count;
      }
      if (joins) {
        l.count *= loops_.back().count;
        loops_.back() = l;
      } else
        loops_.push_back(l);
    }
  }
  std::vector<int64_t> dims_;
  std::vector<Loop> loops_;
};

}  // namespace mo::opset
