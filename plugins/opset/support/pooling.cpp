#include "support/pooling.hpp"

namespace mo::opset {

namespace {

PoolPlan frame(const Dims& data, const Dims& places) {
  PoolPlan p;
  const size_t n = data.size() - 2;
  p.dims = {data[0], data[1]};
  p.dims.insert(p.dims.end(), places.begin(), places.end());
  for (size_t i = 0; i < n; ++i) p.in[3 - n + i] = data[i + 2];
  const int64_t all = count_of(p.dims);
  p.planes = all == 0 ? 0 : static_cast<size_t>(data[0] * data[1]);
  p.places = p.planes == 0 ? 0 : static_cast<size_t>(all) / p.planes;
  if (p.planes == 0) return p;
  // Before anything is made for them: spans take more memory than places.
  for (size_t i = 0; i < n; ++i)
    if (places[i] > std::max(int64_t{1} << 22, 4 * std::min(data[i + 2], int64_t{1} << 40)))
      no_value("a result of shape ", Shape(p.dims), " is too large");
  for (size_t i = 0; i + n < 3; ++i) p.spans[i] = {{0, 0, 1, 1}};
  return p;
}

// The numbers k of 0 <= k < count with 0 <= start + k * step < size.
std::pair<int64_t, int64_t> within(int64_t start, int64_t step, int64_t size, int64_t count) {
  const auto ceil_of = [step](int64_t v) { return v <= 0 ? 0 : (v - 1) / step + 1; };
  const int64_t first = std::min(count, ceil_of(-start));
  return {first, std::max(first, std::min(count, ceil_of(size - start)))};
}

}  // namespace

void spend(const EvalContext& c, const PoolPlan& p) {
  auto steps = static_cast<double>(p.planes);
  for (const auto& spans : p.spans) {
    double seen = 0;
    for (const PoolSpan& s : spans) seen += static_cast<double>(s.last - s.first);
    steps *= seen;
  }
  spend(c.context(), steps);
}

PoolPlan sliding_plan(const Dims& data, const Dims& kernel, const Window& w) {
  const size_t n = kernel.size();
  Dims places;
  for (size_t i = 0; i < n; ++i) places.push_back(window_places(w, i, data[i + 2], kernel[i]).value());
  PoolPlan p = frame(data, places);
  if (p.planes == 0) return p;
  bool padded = false;
  double whole = 1;
  for (size_t i = 0; i < n; ++i) {
    const size_t to = 3 - n + i;
    p.dilation[to] = w.dilations[i];
    const auto [begin, end] = window_pads(w, i, data[i + 2], kernel[i]);
    padded |= i < 2 && (begin != 0 || end != 0);
    whole *= static_cast<double>(kernel[i]);
    for (int64_t o = 0; o < places[i]; ++o) {
      const int64_t start = o * w.strides[i] - begin;
      const auto [first, last] = within(start, w.dilations[i], data[i + 2], kernel[i]);
      const auto inside = within(start + begin, w.dilations[i], data[i + 2] + begin + end, kernel[i]);
      p.spans[to].push_back({start, first, last, inside.second - inside.first});
    }
  }
  if (padded) p.whole = whole;
  return p;
}

PoolPlan adaptive_plan(const Dims& data, const Dims& size) {
  PoolPlan p = frame(data, size);
  if (p.planes == 0) return p;
  for (size_t i = 0; i < size.size(); ++i) {
    const int64_t in = data[i + 2], out = size[i];
    require(in > 0, "spatial dimension ", i, " of the data is 0; expected 1 or more");
    for (int64_t o = 0; o < out; ++o) {
      const int64_t first = detail::checked_mul(o, in) / out;
      const int64_t last = (detail::checked_mul(o + 1, in) - 1) / out + 1;
      p.spans[3 - size.size() + i].push_back({first, 0, last - first, last - first});
    }
  }
  return p;
}

}  // namespace mo::opset
