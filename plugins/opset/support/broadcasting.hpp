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
    // There is nothing to walk over, and beside a 0 the others may be too many.
    if (std::find(dims_.begin(), dims_.end(), 0) != dims_.end()) {
      size_ = 0;
      return;
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
    for (const int64_t d : dims_) size_ *= static_cast<size_t>(d);
  }
  const std::vector<int64_t>& dims() const { return dims_; }  // of the result
  size_t size() const { return size_; }                       // elements of the result
  // Elements in a row, of the result and of each operand or of one of its elements.
  size_t inner() const { return loops_.empty() ? 1 : static_cast<size_t>(loops_.back().count); }

  // row(first element of the result, first elements, steps (0 or 1) and number of elements of the operands)
  template <class Row>
  void rows(Row row) const {
    rows_in(0, size_, row);
  }
  // The rows, and parts of rows, of the `n` elements of the result from number `first` on.
  template <class Row>
  void rows_in(size_t first, size_t n, Row row) const {
    if (n == 0) return;
    std::array<size_t, N> at{}, steps{};
    std::vector<int64_t> index(loops_.size(), 0);
    size_t rest = first;
    for (size_t level = loops_.size(); level-- > 0;) {
      const Loop& l = loops_[level];
      const auto i = static_cast<int64_t>(rest % static_cast<size_t>(l.count));
      rest /= static_cast<size_t>(l.count);
      index[level] = i;
      for (size_t k = 0; k < N; ++k) at[k] += static_cast<size_t>(l.steps[k] * i);
    }
    for (size_t k = 0; k < N && !loops_.empty(); ++k) steps[k] = static_cast<size_t>(loops_.back().steps[k]);
    size_t skipped = first % inner();
    for (size_t out = first, end = first + n;; skipped = 0) {
      const size_t length = std::min(inner() - skipped, end - out);
      row(out, at, steps, length);
      out += length;
      if (out == end) return;
      for (size_t k = 0; k < N; ++k) at[k] -= skipped * steps[k];
      for (size_t level = loops_.size() - 1; level > 0; --level) {
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
  size_t size_ = 1;
  std::vector<Loop> loops_;
};

}  // namespace mo::opset
