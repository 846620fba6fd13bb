#include "support/movement.hpp"

#include "support/moved_window.hpp"

namespace mo::opset {

int64_t count_of(const Dims& dims) { return Shape(dims).elements().value(); }

Dims dense_strides(const Dims& dims) {
  Dims strides(dims.size());
  // Sizes beside one of 0 may be any; what they multiply to is not used then.
  uint64_t step = 1;
  for (size_t i = dims.size(); i-- > 0; step *= static_cast<uint64_t>(std::max<int64_t>(dims[i], 1)))
    strides[i] = static_cast<int64_t>(step);
  return strides;
}

// Loops of one element are gone, and neighbours that run evenly are one.
Copy collapsed(const Copy& c) {
  Copy r{{}, {}, {}, c.from_start, c.to_start};
  for (size_t i = 0; i < c.counts.size(); ++i) {
    if (c.counts[i] == 1) continue;
    if (!r.counts.empty() && r.from.back() == c.from[i] * c.counts[i] &&
        r.to.back() == c.to[i] * c.counts[i]) {
      r.counts.back() *= c.counts[i];
      r.from.back() = c.from[i];
      r.to.back() = c.to[i];
    } else {
      r.counts.push_back(c.counts[i]);
      r.from.push_back(c.from[i]);
      r.to.push_back(c.to[i]);
    }
  }
  return r;
}

Movement gathered(const Dims& dims, const Dims& from, int64_t from_start) {
  return {dims, {Copy{dims, from, dense_strides(dims), from_start, 0}}};
}

namespace {

template <size_t Width>
void copy_row(const char* in, char* out, int64_t n, int64_t from, int64_t to) {
  if (from == 1 && to == 1) {
    std::memcpy(out, in, static_cast<size_t>(n) * Width);
    return;
  }
  constexpr auto w = static_cast<int64_t>(Width);
  for (int64_t i = 0; i < n; ++i) std::memcpy(out + i * to * w, in + i * from * w, Width);
}

template <size_t Width>
void run_copy(const Copy& c, const char* in, char* out) {
  constexpr auto w = static_cast<int64_t>(Width);
  const size_t outer = c.counts.empty() ? 0 : c.counts.size() - 1;
  const int64_t n = c.counts.empty() ? 1 : c.counts.back();
  const int64_t from = c.counts.empty() ? 1 : c.from.back(), to = c.counts.empty() ? 1 : c.to.back();
  int64_t source = c.from_start, target = c.to_start;
  Dims index(outer, 0);
  for (;;) {
    copy_row<Width>(in + source * w, out + target * w, n, from, to);
    size_t level = outer;
    for (;;) {
      if (level == 0) return;
      --level;
      source += c.from[level];
      target += c.to[level];
      if (++index[level] < c.counts[level]) break;
      source -= c.from[level] * c.counts[level];
      target -= c.to[level] * c.counts[level];
      index[level] = 0;
    }
  }
}

bool is_empty(const Copy& c) {
  return std::any_of(c.counts.begin(), c.counts.end(), [](int64_t n) { return n <= 0; });
}

}  // namespace

void run_copies(const std::vector<Copy>& copies, const void* in, void* out, size_t width) {
  for (const Copy& copy : copies) {
    if (is_empty(copy)) continue;
    const Copy c = collapsed(copy);
    const auto from = static_cast<const char*>(in);
    const auto to = static_cast<char*>(out);
    switch (width) {
      case 1:
        run_copy<1>(c, from, to);
        break;
      case 2:
        run_copy<2>(c, from, to);
        break;
      case 4:
        run_copy<4>(c, from, to);
        break;
      case 8:
        run_copy<8>(c, from, to);
        break;
      case 16:
        run_copy<16>(c, from, to);
        break;
      default:
        fail("elements of ", width, " bytes");
    }
  }
}

namespace {
template <size_t Width>
void run_lists_of(const std::vector<Dims>& lists, const Dims& strides, size_t level, const char* in,
                  char* out) {
  int64_t inner = 1;
  for (size_t i = level + 1; i < lists.size(); ++i) inner *= static_cast<int64_t>(lists[i].size());
  for (const int64_t at : lists[level]) {
    if (at >= 0) {
      const char* from = in + at * strides[level] * static_cast<int64_t>(Width);
      if (level + 1 == lists.size())
        std::memcpy(out, from, Width);
      else
        run_lists_of<Width>(lists, strides, level + 1, from, out);
    }
    out += static_cast<size_t>(inner) * Width;
  }
}
}  // namespace

void run_lists(const std::vector<Dims>& lists, const Dims& in_dims, const void* in, void* out, size_t width) {
  const auto from = static_cast<const char*>(in);
  const auto to = static_cast<char*>(out);
  if (lists.empty()) {
    std::memcpy(to, from, width);
    return;
  }
  const Dims strides = dense_strides(in_dims);
  switch (width) {
    case 1:
      return run_lists_of<1>(lists, strides, 0, from, to);
    case 2:
      return run_lists_of<2>(lists, strides, 0, from, to);
    case 4:
      return run_lists_of<4>(lists, strides, 0, from, to);
    case 8:
      return run_lists_of<8>(lists, strides, 0, from, to);
    case 16:
      return run_lists_of<16>(lists, strides, 0, from, to);
    default:
      fail("elements of ", width, " bytes");
  }
}

size_t width_of(ElementType t) {
  if (bits(t) == 0) no_values_for(t);
  return static_cast<size_t>(std::max(8, bits(t))) / 8;
}

namespace {

// `n` packed elements, the first of which starts `skipped` bits behind `from`, as bytes. u1 alone counts from
// the highest bit.
void unpack(const uint8_t* from, size_t skipped, ElementType type, uint8_t* to, size_t n) {
  const auto width = static_cast<size_t>(bits(type));
  const auto mask = static_cast<uint8_t>((1U << width) - 1);
  for (size_t i = 0; i < n; ++i) {
    const size_t at = skipped + i * width, shift = type == ElementType::u1 ? 7 - at % 8 : at % 8;
    unsigned v = static_cast<unsigned>(from[at / 8]) >> shift;
    if (shift + width > 8) v |= static_cast<unsigned>(from[at / 8 + 1]) << (8 - shift);
    to[i] = static_cast<uint8_t>(v & mask);
  }
}

void pack(const uint8_t* from, ElementType type, uint8_t* to, size_t n) {
  const auto width = static_cast<size_t>(bits(type));
  std::memset(to, 0, (n * width + 7) / 8);
  for (size_t i = 0; i < n; ++i)
    for (size_t b = 0; b < width; ++b) {
      const size_t at = i * width + b, shift = type == ElementType::u1 ? 7 - at % 8 : at % 8;
      if ((static_cast<unsigned>(from[i]) >> b & 1U) != 0)
        to[at / 8] = static_cast<uint8_t>(to[at / 8] | 1U << shift);
    }
}

}  // namespace

Tensor unpacked(const EvalContext& c, const Tensor& t) {
  if (bits(t.type()) == 0) no_values_for(t.type());
  if (t.size() < lazy_bytes) {
    auto [out, data] = Tensor::create<uint8_t>(c.context(), t.dims());
    unpack(static_cast<const uint8_t*>(t.data()), 0, t.type(), data, out.size());
    return std::move(out);
  }
  return lazy_tensor(c.context(), ElementType::u8, t.dims(), {t},
                     [t](Context at, uint64_t first, uint64_t n, char* to) {
                       const auto width = static_cast<uint64_t>(bits(t.type()));
                       const uint64_t begin = first * width / 8, end = ((first + n) * width + 7) / 8;
                       const std::unique_ptr<uint8_t[]> piece(new uint8_t[end - begin]);
                       t.read(at, begin, end - begin, piece.get());
                       unpack(piece.get(), static_cast<size_t>(first * width % 8), t.type(),
                              reinterpret_cast<uint8_t*>(to), static_cast<size_t>(n));
                     });
}

Tensor repacked(const EvalContext& c, const Tensor& bytes, ElementType type) {
  if (bits(type) == 0) no_values_for(type);
  const size_t size = bytes.size(), width = static_cast<size_t>(bits(type));
  if (size < lazy_bytes || 8 % width != 0) {
    const auto out = Tensor::create_bytes(c.context(), type, bytes.dims());
    pack(static_cast<const uint8_t*>(bytes.data()), type, static_cast<uint8_t*>(out.second), size);
    return out.first;
  }
  return lazy_tensor(
      c.context(), type, bytes.dims(), {bytes},
      [bytes, type, size, in_one = 8 / width](Context at, uint64_t offset, uint64_t count, char* to) {
        const size_t first = static_cast<size_t>(offset) * in_one;
        const size_t n = std::min(static_cast<size_t>(count) * in_one, size - first);
        const std::unique_ptr<uint8_t[]> piece(new uint8_t[n]);
        bytes.read(at, first, n, piece.get());
        pack(piece.get(), type, reinterpret_cast<uint8_t*>(to), n);
      });
}

Tensor moved(const EvalContext& c, const Tensor& in, const Movement& m) {
  if (is_packed(in.type())) return repacked(c, moved(c, unpacked(c, in), m), in.type());
  const size_t width = width_of(in.type());
  if (m.copies.size() == 1 && count_of(m.dims) > 0) {
    const Copy run = collapsed(m.copies[0]);
    const bool whole = run.counts.empty() ? count_of(m.dims) == 1
                                          : run.counts.size() == 1 && run.from[0] == 1 && run.to[0] == 1 &&
                                                run.counts[0] == count_of(m.dims);
    if (whole) return in.slice(c.context(), static_cast<uint64_t>(run.from_start) * width, in.type(), m.dims);
  }
  check_grown(in.type(), m.dims, in.bytes());
  const auto bytes = std::max<uint64_t>(in.bytes(), static_cast<uint64_t>(count_of(m.dims)) * width);
  if (bytes >= lazy_bytes && MovedWindow::can_read(m))
    return lazy_tensor(c.context(), in.type(), m.dims, {in},
                       [w = MovedWindow(in, m)](Context at, uint64_t offset, uint64_t count, char* to) {
                         w.read(at, offset, count, to);
                       });
  auto [out, data] = Tensor::create_bytes(c.context(), in.type(), m.dims);
  run_copies(m.copies, in.data(), data, width);
  return out;
}

std::vector<Interval> moved(const std::vector<Interval>& in, const Movement& m) {
  static_assert(sizeof(Interval) == 16 && std::is_trivially_copyable_v<Interval>);
  std::vector<Interval> out(static_cast<size_t>(count_of(m.dims)), Interval(0));
  run_copies(m.copies, in.data(), out.data(), sizeof(Interval));
  return out;
}

}  // namespace mo::opset
