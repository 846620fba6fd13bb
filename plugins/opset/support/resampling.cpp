#include "support/resampling.hpp"

#include <numeric>

namespace mo::opset::resampling {

namespace {

// Element `i` of the target as a place in the padded axis.
float place(const Axis& a, Transform t, int64_t i) {
  const auto x = static_cast<float>(i);
  switch (t) {
    case Transform::half_pixel:
      return (x + 0.5F) / a.scale - 0.5F;
    case Transform::pytorch_half_pixel:
      return a.target > 1 ? (x + 0.5F) / a.scale - 0.5F : 0.0F;
    case Transform::asymmetric:
      return x / a.scale;
    case Transform::tf_half_pixel_for_nn:
      return (x + 0.5F) / a.scale;
    case Transform::align_corners:
      break;
  }
  return a.target == 1 ? 0.0F : x * static_cast<float>(a.padded() - 1) / static_cast<float>(a.target - 1);
}

float nearest(float v, Nearest mode, bool smaller) {
  switch (mode) {
    case Nearest::round_prefer_floor:
      return v == std::floor(v) + 0.5F ? std::floor(v) : std::floor(v + 0.5F);
    case Nearest::round_prefer_ceil:
      return std::floor(v + 0.5F);
    case Nearest::floor:
      return std::floor(v);
    case Nearest::ceil:
      return std::ceil(v);
    case Nearest::simple:
      break;
  }
  return smaller ? std::ceil(v) : std::trunc(v);
}

// Weighted elements, one list for each element of the target.
struct Tap {
  int64_t at;
  double weight;
};
using Taps = std::vector<Tap>;

// Collects the taps of a target element; those in the pads are zeros and left out.
class Collector {
 public:
  Collector(const Axis& a, Taps& out) : axis_(a), out_(out) {}
  void add(int64_t padded_index, double weight) {
    const int64_t at = padded_index - axis_.begin;
    if (at >= 0 && at < axis_.size && weight != 0) out_.push_back({at, weight});
  }
  int64_t kept(double v) const { return clamped_index(v, 0, axis_.padded() - 1); }

 private:
  const Axis& axis_;
  Taps& out_;
};

void linear_onnx(const Axis& a, double v, Collector& out) {
  const double at = std::clamp(v, 0.0, static_cast<double>(a.padded() - 1)), low = std::floor(at);
  out.add(out.kept(low), 1 - (at - low));
  out.add(out.kept(low + 1), at - low);
}

void cubic(double v, double coeff, Collector& out) {
  const double low = std::floor(v), t = v - low;
  const auto near = [&](double x) { return ((coeff + 2) * x - (coeff + 3)) * x * x + 1; };
  const double first = ((coeff * (t + 1) - 5 * coeff) * (t + 1) + 8 * coeff) * (t + 1) - 4 * coeff;
  const double w[4] = {first, near(t), near(1 - t), 1 - first - near(t) - near(1 - t)};
  for (int64_t i = 0; i < 4; ++i) out.add(out.kept(low + static_cast<double>(i) - 1), w[i]);
}

// A triangle around the place, as wide as the elements of the target when `factor` is below 1.
void linear(const Axis& a, double v, double factor, Collector& out) {
  const double reach = a.scale > 1 ? 2 : std::ceil(2 / factor), middle = std::nearbyint(v);
  const int64_t first = clamped_index(middle - reach, 0, a.padded()),
                last = clamped_index(middle + reach, -1, a.padded() - 1);
  const auto weight = [&](int64_t i) {
    return std::max(0.0, 1 - std::abs(factor * (v - static_cast<double>(i))));
  };
  double total = 0;
  for (int64_t i = first; i <= last; ++i) total += weight(i);
  for (int64_t i = first; total > 0 && i <= last; ++i) out.add(i, weight(i) / total);
}

void pillow(const Axis& a, int64_t i, const Settings& s, Collector& out) {
  const double scale = static_cast<double>(a.padded()) / static_cast<double>(a.target),
               wide = std::max(scale, 1.0);
  const double support = (s.mode == Mode::bilinear_pillow ? 1 : 2) * wide;
  const double center = (static_cast<double>(i) + 0.5) * scale, k = s.cube_coeff;
  const int64_t first = std::max<int64_t>(static_cast<int64_t>(center - support + 0.5), 0);
  const int64_t end = std::min(static_cast<int64_t>(center + support + 0.5), a.padded());
  const auto weight = [&](int64_t at) {
    const double t = std::abs((static_cast<double>(at) - center + 0.5) / wide);
    if (s.mode == Mode::bilinear_pillow) return std::max(0.0, 1 - t);
    if (t < 1) return ((k + 2) * t - (k + 3)) * t * t + 1;
    return t < 2 ? (((t - 5) * t + 8) * t - 4) * k : 0.0;
  };
  double total = 0;
  for (int64_t at = first; at < end; ++at) total += weight(at);
  for (int64_t at = first; at < end; ++at) out.add(at, total != 0 ? weight(at) / total : weight(at));
}

// How many elements one of the target is made of at most.
int64_t widest(const Axis& a, const Settings& s, double factor) {
  const double shrunk = a.target > 0 ? static_cast<double>(a.padded()) / static_cast<double>(a.target) : 1;
  const bool pillow = s.mode == Mode::bilinear_pillow || s.mode == Mode::bicubic_pillow;
  const double reach = pillow                   ? 4 * std::max(shrunk, 1.0)
                       : s.mode == Mode::linear ? 4 / std::min(factor, 1.0)
                                                : 4;
  return clamped_index(reach + 2, 0, int64_t{1} << 40);
}

std::vector<Taps> taps_of(const Axis& a, const Settings& s, bool shrinks) {
  std::vector<Taps> list(static_cast<size_t>(a.target));
  const double factor = s.antialias && shrinks ? static_cast<double>(a.scale) : 1;
  limit_work({a.target, 1 + std::min(a.padded(), widest(a, s, factor)), 64});
  for (int64_t i = 0; i < a.target; ++i) {
    Collector out(a, list[static_cast<size_t>(i)]);
    const double v = a.resized ? static_cast<double>(place(a, s.transform, i)) : 0;
    if (!a.resized)
      out.add(i, 1);
    else if (s.mode == Mode::linear_onnx)
      linear_onnx(a, v, out);
    else if (s.mode == Mode::cubic)
      cubic(v, s.cube_coeff, out);
    else if (s.mode == Mode::linear)
      linear(a, v, factor, out);
    else
      pillow(a, i, s, out);
  }
  return list;
}

// `in` [outer, size, inner] along the axis in the middle.
std::vector<double> along(const std::vector<double>& in, const std::vector<Taps>& taps, int64_t size,
                          size_t inner) {
  const size_t outer = size == 0 || inner == 0 ? 0 : in.size() / (static_cast<size_t>(size) * inner);
  std::vector<double> out(outer * taps.size() * inner);
  for (size_t o = 0; o < outer; ++o)
    for (size_t i = 0; i < taps.size(); ++i) {
      double* const to = out.data() + (o * taps.size() + i) * inner;
      for (const Tap& t : taps[i]) {
        const double* const from =
            in.data() + (o * static_cast<size_t>(size) + static_cast<size_t>(t.at)) * inner;
        for (size_t k = 0; k < inner; ++k) to[k] += from[k] * t.weight;
      }
    }
  return out;
}

// To the nearest number of the type.
void rounded(ElementType type, std::vector<double>& numbers) {
  for_number(type, [&](auto e) {
    using T = decltype(e);
    if constexpr (std::is_integral_v<T>)
      for (double& v : numbers)
        v = std::clamp(std::round(v), static_cast<double>(std::numeric_limits<T>::min()),
                       static_cast<double>(std::numeric_limits<T>::max()));
  });
}

Dims target_dims(const std::vector<Axis>& axes) {
  Dims dims;
  for (const Axis& a : axes) dims.push_back(a.target);
  return dims;
}

// Elements are only moved, whatever their type.
Tensor take_nearest(const EvalContext& c, const Tensor& in, const std::vector<Axis>& axes,
                    const Settings& s) {
  std::vector<Dims> lists;
  for (const Axis& a : axes) {
    Dims list;
    for (int64_t i = 0; i < a.target; ++i) {
      int64_t at = i;
      if (a.resized)
        at = clamped_index(static_cast<double>(nearest(place(a, s.transform, i), s.nearest, a.scale < 1)), 0,
                           a.padded() - 1);
      at -= a.begin;
      list.push_back(at >= 0 && at < a.size ? at : -1);
    }
    lists.push_back(list);
  }
  const Tensor from = is_packed(in.type()) ? unpacked(c, in) : in;
  const auto out = create_grown(c, from.type(), target_dims(axes), in.bytes());
  run_lists(lists, in.dims(), from.data(), out.second, width_of(from.type()));
  return is_packed(in.type()) ? repacked(c, out.first, in.type()) : out.first;
}

}  // namespace

std::vector<Axis> padded_axes(const Tensor& in, const Dims& begin, const Dims& end) {
  std::vector<Axis> axes(in.rank());
  for (size_t i = 0; i < axes.size(); ++i) {
    axes[i] = {in.dim(i), begin[i], end[i]};
    axes[i].target = detail::checked_add(detail::checked_add(in.dim(i), begin[i]), end[i]);
  }
  return axes;
}
void resize(Axis& a, int64_t target) {
  a.resized = true;
  a.target = target;
  a.scale =
      static_cast<float>(static_cast<double>(target) / static_cast<double>(std::max<int64_t>(a.padded(), 1)));
}

Tensor resampled(const EvalContext& c, const Tensor& in, const std::vector<Axis>& axes, const Settings& s) {
  for (const Axis& a : axes)
    require(!a.resized || a.padded() > 0 || a.target == 0, "an axis of 0 elements cannot become ", a.target);
  const auto out =
      create_grown(c, is_packed(in.type()) ? ElementType::u8 : in.type(), target_dims(axes), in.bytes());
  if (out.first.size() == 0 || s.mode == Mode::nearest) return take_nearest(c, in, axes, s);
  const bool shrinks =
      std::any_of(axes.begin(), axes.end(), [](const Axis& a) { return a.resized && a.scale < 1; });
  auto numbers = in.to_floats<double>();
  // Axes that become shorter come first, so that what is between is no larger than input or result.
  std::vector<size_t> order(axes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const bool pillow = s.mode == Mode::bilinear_pillow || s.mode == Mode::bicubic_pillow;
  if (pillow)  // the last axis first, and what is between has the type, too
    std::reverse(order.begin(), order.end());
  else
    std::stable_partition(order.begin(), order.end(),
                          [&](size_t i) { return axes[i].target <= axes[i].size; });
  Dims dims = in.dims();
  for (const size_t i : order) {
    const Axis& a = axes[i];
    if (!a.resized && a.begin == 0 && a.end == 0) continue;
    // A zero has no taps; what is left of an empty axis is zeros.
    const auto inner =
        static_cast<size_t>(count_of(Dims(dims.begin() + static_cast<std::ptrdiff_t>(i) + 1, dims.end())));
    if (a.size == 0) return out.first;
    const auto taps = taps_of(a, s, shrinks);
    int64_t steps = 0;
    for (const Taps& t : taps) steps += static_cast<int64_t>(t.size());
    limit_work(c, {count_of(dims) / a.size, steps});
    numbers = along(numbers, taps, a.size, inner);
    if (pillow && !is_float(in.type())) rounded(in.type(), numbers);
    dims[i] = a.target;
  }
  for_number(in.type(), [&](auto e) {
    for (size_t i = 0; i < numbers.size(); ++i) put_nearest<decltype(e)>(out.second, i, numbers[i]);
  });
  return out.first;
}

}  // namespace mo::opset::resampling
