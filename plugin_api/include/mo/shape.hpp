// Dimensions as intervals and partially known shapes: the arithmetic of shape inference.
#pragma once

#include <mo/error.hpp>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>

namespace mo {

// A closed interval [min, max] of non-negative sizes; max -1 = no upper bound.
struct Dim : mo_dim {
  constexpr Dim() : mo_dim{0, -1} {}  // nothing known
  constexpr Dim(int64_t exact) : mo_dim{exact, exact} {}
  constexpr Dim(int64_t low, int64_t high) : mo_dim{low, high} {}
  constexpr explicit Dim(mo_dim d) : mo_dim(d) {}

  constexpr bool is_static() const { return min == max; }
  constexpr bool is_unbounded() const { return max == -1; }
  constexpr bool is_unknown() const { return min == 0 && max == -1; }
  constexpr int64_t value() const { return min; }  // only when static
  constexpr bool contains(int64_t v) const { return v >= min && (is_unbounded() || v <= max); }
  constexpr bool overlaps(const Dim& o) const {
    return (is_unbounded() || o.min <= max) && (o.is_unbounded() || min <= o.max);
  }
  friend constexpr bool operator==(const Dim& a, const Dim& b) { return a.min == b.min && a.max == b.max; }
  friend constexpr bool operator!=(const Dim& a, const Dim& b) { return !(a == b); }
};

inline constexpr Dim any_dim{};

// What is known of an element of an integer tensor: it is in [min, max], and either end may be open.
struct Bound : mo_interval {
  constexpr Bound() : mo_interval{0, 0, MO_OPEN_MIN | MO_OPEN_MAX, 0} {}  // nothing known
  constexpr Bound(int64_t exact) : mo_interval{exact, exact, 0, 0} {}
  constexpr Bound(int64_t low, int64_t high) : mo_interval{low, high, 0, 0} {}
  constexpr explicit Bound(const mo_interval& i) : mo_interval(i) {}
  // A size, as an element.
  constexpr explicit Bound(const Dim& d)
      : mo_interval{d.min, d.is_unbounded() ? 0 : d.max, d.is_unbounded() ? uint32_t{MO_OPEN_MAX} : 0U, 0} {}
  static constexpr Bound at_least(int64_t low) { return Bound(mo_interval{low, 0, MO_OPEN_MAX, 0}); }
  static constexpr Bound at_most(int64_t high) { return Bound(mo_interval{0, high, MO_OPEN_MIN, 0}); }

  constexpr bool has_min() const { return (open & MO_OPEN_MIN) == 0; }
  constexpr bool has_max() const { return (open & MO_OPEN_MAX) == 0; }
  constexpr bool is_exact() const { return open == 0 && min == max; }
  constexpr bool is_unknown() const { return !has_min() && !has_max(); }
  constexpr bool contains(int64_t v) const { return (!has_min() || v >= min) && (!has_max() || v <= max); }
  // As a size: what is negative is left out.
  constexpr Dim to_dim() const {
    const int64_t low = has_min() && min > 0 ? min : 0;
    return has_max() ? Dim(low, max > 0 ? max : 0) : Dim(low, -1);
  }
  friend constexpr bool operator==(const Bound& a, const Bound& b) {
    return a.min == b.min && a.max == b.max && a.open == b.open;
  }
  friend constexpr bool operator!=(const Bound& a, const Bound& b) { return !(a == b); }
};

// "7", "?", "-1..8", "2..", "..8": unlike a size, "..8" may be negative.
inline void append_text(std::string& out, const Bound& b) {
  if (b.is_exact()) return append_text(out, b.min);
  if (b.is_unknown()) return append_text(out, '?');
  if (b.has_min()) append_text(out, b.min);
  out += "..";
  if (b.has_max()) append_text(out, b.max);
}

namespace detail {
inline int64_t checked_add(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_add_overflow(a, b, &r)) fail("dimension overflow: ", a, " + ", b);
  return r;
}
inline int64_t checked_mul(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_mul_overflow(a, b, &r)) fail("dimension overflow: ", a, " * ", b);
  return r;
}
}  // namespace detail

// Sums and products: error when the least value overflows; an upper end that does is none.
inline Dim operator+(const Dim& a, const Dim& b) {
  const auto low = detail::checked_add(a.min, b.min);
  int64_t high;
  if (a.is_unbounded() || b.is_unbounded() || __builtin_add_overflow(a.max, b.max, &high)) high = -1;
  return {low, high};
}
// Non-negative factors only.
inline Dim operator*(const Dim& a, const Dim& b) {
  if ((a.is_static() && a.min == 0) || (b.is_static() && b.min == 0)) return 0;
  const auto low = detail::checked_mul(a.min, b.min);
  int64_t high;
  if (a.is_unbounded() || b.is_unbounded() || __builtin_mul_overflow(a.max, b.max, &high)) high = -1;
  return {low, high};
}
// Never below zero: sizes.
inline Dim operator-(const Dim& a, int64_t n) {
  const auto low = std::max<int64_t>(0, detail::checked_add(a.min, -n));
  return {low, a.is_unbounded() ? -1 : std::max<int64_t>(0, detail::checked_add(a.max, -n))};
}
inline Dim floor_div(const Dim& a, int64_t n) { return {a.min / n, a.is_unbounded() ? -1 : a.max / n}; }
inline Dim ceil_div(const Dim& a, int64_t n) {
  const auto up = [n](int64_t v) { return v / n + (v % n != 0 ? 1 : 0); };
  return {up(a.min), a.is_unbounded() ? -1 : up(a.max)};
}

// The common part of two intervals; nothing when they exclude each other.
inline std::optional<Dim> intersect(const Dim& a, const Dim& b) {
  if (!a.overlaps(b)) return std::nullopt;
  const auto high = a.is_unbounded() ? b.max : b.is_unbounded() ? a.max : std::min(a.max, b.max);
  return Dim{std::max(a.min, b.min), high};
}
// The smallest interval that covers both.
inline Dim unite(const Dim& a, const Dim& b) {
  return {std::min(a.min, b.min), a.is_unbounded() || b.is_unbounded() ? -1 : std::max(a.max, b.max)};
}

// "7", "?", "1..8", "2..", "..8": as in the IR.
inline void append_text(std::string& out, const Dim& d) {
  if (d.is_static()) return append_text(out, d.min);
  if (d.is_unknown()) return append_text(out, '?');
  if (d.min != 0) append_text(out, d.min);
  out += "..";
  if (!d.is_unbounded()) append_text(out, d.max);
}

// A shape of known or unknown rank. Up to four dimensions live in the object itself: graphs hold many shapes.
class Shape {
 public:
  Shape() = default;  // a scalar
  Shape(std::initializer_list<Dim> dims) { assign(dims.begin(), dims.size()); }
  Shape(const std::vector<Dim>& dims) { assign(dims.data(), dims.size()); }
  Shape(const std::vector<int64_t>& dims) {
    resize(dims.size());
    std::transform(dims.begin(), dims.end(), begin(), [](int64_t d) { return Dim(d); });
  }
  explicit Shape(mo_shape s) {
    if (s.rank < 0)
      rank_ = -1;
    else
      assign(static_cast<const Dim*>(s.dims), static_cast<size_t>(s.rank));
  }
  Shape(const Shape& o) { *this = o; }
  Shape(Shape&& o) noexcept { *this = std::move(o); }
  Shape& operator=(const Shape& o) {
    if (this == &o) return *this;
    if (o.has_rank())
      assign(o.begin(), o.size());
    else
      *this = unknown();
    return *this;
  }
  Shape& operator=(Shape&& o) noexcept {
    rank_ = std::exchange(o.rank_, 0);
    std::copy(o.inline_, o.inline_ + inline_capacity, inline_);
    heap_ = std::move(o.heap_);
    return *this;
  }
  ~Shape() = default;

  static Shape unknown() {
    Shape s;
    s.rank_ = -1;
    return s;
  }
  static Shape of_rank(size_t rank, Dim fill = any_dim) {
    Shape s;
    s.resize(rank, fill);
    return s;
  }
  static Shape dims_of(const int64_t* dims, int64_t rank) {
    Shape s;
    s.resize(static_cast<size_t>(rank));
    for (int64_t i = 0; i < rank; ++i) s[static_cast<size_t>(i)] = Dim(dims[i]);
    return s;
  }

  bool has_rank() const { return rank_ >= 0; }
  int64_t rank() const { return rank_; }  // -1: unknown
  size_t size() const { return rank_ < 0 ? 0 : static_cast<size_t>(rank_); }
  bool empty() const { return size() == 0; }
  bool is_static() const {
    return has_rank() && std::all_of(begin(), end(), [](const Dim& d) { return d.is_static(); });
  }

  // By the rank, which lies beside the dimensions.
  Dim* begin() { return rank_ > inline_capacity ? heap_.get() : inline_; }
  const Dim* begin() const { return rank_ > inline_capacity ? heap_.get() : inline_; }
  Dim* end() { return begin() + size(); }
  const Dim* end() const { return begin() + size(); }
  // Errors name the shape: models have inputs of any rank, and no code thinks of all of them.
  Dim& operator[](size_t i) { return begin()[checked(i)]; }
  const Dim& operator[](size_t i) const { return begin()[checked(i)]; }
  Dim& back() { return (*this)[size() - 1]; }
  const Dim& back() const { return (*this)[size() - 1]; }

  void resize(size_t n, Dim fill = any_dim) {
    constexpr size_t most = size_t{1} << 24;
    if (n > most) fail("a shape of ", n, " dimensions is asked for");
    const size_t old = size();
    if (n > size_t{inline_capacity} && n > old) {
      std::unique_ptr<Dim[]> grown(new Dim[n]);
      std::copy(begin(), begin() + old, grown.get());
      heap_ = std::move(grown);
    } else if (n <= size_t{inline_capacity} && heap_) {
      std::copy(heap_.get(), heap_.get() + n, inline_);
      heap_.reset();
    }
    rank_ = static_cast<int64_t>(n);
    for (size_t i = old; i < n; ++i) begin()[i] = fill;
  }
  void push_back(Dim d) { resize(size() + 1, d); }
  void insert(size_t at, Dim d) {
    push_back(d);
    std::rotate(begin() + at, end() - 1, end());
  }
  void erase(size_t at) {
    std::rotate(begin() + checked(at), begin() + at + 1, end());
    resize(size() - 1);
  }

  // Product of all dimensions; an interval where they are. Error on overflow.
  Dim elements() const {
    if (!has_rank()) return any_dim;
    Dim product = 1;
    for (const Dim& d : *this)
      if (d.is_static() && d.min == 0) return 0;  // before a huge neighbour overflows
    for (const Dim& d : *this) product = product * d;
    return product;
  }
  // The dimensions of a static shape.
  std::vector<int64_t> to_static() const {
    std::vector<int64_t> dims;
    for (const Dim& d : *this) dims.push_back(d.value());
    return dims;
  }
  mo_shape abi() const { return mo_shape{begin(), rank_}; }

  friend bool operator==(const Shape& a, const Shape& b) {
    return a.rank_ == b.rank_ && std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }

 private:
  size_t checked(size_t i) const {
    if (i >= size()) no_dimension(i);
    return i;
  }
  [[noreturn]] void no_dimension(size_t i) const;
  static constexpr int64_t inline_capacity = 4;
  void assign(const Dim* dims, size_t n) {
    rank_ = 0;
    heap_.reset();
    resize(n);
    std::copy(dims, dims + n, begin());
  }
  int64_t rank_ = 0;
  Dim inline_[inline_capacity];
  std::unique_ptr<Dim[]> heap_;  // exactly the rank; only above the capacity
};

// "[1,3,?,1..8]", "[]" for a scalar, "[...]" when the rank is unknown.
inline void append_text(std::string& out, const Shape& s) {
  if (!s.has_rank()) {
    out += "[...]";
    return;
  }
  out += '[';
  for (size_t i = 0; i < s.size(); ++i) {
    if (i != 0) out += ',';
    append_text(out, s[i]);
  }
  out += ']';
}

inline void Shape::no_dimension(size_t i) const {
  fail("a tensor of shape ", *this, " is read, which has no dimension ",
       i > size_t{1} << 62 ? text("before its first") : text(i));
}

// Numpy broadcasting of two shapes; nothing when they do not fit together.
inline std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  if (!a.has_rank() || !b.has_rank()) return Shape::unknown();
  const size_t rank = std::max(a.size(), b.size());
  Shape result = Shape::of_rank(rank);
  for (size_t i = 0; i < rank; ++i) {  // i counts from the last dimension
    Dim& r = result[rank - 1 - i];
    const Dim x = i < a.size() ? a[a.size() - 1 - i] : Dim(1);
    const Dim y = i < b.size() ? b[b.size() - 1 - i] : Dim(1);
    if (x.is_static() && x.min == 1)
      r = y;
    else if (y.is_static() && y.min == 1)
      r = x;
    else if (!x.contains(1) && !y.contains(1)) {
      const auto both = intersect(x, y);
      if (!both) return std::nullopt;
      r = *both;
    } else if (!x.contains(1)) {  // x decides: y is 1 or equal to x
      r = x;
    } else if (!y.contains(1)) {
      r = y;
    } else {
      r = unite(x, y);
    }
  }
  return result;
}

// The shape that two statements about one tensor allow; nothing when they contradict each other.
inline std::optional<Shape> merge(const Shape& a, const Shape& b) {
  if (!a.has_rank()) return b;
  if (!b.has_rank()) return a;
  if (a.size() != b.size()) return std::nullopt;
  Shape result = Shape::of_rank(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    const auto d = intersect(a[i], b[i]);
    if (!d) return std::nullopt;
    result[i] = *d;
  }
  return result;
}

// Turns a possibly negative axis into 0..rank-1; error outside of -rank..rank-1.
inline size_t normalize_axis(int64_t axis, size_t rank, std::string_view what = "axis") {
  const auto r = static_cast<int64_t>(rank);
  require(axis >= -r && axis < r, what, " is ", axis, " but the rank is ", r, "; expected ", -r, " to ",
          r - 1);
  return static_cast<size_t>(axis < 0 ? axis + r : axis);
}

}  // namespace mo
