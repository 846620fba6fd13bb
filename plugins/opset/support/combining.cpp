#include "support/combining.hpp"

#include "support/movement.hpp"

namespace mo::opset {

namespace combining {

// Shorter rows of an operand are not worth a reading each.
constexpr size_t long_row = 1024;
// Operands that are stretched and not larger are kept in memory.
constexpr uint64_t few_bytes = uint64_t{1} << 16;

// The bytes of a tensor in memory, whatever becomes of the file they are in.
static Tensor in_memory(Context c, const Tensor& t) {
  if (t.is_lazy()) {
    (void)t.data();
    return t;
  }
  const auto copy = Tensor::create_bytes(c, t.type(), t.dims());
  if (t.bytes() != 0) t.read(c, 0, t.bytes(), static_cast<char*>(copy.second));
  return copy.first;
}

// How the elements of an operand come to a window of the result.
template <size_t N>
class Operands {
 public:
  Operands(Context c, const std::array<Tensor, N>& in, const Walk<N>& walk, ElementType type)
      : in_(in), walk_(walk), width_(width_of(type)) {
    for (size_t k = 0; k < N; ++k) {
      widths_[k] = width_of(in[k].type());
      if (in[k].size() == walk.size())
        ways_[k] = Way::side_by_side;
      else if (in[k].bytes() > few_bytes && walk.inner() >= long_row)
        ways_[k] = Way::by_rows;
      else
        in_[k] = in_memory(c, in[k]);
    }
  }

  // What is read.
  std::vector<Tensor> tensors() const { return {in_.begin(), in_.end()}; }

  void read(Context c, uint64_t offset, uint64_t bytes, char* to, const RowOf<N>& row) const {
    const size_t most = piece_bytes / std::max(width_, *std::max_element(widths_.begin(), widths_.end()));
    size_t first = static_cast<size_t>(offset) / width_;
    const size_t end = first + static_cast<size_t>(bytes) / width_;
    std::array<std::unique_ptr<char[]>, N> pieces;
    for (size_t k = 0; k < N; ++k)
      if (ways_[k] != Way::in_memory) pieces[k].reset(new char[std::min(most, end - first) * widths_[k]]);
    for (; first < end; first += most) {
      const size_t n = std::min(most, end - first);
      for (size_t k = 0; k < N; ++k)
        if (ways_[k] == Way::side_by_side)
          in_[k].read(c, first * widths_[k], n * widths_[k], pieces[k].get());
      walk_.rows_in(
          first, n,
          [&](size_t o, const std::array<size_t, N>& at, const std::array<size_t, N>& steps, size_t length) {
            std::array<const char*, N> from{};
            for (size_t k = 0; k < N; ++k)
              from[k] = elements(c, k, pieces[k].get(), o - first, at[k], steps[k] == 0 ? 1 : length);
            row(from, steps, to + (o - first) * width_, length);
          });
      to += n * width_;
    }
  }

 private:
  enum class Way { in_memory, side_by_side, by_rows };

  const char* elements(Context c, size_t k, char* piece, size_t in_window, size_t at, size_t n) const {
    if (ways_[k] == Way::in_memory) return static_cast<const char*>(in_[k].data()) + at * widths_[k];
    if (ways_[k] == Way::side_by_side) return piece + in_window * widths_[k];
    in_[k].read(c, at * widths_[k], n * widths_[k], piece);
    return piece;
  }

  std::array<Tensor, N> in_;
  Walk<N> walk_;
  size_t width_;
  std::array<size_t, N> widths_{};
  std::array<Way, N> ways_{};
};

}  // namespace combining

template <size_t N>
Tensor combined(const EvalContext& c, const std::array<Tensor, N>& in, const Walk<N>& walk, ElementType type,
                RowOf<N> row) {
  uint64_t all = 0, largest = 0;
  for (const Tensor& t : in) {
    all += t.bytes();
    largest = std::max(largest, t.bytes());
  }
  check_grown(type, walk.dims(), all);
  const size_t width = width_of(type);
  if (std::max<uint64_t>(largest, walk.size() * width) >= lazy_bytes) {
    combining::Operands<N> operands(c.context(), in, walk, type);
    std::vector<Tensor> bases = operands.tensors();
    return lazy_tensor(
        c.context(), type, walk.dims(), std::move(bases),
        [from = std::move(operands), f = std::move(row)](Context at, uint64_t offset, uint64_t bytes,
                                                         char* to) { from.read(at, offset, bytes, to, f); });
  }
  const auto out = Tensor::create_bytes(c.context(), type, walk.dims());
  std::array<const char*, N> data;
  std::array<size_t, N> widths;
  for (size_t k = 0; k < N; ++k) {
    data[k] = static_cast<const char*>(in[k].data());
    widths[k] = width_of(in[k].type());
  }
  walk.rows([&](size_t o, const std::array<size_t, N>& at, const std::array<size_t, N>& steps, size_t n) {
    std::array<const char*, N> from;
    for (size_t k = 0; k < N; ++k) from[k] = data[k] + at[k] * widths[k];
    row(from, steps, static_cast<char*>(out.second) + o * width, n);
  });
  return out.first;
}

template Tensor combined<2>(const EvalContext&, const std::array<Tensor, 2>&, const Walk<2>&, ElementType,
                            RowOf<2>);
template Tensor combined<3>(const EvalContext&, const std::array<Tensor, 3>&, const Walk<3>&, ElementType,
                            RowOf<3>);
template Tensor combined<5>(const EvalContext&, const std::array<Tensor, 5>&, const Walk<5>&, ElementType,
                            RowOf<5>);

Tensor mapped(const EvalContext& c, const Tensor& in, ElementType type, Mapping f) {
  const size_t from = width_of(in.type()), to = width_of(type), n = in.size();
  if (std::max(from, to) * n < lazy_bytes) {
    const auto out = Tensor::create_bytes(c.context(), type, in.dims());
    f(static_cast<const char*>(in.data()), static_cast<char*>(out.second), n);
    return out.first;
  }
  return lazy_tensor(
      c.context(), type, in.dims(), {in},
      [in, from, to, f = std::move(f)](Context at, uint64_t offset, uint64_t bytes, char* out) {
        const size_t most = piece_bytes / std::max(from, to);
        size_t i = static_cast<size_t>(offset) / to;
        const size_t end = i + static_cast<size_t>(bytes) / to;
        const std::unique_ptr<char[]> piece(new char[std::min(most, end - i) * from]);
        for (; i < end; i += most) {
          const size_t count = std::min(most, end - i);
          in.read(at, i * from, count * from, piece.get());
          f(piece.get(), out, count);
          out += count * to;
        }
      });
}

}  // namespace mo::opset
