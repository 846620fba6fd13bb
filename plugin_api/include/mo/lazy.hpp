// Tensors whose elements are computed when they are read, and reading in pieces: weights in no memory.
//
//   Tensor halved = lazy_map<float>(c, w, [](uint64_t, float* v, size_t n) { for (; n-- != 0; ++v) *v /= 2;
//   });
//
// See mo_tensor_api.lazy for when, and on what thread, they are computed. Functions that compute keep no
// references to what does not live as long as the tensor, and give the same elements each time.
#pragma once

#include <mo/thunk.hpp>

#include <algorithm>
#include <memory>
#include <vector>

namespace mo {

// Where pieces are of our own choice, they are of so many bytes: they stay in the cache of a processor.
constexpr size_t piece_bytes = size_t{1} << 16;

namespace detail {

// Smaller tensors are computed at once: they take less memory than what would compute them.
constexpr uint64_t small_tensor = 4096;

template <class F>
struct LazyState {
  F read;
  std::vector<Tensor> bases;
};

inline uint64_t bytes_of(ElementType type, const std::vector<int64_t>& dims) {
  uint64_t n = static_cast<uint64_t>(bits(type));
  for (const int64_t d : dims)
    if (d < 0 || __builtin_mul_overflow(n, static_cast<uint64_t>(d), &n))
      fail("there is no tensor of shape ", Shape::dims_of(dims.data(), static_cast<int64_t>(dims.size())));
  return n / 8 + (n % 8 != 0 ? 1 : 0);
}

}  // namespace detail

// A tensor whose elements `read` computes: read(Context, offset, bytes, char* to) writes the bytes from
// `offset` on, whole elements to a place that is aligned for them; what it throws becomes the error of who
// reads. It may look at `bases`, which are kept as long. Small tensors are computed here. Errors:
// MO_NO_MEMORY; types without a fixed size.
template <class F>
Tensor lazy_tensor(Context c, ElementType type, const std::vector<int64_t>& dims, std::vector<Tensor> bases,
                   F read) {
  require(bits(type) != 0, "elements of type ", name(type), " have no fixed size");
  if (detail::bytes_of(type, dims) <= detail::small_tensor) {
    auto [t, data] = Tensor::create_bytes(c, type, dims);
    if (t.bytes() != 0) read(c, uint64_t{0}, t.bytes(), static_cast<char*>(data));
    return std::move(t);
  }
  using State = detail::LazyState<F>;
  auto state = std::make_unique<State>(State{std::move(read), std::move(bases)});
  std::vector<mo_tensor*> handles;
  for (const Tensor& b : state->bases) handles.push_back(b.get());
  mo_lazy_def d{};
  d.size = sizeof d;
  d.dims = dims.data();
  d.rank = static_cast<int64_t>(dims.size());
  d.bases = handles.data();
  d.n_bases = handles.size();
  d.user = state.get();
  d.read = [](void* user, mo_context* at, uint64_t offset, uint64_t bytes, void* buffer) {
    return detail::guard(
        at, [&] { static_cast<State*>(user)->read(Context(at), offset, bytes, static_cast<char*>(buffer)); });
  };
  d.release = [](void* user) { delete static_cast<State*>(user); };
  d.element_type = static_cast<mo_type>(type);
  mo_tensor* t = nullptr;
  c.check(c.host()->tensor->lazy(c.get(), &d, &t));
  (void)state.release();  // the host calls release
  return Tensor::adopt(c.host(), t);
}

// Each element of `from` changed by itself: f(i, T* elements, n) changes, where they are, the n elements from
// number i on. T is as wide as the type of `from`, which the result keeps.
template <class T, class F>
Tensor lazy_map(Context c, const Tensor& from, F f) {
  require(bits(from.type()) == 8 * static_cast<int>(sizeof(T)), "elements of type ", name(from.type()),
          " are not of ", sizeof(T), " bytes");
  return lazy_tensor(
      c, from.type(), from.dims(), {from}, [from, f](Context at, uint64_t offset, uint64_t bytes, char* to) {
        from.read(at, offset, bytes, to);
        f(offset / sizeof(T), reinterpret_cast<T*>(to), static_cast<size_t>(bytes / sizeof(T)));
      });
}

// Elements of `from` in another type: f(i, const From*, To*, n) writes the n elements from number i on.
template <class From, class To, class F>
Tensor lazy_map_to(Context c, const Tensor& from, ElementType type, F f) {
  require(bits(from.type()) == 8 * static_cast<int>(sizeof(From)) &&
              bits(type) == 8 * static_cast<int>(sizeof(To)),
          name(from.type()), " and ", name(type), " are not as wide as what is to be computed");
  return lazy_tensor(
      c, type, from.dims(), {from}, [from, f](Context at, uint64_t offset, uint64_t bytes, char* to) {
        constexpr uint64_t most = 1024;
        From piece[most];
        uint64_t i = offset / sizeof(To);
        for (const uint64_t end = i + bytes / sizeof(To); i < end;) {
          const uint64_t n = std::min(most, end - i);
          from.read(at, i * sizeof(From), n * sizeof(From), piece);
          f(i, static_cast<const From*>(piece), reinterpret_cast<To*>(to), static_cast<size_t>(n));
          to += n * sizeof(To);
          i += n;
        }
      });
}

// The elements in pieces of whole elements, one after the other: f(i, const T*, n) gets n elements from
// number i on. T is as wide as the type. f may return false to see no more.
template <class T, class F>
void read_pieces(Context c, const Tensor& t, F f) {
  require(bits(t.type()) == 8 * static_cast<int>(sizeof(T)), "elements of type ", name(t.type()),
          " are not of ", sizeof(T), " bytes");
  constexpr size_t most = piece_bytes / sizeof(T);
  const size_t size = t.size();
  const auto piece = std::make_unique<T[]>(std::min(most, size));
  for (size_t i = 0; i < size;) {
    const size_t n = std::min(most, size - i);
    t.read(c, i * sizeof(T), n * sizeof(T), piece.get());
    if constexpr (std::is_same_v<decltype(f(i, piece.get(), n)), bool>) {
      if (!f(i, static_cast<const T*>(piece.get()), n)) return;
    } else {
      f(i, static_cast<const T*>(piece.get()), n);
    }
    i += n;
  }
}

}  // namespace mo
