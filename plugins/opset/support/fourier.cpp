#include "support/fourier.hpp"

#include "support/limits.hpp"

#include <numbers>

namespace mo::opset {

namespace {

// exp(-2 pi i k / n), exact at the quarters of the circle.
Complex root_of_unity(uint64_t k, uint64_t n) {
  k %= n;
  const uint64_t quarter = 4 * k / n, rest = 4 * k % n;
  const double angle = std::numbers::pi / 2 * static_cast<double>(rest) / static_cast<double>(n);
  const double c = rest == 0 ? 1 : std::cos(angle), s = rest == 0 ? 0 : std::sin(angle);
  switch (quarter) {
    case 0:
      return {c, -s};
    case 1:
      return {-s, -c};
    case 2:
      return {-c, s};
    default:
      return {s, c};
  }
}

bool is_power_of_two(size_t n) { return (n & (n - 1)) == 0; }

constexpr size_t direct_limit = 32;  // shorter lines are summed as they are

}  // namespace

Fourier::Fourier(size_t n, bool inverse) : n_(n), inverse_(inverse) {
  size_t m = n;
  if (!is_power_of_two(n) && n > direct_limit) {
    m = 1;
    while (m < 2 * n - 1) m *= 2;
  }
  // Powers of two need one half of the circle.
  for (size_t k = 0; k < (is_power_of_two(m) ? (m + 1) / 2 : m); ++k) roots_.push_back(root_of_unity(k, m));
  if (m == n) return;
  // j * k = (j^2 + k^2 - (k - j)^2) / 2
  filter_.resize(m);
  for (size_t k = 0; k < n; ++k) {
    chirp_.push_back(root_of_unity(static_cast<uint64_t>(k) * k % (2 * n), 2 * n));
    const Complex back{chirp_[k].re, -chirp_[k].im};
    filter_[k] = back;
    if (k != 0) filter_[m - k] = back;
  }
  powers_of_two(filter_, false);
}

void Fourier::powers_of_two(std::vector<Complex>& v, bool inverse) const {
  const size_t n = v.size();
  for (size_t i = 1, j = 0; i < n; ++i) {
    size_t bit = n / 2;
    for (; (j & bit) != 0; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(v[i], v[j]);
  }
  for (size_t half = 1; half < n; half *= 2)
    for (size_t start = 0; start < n; start += 2 * half)
      for (size_t k = 0; k < half; ++k) {
        Complex root = roots_[k * (n / (2 * half))];
        if (inverse) root.im = -root.im;
        const Complex a = v[start + k], b = v[start + half + k] * root;
        v[start + k] = a + b;
        v[start + half + k] = a - b;
      }
}

void Fourier::operator()(Complex* line) {
  // The inverse is the conjugate of the transform of the conjugate, divided by n.
  const auto conjugate = [&] {
    for (size_t i = 0; i < n_ && inverse_; ++i) line[i].im = -line[i].im;
  };
  conjugate();
  if (is_power_of_two(n_)) {
    work_.assign(line, line + n_);
    powers_of_two(work_, false);
  } else if (chirp_.empty()) {
    work_.assign(n_, {});
    for (size_t k = 0; k < n_; ++k)
      for (size_t j = 0; j < n_; ++j) work_[k] = work_[k] + line[j] * roots_[j * k % n_];
  } else {
    const size_t m = filter_.size();
    work_.assign(m, {});
    for (size_t i = 0; i < n_; ++i) work_[i] = line[i] * chirp_[i];
    powers_of_two(work_, false);
    for (size_t i = 0; i < m; ++i) work_[i] = work_[i] * filter_[i];
    powers_of_two(work_, true);
    const double by = 1 / static_cast<double>(m);
    for (size_t i = 0; i < n_; ++i) work_[i] = work_[i] * Complex{chirp_[i].re * by, chirp_[i].im * by};
  }
  std::copy_n(work_.begin(), n_, line);
  conjugate();
  if (inverse_)
    for (size_t i = 0; i < n_; ++i) {
      line[i].re /= static_cast<double>(n_);
      line[i].im /= static_cast<double>(n_);
    }
}

void check_spectrum(const Dims& dims, uint64_t input_elements) {
  const auto count = static_cast<uint64_t>(count_of(dims));
  if (count > std::max(uint64_t{1} << 22, 4 * std::min(input_elements, uint64_t{1} << 40)))
    no_value("a transform of shape ", Shape(dims), " is too large");
}

namespace {
// The elements of a tensor as lines along an axis: outer x dims[axis] x inner.
std::pair<size_t, size_t> around(const Dims& dims, size_t axis) {
  size_t outer = 1, inner = 1;
  for (size_t i = 0; i < axis; ++i) outer *= static_cast<size_t>(dims[i]);
  for (size_t i = axis + 1; i < dims.size(); ++i) inner *= static_cast<size_t>(dims[i]);
  return {outer, inner};
}
}  // namespace

Spectrum resized(const Spectrum& s, size_t axis, int64_t size) {
  Spectrum r{s.dims, {}};
  r.dims[axis] = size;
  check_spectrum(r.dims, s.values.size());
  const auto [outer, inner] = around(s.dims, axis);
  const auto from = static_cast<size_t>(s.dims[axis]), to = static_cast<size_t>(size);
  r.values.resize(outer * to * inner);
  for (size_t o = 0; o < outer; ++o)
    std::copy_n(s.values.begin() + static_cast<std::ptrdiff_t>(o * from * inner), std::min(from, to) * inner,
                r.values.begin() + static_cast<std::ptrdiff_t>(o * to * inner));
  return r;
}

void transform(Spectrum& s, size_t axis, bool inverse) {
  const auto [outer, inner] = around(s.dims, axis);
  const auto n = static_cast<size_t>(s.dims[axis]);
  if (s.values.empty() || n == 0) return;
  Fourier run(n, inverse);
  std::vector<Complex> line(n);
  for (size_t o = 0; o < outer; ++o)
    for (size_t i = 0; i < inner; ++i) {
      Complex* const first = s.values.data() + o * n * inner + i;
      for (size_t k = 0; k < n; ++k) line[k] = first[k * inner];
      run(line.data());
      for (size_t k = 0; k < n; ++k) first[k * inner] = line[k];
    }
}

FourierSizes fourier_sizes(const EvalContext& c, const Dims& dims) {
  FourierSizes f{unique_axes(c.input(1).to_ints(), dims.size(), "axes"), {}};
  f.sizes = c.has(2) ? c.input(2).to_ints() : Dims(f.axes.size(), -1);
  require(f.sizes.size() == f.axes.size(), "signal_size has ", f.sizes.size(), " entries for ", f.axes.size(),
          " axes");
  for (const int64_t s : f.sizes)
    require(s == -1 || s > 0, "signal_size has ", s, "; expected -1 or 1 or more");
  return f;
}

std::optional<FourierShape> fourier_shape(const InferContext& c, size_t rank) {
  const Dim count = vector_length(c, 1, "axes");
  std::vector<std::optional<Interval>> sizes;
  if (c.has(2)) {
    const Dim length = same_dim(vector_length(c, 2, "signal_size"), count, "lengths of axes and signal_size");
    if (const auto list = intervals(c, 2)) {
      for (const Interval& s : *list) {
        require(s.hi >= -1 && !(s.exact() && s.lo == 0), "signal_size has ", s.hi,
                "; expected -1 or 1 or more");
        sizes.emplace_back(s);
      }
    } else if (length.is_static() && length.value() <= bounds_limit) {
      sizes.assign(static_cast<size_t>(length.value()), Interval());
    }
  }
  const auto axes = axes_input(c, 1, rank);
  if (!axes) return std::nullopt;
  require(!axes->empty() || rank == 0, "axes is empty; expected at least one axis");
  sizes.resize(axes->size());
  return FourierShape{*axes, sizes};
}

Dim sized(const std::optional<Interval>& size, const Dim& same) {
  if (!size) return same;
  if (size->exact() && size->lo == -1) return same;
  const Dim given = Interval(std::max<int64_t>(size->lo, 1), size->hi).to_dim();
  return size->lo <= -1 ? unite(given, same) : given;
}

void check_fourier_types(const Node& n) {
  constexpr std::string_view reader = "src/core/src/op/util/fft_base.cpp of 2025";
  check_limits(n, {{"the data are f32, f16 or bf16", "", reader, is_common_float<0>},
                   {"axes and sizes are i32 or i64", "", reader, are_i32_or_i64<1, 2>}});
}

}  // namespace mo::opset
