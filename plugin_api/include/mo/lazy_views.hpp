// Weights scaled, turned, converted and joined without a copy of them: each of these is a line of a
// transformation, and costs when the result is written.
#pragma once

#include <mo/half.hpp>
#include <mo/lazy.hpp>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace mo {

// Elements seen as outer x channels x inner: the channel of element i is i / inner % channels.
struct ChannelsOf {
  uint64_t channels = 1, inner = 1;
};

namespace detail {

template <class F>
auto with_float_type(ElementType t, F f) {
  switch (t) {
    case ElementType::f32:
      return f(
          0.0F, [](float v) { return v; }, [](auto v) { return static_cast<float>(v); });
    case ElementType::f64:
      return f(
          0.0, [](double v) { return v; }, [](auto v) { return static_cast<double>(v); });
    case ElementType::f16:
      return f(
          uint16_t{}, [](uint16_t v) { return half_to_float(v); },
          [](auto v) { return float_to_half(static_cast<float>(v)); });
    case ElementType::bf16:
      return f(
          uint16_t{}, [](uint16_t v) { return bfloat_to_float(v); },
          [](auto v) { return float_to_bfloat(static_cast<float>(v)); });
    default:
      fail(name(t), " is no floating-point type of 16 bits or more");
  }
}

// f(list index, element, n) for each piece of [first, first + n) in which the channel is one (`inner` > 1) or
// goes up by one from element to element (`inner` = 1).
template <class F>
void channel_runs(const ChannelsOf& v, uint64_t first, size_t n, F f) {
  const uint64_t run = v.inner > 1 ? v.inner : v.channels;
  for (size_t at = 0; at < n;) {
    const uint64_t i = first + at, in_run = i % run;
    const auto length = static_cast<size_t>(std::min<uint64_t>(run - in_run, n - at));
    f(v.inner > 1 ? i / v.inner % v.channels : in_run, at, length);
    at += length;
  }
}

// Loops of a length that is known become vector instructions.
template <class T, class Load, class Store>
void scale_run(T* data, size_t n, const double* factors, size_t step, Load load, Store store) {
  constexpr size_t lanes = 8;
  double f[lanes];
  for (double& x : f) x = *factors;
  size_t k = 0;
  for (; k + lanes <= n; k += lanes) {
    T v[lanes];
    std::memcpy(v, data + k, sizeof v);
    if (step != 0) std::memcpy(f, factors + k, sizeof f);
    for (size_t j = 0; j < lanes; ++j) v[j] = store(static_cast<double>(load(v[j])) * f[j]);
    std::memcpy(data + k, v, sizeof v);
  }
  for (; k < n; ++k) data[k] = store(static_cast<double>(load(data[k])) * factors[k * step]);
}

template <class T, class Load, class Store>
void scale_elements(T* data, uint64_t first, size_t n, const ChannelsOf& v, const double* factors, Load load,
                    Store store) {
  channel_runs(v, first, n, [&](uint64_t channel, size_t at, size_t length) {
    scale_run(data + at, length, factors + channel, v.inner > 1 ? 0 : 1, load, store);
  });
}

}  // namespace detail

// These are templates so that only files that call them compile them.

// Each element times the factor of its channel: computed in double, and rounded once to the type, which is
// f16, bf16, f32 or f64. One factor goes with all elements.
template <class = void>
Tensor lazy_scaled(Context c, const Tensor& from, ChannelsOf view, std::vector<double> factors) {
  if (factors.size() == 1) view = {1, std::max<uint64_t>(from.size(), 2)};
  require(factors.size() == view.channels && view.inner != 0, factors.size(), " factors for ", view.channels,
          " channels");
  return detail::with_float_type(from.type(), [&](auto stored, auto load, auto store) {
    using T = decltype(stored);
    return lazy_map<T>(c, from, [=, list = std::move(factors)](uint64_t first, T* data, size_t n) {
      detail::scale_elements(data, first, n, view, list.data(), load, store);
    });
  });
}

// Elements as `type`, rounded to the nearest; what is too large becomes infinite. Both are f16, bf16, f32 or
// f64.
template <class = void>
Tensor lazy_converted(Context c, const Tensor& from, ElementType type);

// Dimension i of the result is dimension order[i] of `from`. Types of whole bytes.
template <class = void>
Tensor lazy_transposed(Context c, const Tensor& from, const std::vector<int64_t>& order);

// The parts one after the other along dimension `axis`, in which alone they differ. Types of whole bytes.
template <class = void>
Tensor lazy_joined(Context c, const std::vector<Tensor>& parts, size_t axis);

namespace detail {

// A permutation of dimensions without those of 1, and with those that stay neighbours as one.
struct Permutation {
  std::vector<uint64_t> extents;  // of the result
  std::vector<uint64_t> strides;  // in the source, in elements
};

inline Permutation permutation_of(const std::vector<int64_t>& dims, const std::vector<int64_t>& order) {
  std::vector<uint64_t> strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * static_cast<uint64_t>(dims[i]);
  Permutation p;
  for (const int64_t o : order) {
    const auto extent = static_cast<uint64_t>(dims[static_cast<size_t>(o)]);
    const uint64_t stride = strides[static_cast<size_t>(o)];
    if (extent == 1) continue;
    if (!p.extents.empty() && p.strides.back() == stride * extent) {
      p.extents.back() *= extent;
      p.strides.back() = stride;
    } else {
      p.extents.push_back(extent);
      p.strides.push_back(stride);
    }
  }
  return p;
}

// A square of elements: row i lies at from + places[i] * width, and becomes column i of rows that are `pitch`
// bytes apart.
constexpr uint64_t square_side = 16;

template <class T>
void turn_one_square(const char* from, const uint64_t* places, uint64_t pitch, char* to) {
  T square[square_side][square_side];
  for (uint64_t i = 0; i < square_side; ++i)
    std::memcpy(square[i], from + places[i] * sizeof(T), sizeof square[i]);
  for (uint64_t j = 0; j < square_side; ++j) {
    T line[square_side];
    for (uint64_t i = 0; i < square_side; ++i) line[i] = square[i][j];
    std::memcpy(to + j * pitch, line, sizeof line);
  }
}

#ifdef __SSE2__
// Four by four in registers: compilers make single loads and stores of the above.
template <>
inline void turn_one_square<uint32_t>(const char* from, const uint64_t* places, uint64_t pitch, char* to) {
  constexpr uint64_t four = 4, width = sizeof(uint32_t);
  for (uint64_t j = 0; j < square_side; j += four)
    for (uint64_t i = 0; i < square_side; i += four) {
      __m128i r[four];
      for (uint64_t n = 0; n < four; ++n)
        r[n] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + (places[i + n] + j) * width));
      const __m128i a = _mm_unpacklo_epi32(r[0], r[1]), b = _mm_unpacklo_epi32(r[2], r[3]);
      const __m128i c = _mm_unpackhi_epi32(r[0], r[1]), d = _mm_unpackhi_epi32(r[2], r[3]);
      const __m128i turned[four] = {_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b),
                                    _mm_unpacklo_epi64(c, d), _mm_unpackhi_epi64(c, d)};
      for (uint64_t n = 0; n < four; ++n)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + (j + n) * pitch + i * width), turned[n]);
    }
}
#endif

// What is read in squares lies too far apart for processors to foresee it.
template <class T>
void foresee_square(const char* from, const uint64_t* places) {
  for (uint64_t i = 0; i < square_side; ++i) __builtin_prefetch(from + places[i] * sizeof(T));
}

// `rows` x `columns` elements of T: row r, column k lies at from[r + places[k]], and goes to to[r * pitch +
// k]. In squares, so that both sides use what they bring into the cache.
template <class T>
void turn_square(const char* from, const uint64_t* places, uint64_t rows, uint64_t columns, uint64_t pitch,
                 char* to) {
  constexpr uint64_t side = square_side, ahead = 2 * side;
  for (uint64_t k = 0; k < columns; k += side) {
    const uint64_t wide = std::min(side, columns - k);
    const bool more = k + ahead + side <= columns;
    uint64_t r = 0;
    for (; wide == side && r + side <= rows; r += side) {
      if (more) foresee_square<T>(from + r * sizeof(T), places + k + ahead);
      turn_one_square<T>(from + r * sizeof(T), places + k, pitch * sizeof(T),
                         to + (r * pitch + k) * sizeof(T));
    }
    for (; r < rows; ++r)
      for (uint64_t i = 0; i < wide; ++i)
        std::memcpy(to + (r * pitch + k + i) * sizeof(T), from + (places[k + i] + r) * sizeof(T), sizeof(T));
  }
}

inline void turn_squares(const char* from, const std::vector<uint64_t>& places, uint64_t rows, uint64_t pitch,
                         size_t width, char* to) {
  const auto turn = width == 1   ? turn_square<uint8_t>
                    : width == 2 ? turn_square<uint16_t>
                    : width == 4 ? turn_square<uint32_t>
                                 : turn_square<uint64_t>;
  turn(from, places.data(), rows, places.size(), pitch, to);
}

// Reads a tensor in another order of its dimensions. The part of it that the results at hand are in is kept,
// and a smaller part of the result, until the last result is read or others are.
class Turned {
 public:
  // Larger copies of the source are not kept.
  static constexpr uint64_t most_kept = uint64_t{1} << 24;

  Turned(Tensor from, Permutation p)
      : from_(std::move(from)), p_(std::move(p)), width_(static_cast<size_t>(bits(from_.type())) / 8) {
    total_ = 1;
    for (const uint64_t e : p_.extents) total_ *= e;
    row_ = total_ / p_.extents[0];
    rows_ = std::clamp<uint64_t>(most_kept / (row_ * width_), 1, p_.extents[0]);
    // What nearly stays in the cache of a processor, in whole squares. More rows at once cost more than they
    // save: each is in pages of its own.
    constexpr uint64_t at_hand = uint64_t{1} << 21;
    const uint64_t squares = std::max<uint64_t>(at_hand / (row_ * width_) / square_side, 1);
    turned_rows_ = std::min(squares * square_side, rows_);
  }
  uint64_t row_bytes() const { return row_ * width_; }

  void read(Context c, uint64_t offset, uint64_t bytes, char* to) {
    constexpr uint64_t few = 2048;
    uint64_t i = offset / width_;
    const uint64_t end = i + bytes / width_;
    if (bytes < few) return read_few(c, i, end, to);
    while (i < end) {
      keep(c, i / row_ / rows_ * rows_);
      turn(first_ + (i / row_ - first_) / turned_rows_ * turned_rows_);
      const uint64_t begin = turned_first_ * row_;
      const uint64_t n = std::min(end, begin + turned_count_ * row_) - i;
      std::memcpy(to, turned_.get() + (i - begin) * width_, n * width_);
      to += n * width_;
      i += n;
    }
    if (end != total_) return;
    kept_.reset();
    turned_.reset();
  }

 private:
  void read_few(Context c, uint64_t i, uint64_t end, char* to) const {
    for (; i < end; ++i, to += width_) {
      uint64_t at = 0, rest = i;
      for (size_t d = p_.extents.size(); d-- > 0; rest /= p_.extents[d])
        at += rest % p_.extents[d] * p_.strides[d];
      from_.read(c, at * width_, width_, to);
    }
  }

  // Rows [first, first + rows_) of the result are a range of one dimension of the source.
  void keep(Context c, uint64_t first) {
    if (kept_ != nullptr && first == first_) return;
    if (kept_ == nullptr) kept_.reset(new char[rows_ * row_ * width_]);
    first_ = turned_first_ = UINT64_MAX;  // while they are not whole
    kept_rows_ = std::min(rows_, p_.extents[0] - first);
    const uint64_t stride = p_.strides[0], whole = p_.extents[0] * stride;
    const uint64_t run = kept_rows_ * stride;
    char* at = kept_.get();
    const uint64_t step = run == whole ? total_ : whole, each = run == whole ? total_ : run;
    for (uint64_t source = first * stride; source < total_; source += step, at += each * width_)
      from_.read(c, source * width_, each * width_, at);
    kept_strides_ = p_.strides;
    for (size_t d = 1; d < kept_strides_.size(); ++d)
      if (kept_strides_[d] >= whole) kept_strides_[d] = kept_strides_[d] / whole * run;
    first_ = first;
  }

  // Rows of the result from those of the source that are kept.
  void turn(uint64_t first) {
    if (turned_ != nullptr && first == turned_first_) return;
    if (turned_ == nullptr) turned_.reset(new char[turned_rows_ * row_ * width_]);
    turned_first_ = first;
    turned_count_ = std::min(turned_rows_, first_ + kept_rows_ - first);
    // The dimension whose elements are neighbours in the source; behind it are the columns.
    const auto& strides = kept_strides_;
    const auto d = static_cast<size_t>(std::min_element(strides.begin(), strides.end()) - strides.begin());
    const char* from = kept_.get() + (first - first_) * strides[0] * width_;
    if (d + 1 == strides.size()) return copy_runs(from);
    std::vector<uint64_t> columns = places_of(d + 1, strides.size());
    if (d == 0) return turn_squares(from, columns, turned_count_, row_, width_, turned_.get());
    char* to = turned_.get();
    const std::vector<uint64_t> before = places_of(1, d);
    for (uint64_t r = 0; r < turned_count_; ++r)
      for (const uint64_t place : before) {
        turn_squares(from + (r * strides[0] + place) * width_, columns, p_.extents[d], columns.size(), width_,
                     to);
        to += p_.extents[d] * columns.size() * width_;
      }
  }

  void copy_runs(const char* from) const {
    const uint64_t run = p_.extents.back() * width_;
    const std::vector<uint64_t> places = places_of(1, p_.extents.size() - 1);
    char* to = turned_.get();
    for (uint64_t r = 0; r < turned_count_; ++r)
      for (const uint64_t place : places) {
        std::memcpy(to, from + (r * kept_strides_[0] + place) * width_, run);
        to += run;
      }
  }

  // Where the elements of dimensions [begin, end) stand in what is kept, in the order of the result.
  std::vector<uint64_t> places_of(size_t begin, size_t end) const {
    std::vector<uint64_t> places{0};
    for (size_t d = begin; d < end; ++d) {
      std::vector<uint64_t> more;
      more.reserve(places.size() * p_.extents[d]);
      for (const uint64_t p : places)
        for (uint64_t i = 0; i < p_.extents[d]; ++i) more.push_back(p + i * kept_strides_[d]);
      places = std::move(more);
    }
    return places;
  }

  Tensor from_;
  Permutation p_;
  size_t width_;
  uint64_t total_, row_, rows_, turned_rows_;
  uint64_t first_ = UINT64_MAX, kept_rows_ = 0;
  uint64_t turned_first_ = UINT64_MAX, turned_count_ = 0;
  std::vector<uint64_t> kept_strides_;
  std::unique_ptr<char[]> kept_, turned_;
};

// One after the other along a dimension: `outer` times a run of each part.
class Joined {
 public:
  Joined(std::vector<Tensor> parts, uint64_t outer) : parts_(std::move(parts)) {
    for (const Tensor& t : parts_) runs_.push_back(outer == 0 ? 0 : t.bytes() / outer);
    for (const uint64_t r : runs_) all_ += r;
  }

  void read(Context c, uint64_t offset, uint64_t bytes, char* to) const {
    const uint64_t end = offset + bytes, first = offset / all_, last = (end + all_ - 1) / all_;
    uint64_t start = 0;  // of the part, in a row
    std::vector<char> piece;
    for (size_t p = 0; p < parts_.size(); start += runs_[p++]) {
      const uint64_t run = runs_[p];
      if (run == 0) continue;
      // Short runs come by several rows at once.
      const uint64_t rows = std::max<uint64_t>(1, piece_bytes / run);
      for (uint64_t row = first; row < last; row += rows) {
        const uint64_t stop = std::min(last, row + rows);
        if (stop - row == 1) {
          const uint64_t at = row * all_ + start, from = std::max(at, offset),
                         until = std::min(at + run, end);
          if (from < until) parts_[p].read(c, row * run + (from - at), until - from, to + (from - offset));
          continue;
        }
        piece.resize((stop - row) * run);
        parts_[p].read(c, row * run, piece.size(), piece.data());
        for (uint64_t r = row; r < stop; ++r) {
          const uint64_t at = r * all_ + start, from = std::max(at, offset), until = std::min(at + run, end);
          if (from < until)
            std::memcpy(to + (from - offset), piece.data() + (r - row) * run + (from - at), until - from);
        }
      }
    }
  }

 private:
  std::vector<Tensor> parts_;
  std::vector<uint64_t> runs_;  // bytes of each part in a row
  uint64_t all_ = 0;
};

inline void of_whole_bytes(const Tensor& t) {
  require(bits(t.type()) >= 8, "elements of type ", name(t.type()), " are not of whole bytes");
}

}  // namespace detail

template <class>
Tensor lazy_converted(Context c, const Tensor& from, ElementType type) {
  if (from.type() == ElementType::f32 && type == ElementType::f16)
    return lazy_map_to<float, uint16_t>(
        c, from, type, [](uint64_t, const float* a, uint16_t* b, size_t n) { floats_to_halves(a, b, n); });
  return detail::with_float_type(from.type(), [&](auto stored, auto load, auto) {
    return detail::with_float_type(type, [&](auto wanted, auto, auto store) {
      using From = decltype(stored);
      using To = decltype(wanted);
      return lazy_map_to<From, To>(c, from, type, [load, store](uint64_t, const From* a, To* b, size_t n) {
        for (size_t i = 0; i < n; ++i) b[i] = store(load(a[i]));
      });
    });
  });
}

template <class>
Tensor lazy_transposed(Context c, const Tensor& from, const std::vector<int64_t>& order) {
  detail::of_whole_bytes(from);
  const std::vector<int64_t> dims = from.dims();
  std::vector<int64_t> turned;
  std::vector<bool> seen(dims.size());
  for (const int64_t o : order) {
    const auto d = static_cast<size_t>(o);
    require(d < dims.size() && !seen[d], "the order of a transposed tensor names dimension ", o, " wrongly");
    seen[d] = true;
    turned.push_back(dims[d]);
  }
  require(order.size() == dims.size(), "the order of a transposed tensor has ", order.size(),
          " entries for rank ", dims.size());
  detail::Permutation p = detail::permutation_of(dims, order);
  if (from.bytes() == 0 || p.extents.size() < 2) return from.reshaped(c, turned);
  detail::Turned reader(from, std::move(p));
  // Few rows that are each too large to be kept are turned in memory.
  const bool at_once = reader.row_bytes() > detail::Turned::most_kept;
  const Tensor result =
      lazy_tensor(c, from.type(), turned, {from},
                  [r = std::move(reader)](Context at, uint64_t offset, uint64_t bytes, char* to) mutable {
                    r.read(at, offset, bytes, to);
                  });
  if (at_once) (void)result.data();
  return result;
}

template <class>
Tensor lazy_joined(Context c, const std::vector<Tensor>& parts, size_t axis) {
  require(!parts.empty() && axis < parts[0].rank(), "nothing is joined along dimension ", axis);
  std::vector<int64_t> dims = parts[0].dims();
  dims[axis] = 0;
  uint64_t outer = 1;
  for (size_t i = 0; i < axis; ++i) outer *= static_cast<uint64_t>(dims[i]);
  for (const Tensor& t : parts) {
    detail::of_whole_bytes(t);
    std::vector<int64_t> others = t.dims();
    require(t.type() == parts[0].type() && axis < others.size(), "what is joined differs in type or rank");
    dims[axis] += std::exchange(others[axis], dims[axis] + others[axis]);
    require(others == dims, "what is joined differs in more than dimension ", axis);
  }
  return lazy_tensor(c, parts[0].type(), dims, parts,
                     [r = detail::Joined(parts, outer)](Context at, uint64_t offset, uint64_t bytes,
                                                        char* to) { r.read(at, offset, bytes, to); });
}

}  // namespace mo
