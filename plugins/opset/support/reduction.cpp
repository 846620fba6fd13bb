#include "support/reduction.hpp"

namespace mo::opset {

namespace {

Shape without_axes(const Shape& in, const std::vector<size_t>& axes, bool keep) {
  Shape out;
  for (size_t i = 0; i < in.size(); ++i) {
    const bool reduced = std::find(axes.begin(), axes.end(), i) != axes.end();
    if (!reduced || keep) out.push_back(reduced ? Dim(1) : in[i]);
  }
  return out;
}

}  // namespace

Shape reduced_shape(const InferContext& c, bool keep) {
  const Shape in = c.shape(0);
  const Dim count = vector_length(c, 1, "axes");
  if (!in.has_rank()) return in;
  if (const auto axes = axes_input(c, 1, in.size())) return without_axes(in, *axes, keep);
  if (count == Dim(in.rank())) return keep ? Shape::of_rank(in.size(), 1) : Shape();
  if (keep) {
    Shape out = in;
    for (Dim& d : out) d = unite(d, 1);
    return out;
  }
  if (!count.is_static()) return Shape::unknown();
  Shape out;  // some of the dimensions, in their order
  const auto n = static_cast<size_t>(count.value());
  for (size_t i = 0; i + n < in.size(); ++i) {
    Dim d = in[i];
    for (size_t k = 1; k <= n; ++k) d = unite(d, in[i + k]);
    out.push_back(d);
  }
  return out;
}

namespace {
// Offsets of all elements of a box, in its order.
Dims offsets(const Dims& counts, const Dims& strides) {
  Dims list{0};
  for (size_t i = 0; i < counts.size(); ++i) {
    Dims next;
    next.reserve(list.size() * static_cast<size_t>(counts[i]));
    for (const int64_t base : list)
      for (int64_t k = 0; k < counts[i]; ++k) next.push_back(base + k * strides[i]);
    list = std::move(next);
  }
  return list;
}
}  // namespace

Dims reduced_dims(const Dims& in, const std::vector<size_t>& axes, bool keep) {
  return without_axes(Shape(in), axes, keep).to_static();
}

ReductionPlan reduction_plan(const Dims& in, const std::vector<size_t>& axes, bool keep) {
  const Dims strides = dense_strides(in);
  Dims kept, kept_strides, reduced, reduced_strides;
  for (size_t i = 0; i < in.size(); ++i) {
    const bool away = std::find(axes.begin(), axes.end(), i) != axes.end();
    (away ? reduced : kept).push_back(in[i]);
    (away ? reduced_strides : kept_strides).push_back(strides[i]);
  }
  return {reduced_dims(in, axes, keep), offsets(kept, kept_strides), offsets(reduced, reduced_strides)};
}

ReductionReader::ReductionReader(Context c, Tensor in, const std::vector<size_t>& axes)
    : c_(c), in_(std::move(in)), width_(width_of(in_.type())) {
  std::vector<bool> away;  // of each loop
  for (size_t i = 0; i < in_.rank(); ++i) {
    const auto n = static_cast<size_t>(in_.dim(i));
    const bool reduced = std::find(axes.begin(), axes.end(), i) != axes.end();
    (reduced ? reduced_ : results_) *= n;
    if (n == 1) continue;
    if (!away.empty() && away.back() == reduced)
      loops_.back().count *= n;
    else {
      loops_.push_back({n, 0});
      away.push_back(reduced);
    }
  }
  size_t step = 1;
  for (size_t i = loops_.size(); i-- > 0;)
    if (!away[i]) {
      loops_[i].step = step;
      step *= loops_[i].count;
    }
  if (results_ == 0 || reduced_ == 0) {
    block_size_ = 0;
    if (results_ == 0) blocks_ = 0;
    return;
  }
  if (loops_.size() > 1 && !away[0]) {  // the results of one part of the tensor are complete before the next
    blocks_ = loops_[0].count;
    results_ /= blocks_;
    loops_.erase(loops_.begin());
  }
  index_.assign(loops_.size(), 0);
  for (const Loop& l : loops_) block_size_ *= l.count;
  if (in_.bytes() >= lazy_bytes) return;
  at_ = static_cast<const char*>(in_.data());
  ready_ = read_ = in_.size();
}

void ReductionReader::fill() {
  const size_t most = piece_bytes / width_, n = std::min(most, in_.size() - read_);
  if (piece_ == nullptr) piece_.reset(new char[most * width_]);
  in_.read(c_, read_ * width_, n * width_, piece_.get());
  at_ = piece_.get();
  ready_ = n;
  read_ += n;
}

bool ReductionReader::next(Piece& p) {
  if (in_block_ == block_size_) {
    in_block_ = 0;
    return false;
  }
  if (ready_ == 0) fill();
  const Loop row = loops_.empty() ? Loop{1, 0} : loops_.back();
  p = {at_, std::min(row.count - in_row_, ready_), result_, row.step};
  at_ += p.n * width_;
  ready_ -= p.n;
  in_block_ += p.n;
  in_row_ += p.n;
  result_ += p.n * row.step;
  if (in_row_ < row.count) return true;
  in_row_ = 0;
  result_ -= row.count * row.step;
  for (size_t level = loops_.empty() ? 0 : loops_.size() - 1; level-- > 0;) {
    result_ += loops_[level].step;
    if (++index_[level] < loops_[level].count) return true;
    result_ -= loops_[level].step * loops_[level].count;
    index_[level] = 0;
  }
  return true;
}

}  // namespace mo::opset
