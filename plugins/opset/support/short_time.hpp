// What short-time Fourier transforms have in common: frames and their window.
#pragma once

#include "support/fourier.hpp"
#include "support/inference.hpp"

namespace mo::opset {

namespace short_time {

// A scalar input that must be 1 or more; 1 or more is also all that is certain where its value is not known.
inline Interval size_input(const InferContext& c, size_t input, std::string_view what) {
  require_integer(c, input);
  require_elements(c, input, what, 1);
  const Interval v = intervals_or_unknown(c, input, 1)[0];
  require(v.hi >= 1, what, " is ", v.hi, "; expected 1 or more");
  return {std::max<int64_t>(v.lo, 1), v.hi};
}

inline void check_window(const InferContext& c, const Interval& frame_size) {
  common_type(c, {0, 1});
  const Shape window = c.shape(1);
  require_rank(window, "the window", 1);
  if (!window.has_rank()) return;
  require(window[0].is_unbounded() || window[0].max > 0, "the window is empty");
  require(window[0].min <= frame_size.hi, "the window has ", window[0],
          " elements; expected at most frame_size, ", frame_size.hi);
}

// The window in the middle of a frame.
template <class E>
std::vector<double> padded_window(const Tensor& window, int64_t frame_size) {
  const Numbers<E> w(window);
  std::vector<double> padded(static_cast<size_t>(frame_size));
  const size_t first = (padded.size() - w.size()) / 2;
  for (size_t i = 0; i < w.size(); ++i) padded[first + i] = static_cast<double>(w[i]);
  return padded;
}

inline int64_t scalar(const EvalContext& c, size_t input, std::string_view what) {
  const auto list = c.input(input).to_ints();
  require(list.size() == 1 && list[0] >= 1, what, " is ", list, "; expected one number of at least 1");
  return list[0];
}

// Sizes common to both directions.
struct Frames {
  int64_t size, step;
  explicit Frames(const EvalContext& c) : size(scalar(c, 2, "frame_size")), step(scalar(c, 3, "frame_step")) {
    const Tensor window = c.input(1);
    require(window.rank() == 1 && window.type() == c.input(0).type(), "the window is ", name(window.type()),
            window.shape(), "; expected rank 1 and the type of the data");
    require(window.dim(0) >= 1 && window.dim(0) <= size, "the window has ", window.dim(0),
            " elements; expected 1 to frame_size, ", size);
  }
};

}  // namespace short_time

}  // namespace mo::opset
