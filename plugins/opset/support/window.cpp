#include "support/window.hpp"

namespace mo::opset {

void add_window_attrs(OpSchema& s, bool dilations) {
  s.attr<std::vector<int64_t>>("strides");
  if (dilations) s.attr<std::vector<int64_t>>("dilations");
  s.attr<std::vector<int64_t>>("pads_begin").attr<std::vector<int64_t>>("pads_end");
  s.attr<std::string>("auto_pad", "explicit").one_of({"explicit", "same_upper", "same_lower", "valid"});
}

AutoPad auto_pad_attr(const OpContext& c) {
  const auto mode = c.attr<std::string>("auto_pad");
  return mode == "same_upper"   ? AutoPad::same_upper
         : mode == "same_lower" ? AutoPad::same_lower
         : mode == "valid"      ? AutoPad::valid
                                : AutoPad::explicit_pads;
}

Window window_attrs(const OpContext& c, size_t n, bool dilations, int64_t least_pad) {
  Window w;
  w.auto_pad = auto_pad_attr(c);
  w.strides = list_attr(c, "strides", n, 1, 1);
  w.dilations = dilations ? list_attr(c, "dilations", n, 1, 1) : std::vector<int64_t>(n, 1);
  if (w.auto_pad == AutoPad::explicit_pads) {
    w.pads_begin = list_attr(c, "pads_begin", n, least_pad, 0);
    w.pads_end = list_attr(c, "pads_end", n, least_pad, 0);
  } else {
    w.pads_begin.assign(n, 0);
    w.pads_end.assign(n, 0);
  }
  return w;
}

namespace {

int64_t span_of(const Window& w, size_t i, int64_t kernel) {
  return detail::checked_add(detail::checked_mul(kernel - 1, w.dilations[i]), 1);
}

// Of exact numbers with explicit pads; less than 1 where the window does not fit.
int64_t places(const Window& w, size_t i, int64_t in, int64_t kernel) {
  const int64_t padded = detail::checked_add(detail::checked_add(in, w.pads_begin[i]), w.pads_end[i]);
  const int64_t room = detail::checked_add(padded, -span_of(w, i, kernel));
  if (room < 0) return 0;
  const int64_t n =
      room / w.strides[i] + (w.rounding != Rounding::floor && room % w.strides[i] != 0 ? 1 : 0) + 1;
  // The last window must not lie in the padding altogether.
  const bool outside = n > 1 && detail::checked_mul(n - 1, w.strides[i]) >= in + w.pads_begin[i];
  return w.rounding == Rounding::ceil_torch && outside ? n - 1 : n;
}

// The least number of places: that of the greatest kernel, as far as it fits.
int64_t least_places(const Window& w, size_t i, const Dim& in, const Dim& kernel) {
  const auto greatest = [&](int64_t size) {
    const int64_t padded = detail::checked_add(detail::checked_add(size, w.pads_begin[i]), w.pads_end[i]);
    if (padded < 1) return int64_t{0};
    const int64_t fitting = (padded - 1) / w.dilations[i] + 1;
    return kernel.is_unbounded() ? fitting : std::min(kernel.max, fitting);
  };
  int64_t least = std::numeric_limits<int64_t>::max();
  // Where the kernel is limited by the input, one place is soon found.
  for (int64_t size = in.min; least > 1 && (in.is_unbounded() || size <= in.max); ++size) {
    if (size - in.min > 64) return 1;
    const int64_t k = greatest(size);
    if (k < kernel.min) continue;  // no window fits
    least = std::min(least, places(w, i, size, k));
    if (!kernel.is_unbounded() && k == kernel.max) break;  // more input only gives more places
  }
  return least == std::numeric_limits<int64_t>::max() ? 1 : std::max<int64_t>(least, 1);
}

// As many as there are strides in the input. A stride longer than the window may leave some of the last one
// over, which rounding up makes another place of.
Dim same_places(const Window& w, size_t i, const Dim& in, const Dim& kernel) {
  const Dim strides = ceil_div(in, w.strides[i]);
  if (w.rounding != Rounding::ceil) return strides;
  // More input gives as many or more, a greater kernel as many or fewer.
  const auto places_of = [&](int64_t size, int64_t count, int64_t k) {
    return count > 0 && size > (count - 1) * w.strides[i] + span_of(w, i, k) ? count + 1 : count;
  };
  return {kernel.is_unbounded() ? strides.min : places_of(in.min, strides.min, kernel.max),
          strides.is_unbounded() ? -1 : places_of(in.max, strides.max, std::max<int64_t>(kernel.min, 1))};
}

}  // namespace

Dim window_places(const Window& w, size_t i, const Dim& in, const Dim& kernel) {
  require(kernel.is_unbounded() || kernel.max > 0, "the kernel has size ", kernel, " in spatial dimension ",
          i);
  if (w.auto_pad == AutoPad::same_upper || w.auto_pad == AutoPad::same_lower)
    return same_places(w, i, in, kernel);
  const int64_t least_kernel = std::max<int64_t>(kernel.min, 1);
  int64_t high = -1;
  if (!in.is_unbounded()) {
    high = places(w, i, in.max, least_kernel);
    require(high > 0, "the window spans ", span_of(w, i, least_kernel), " elements in spatial dimension ", i,
            " but the input with its pads has only ", in.max + w.pads_begin[i] + w.pads_end[i]);
  }
  return {least_places(w, i, in, Dim(least_kernel, kernel.max)), high};
}

std::pair<int64_t, int64_t> window_pads(const Window& w, size_t i, int64_t in, int64_t kernel) {
  if (w.auto_pad == AutoPad::explicit_pads || w.auto_pad == AutoPad::valid)
    return {w.pads_begin[i], w.pads_end[i]};
  const int64_t out = ceil_div(Dim(in), w.strides[i]).value();
  const int64_t reach = detail::checked_add((out - 1) * w.strides[i], span_of(w, i, kernel));
  const int64_t total = std::max<int64_t>(0, reach - in);
  const int64_t less = total / 2;
  return w.auto_pad == AutoPad::same_upper ? std::pair(less, total - less) : std::pair(total - less, less);
}

}  // namespace mo::opset
