#include "support/scaled_weights.hpp"

#include "support/eliminate.hpp"
#include "support/float_elements.hpp"
#include "support/linear_steps.hpp"

#include <algorithm>
#include <cmath>

namespace mo::builtin_passes {

namespace {

// Fewer bytes at once cost more than what they spare.
constexpr uint64_t least_read = 4096;

// The largest magnitude of what is fed, each number times its factor.
class Largest {
 public:
  void feed(const float* v, size_t n, const double* factors, size_t step) {
    if (step == 0) return one<PlainFloat<float>>(largest_of(v, n), *factors);
    size_t k = 0;
    for (; k + lanes <= n; k += lanes) {
      float x[lanes];
      int32_t bits[lanes];
      std::memcpy(x, v + k, sizeof x);
      for (size_t j = 0; j < lanes; ++j)
        x[j] = static_cast<float>(static_cast<double>(x[j]) * factors[k + j]);
      std::memcpy(bits, x, sizeof bits);
      // Magnitudes are ordered as their bits are; those of a NaN are above infinity.
      for (size_t j = 0; j < lanes; ++j) bits[j] &= 0x7fffffff;
      for (size_t j = 0; j < lanes; ++j) bits[j] = bits[j] > infinite ? 0 : bits[j];
      for (size_t j = 0; j < lanes; ++j) magnitudes_[j] = std::max(bits[j], magnitudes_[j]);
    }
    for (; k < n; ++k) one<PlainFloat<float>>(v[k], factors[k]);
  }
  template <class E>
  void one(typename E::Stored v, double factor) {
    const double magnitude = std::abs(static_cast<double>(E::get(E::put(E::get(v) * factor))));
    largest_ = magnitude > largest_ ? magnitude : largest_;
  }
  double value() const {
    double most = largest_;
    for (const int32_t bits : magnitudes_)
      most = std::max<double>(most, detail::float_from_bits(static_cast<uint32_t>(bits)));
    return most;
  }

 private:
  // Rounding keeps the order, so the largest product is that of the largest number. A NaN is never larger.
  static float largest_of(const float* v, size_t n) {
    float largest[lanes] = {};
    size_t k = 0;
    for (; k + lanes <= n; k += lanes) {
      float x[lanes];
      std::memcpy(x, v + k, sizeof x);
      for (size_t j = 0; j < lanes; ++j) x[j] = std::abs(x[j]);
      for (size_t j = 0; j < lanes; ++j) largest[j] = x[j] > largest[j] ? x[j] : largest[j];
    }
    for (; k < n; ++k) largest[0] = std::max(largest[0], std::abs(v[k]));
    return *std::max_element(largest, largest + lanes);
  }

  static constexpr size_t lanes = 8;
  static constexpr int32_t infinite = 0x7f800000;
  double largest_ = 0;
  int32_t magnitudes_[lanes] = {};
};

template <class E>
void feed(Largest& largest, const typename E::Stored* v, size_t n, const double* factors, size_t step) {
  if constexpr (std::is_same_v<E, PlainFloat<float>>)
    largest.feed(v, n, factors, step);
  else
    for (size_t k = 0; k < n; ++k) largest.one<E>(v[k], factors[step * k]);
}

// Becomes a number infinite, or do all lose digits, because of the factors?
template <class E>
bool loses_numbers(Context c, const Tensor& t, const ChannelsOf& view, const ChannelValues& factors) {
  using Stored = typename E::Stored;
  const size_t most = piece_bytes / sizeof(Stored), size = t.size();
  const auto piece = std::make_unique<Stored[]>(std::min(most, size));
  Largest scaled;
  const auto look_at = [&](size_t first, size_t n) {
    t.read(c, first * sizeof(Stored), n * sizeof(Stored), piece.get());
    detail::channel_runs(view, first, n, [&](uint64_t channel, size_t at, size_t length) {
      feed<E>(scaled, piece.get() + at, length, factors.data() + channel, view.inner > 1 ? 0 : 1);
    });
  };
  const auto some_keep_digits = [&] {
    return scaled.value() != 0 && holds_factors(t.type(), {scaled.value()});
  };
  // What does not grow stays finite, and then one number with all of its digits is enough. Of short runs of a
  // channel all are read together.
  const auto grows = [](double factor) { return !(std::abs(factor) <= 1); };
  const bool one_grows = std::any_of(factors.begin(), factors.end(), grows);
  const bool by_channel = view.inner * sizeof(Stored) >= least_read;
  for (size_t i = 0; i < size;) {
    const size_t in_run = by_channel ? i % view.inner : 0, run = by_channel ? view.inner : size - i;
    const size_t n = std::min({most, run - in_run, size - i});
    const bool may_grow = by_channel ? grows(factors[i / view.inner % view.channels]) : one_grows;
    if (may_grow || !some_keep_digits()) look_at(i, n);
    i += n;
  }
  if (holds_factors(t.type(), {scaled.value()})) return false;
  Largest before;
  const double one = 1;
  read_pieces<Stored>(c, t, [&](size_t, const Stored* v, size_t n) { feed<E>(before, v, n, &one, 0); });
  return holds_factors(t.type(), {before.value()});
}

ChannelValues at_channels(const ChannelValues& values, const std::vector<size_t>& channels) {
  if (values.size() == 1) return values;
  ChannelValues list;
  for (const size_t c : channels) list.push_back(values[c]);
  return list;
}

}  // namespace

std::optional<NewSources> ScaledWeights::scaled(const InPort& at, const ChannelView& view,
                                                const ChannelValues& factor, uint64_t may_grow, int depth) {
  const OutPort source = at.get_source();
  const Node n = source.node();
  const std::string_view op = op_of(n);
  if (op == "Const") {
    const OutPort made = scaled_constant(source, view, factor, may_grow);
    return made ? std::optional(NewSources{{at, made}}) : std::nullopt;
  }
  const Shape shape = source.shape();
  if (depth > 4 || !shape.is_static() || !only_reader_of(source)) return std::nullopt;
  const auto dims = shape.to_static();
  if (op == "Reshape" && n.in_node(1).is("Const"))
    return scaled(n.in_port(0), view, factor, may_grow, depth + 1);
  if (op == "Multiply") {
    const size_t scale = n.in_node(1).is("Const") ? 1 : 0;
    if (n.in_port(1 - scale).shape() != shape) return std::nullopt;
    const OutPort made = scaled_operand(n.in_port(scale).get_source(), dims, view, factor);
    return made ? std::optional(NewSources{{n.in_port(scale), made}}) : std::nullopt;
  }
  if (op == "FakeQuantize" && n.in_port(0).shape() == shape) {
    const OutPort low = scaled_operand(n.in_port(3).get_source(), dims, view, factor);
    const OutPort high = scaled_operand(n.in_port(4).get_source(), dims, view, factor);
    if (low && high) return NewSources{{n.in_port(3), low}, {n.in_port(4), high}};
  }
  return std::nullopt;
}

OutPort ScaledWeights::scaled_constant(const OutPort& source, const ChannelView& view,
                                       const ChannelValues& factor, uint64_t may_grow) {
  const auto value = source.value();
  if (!value || value->size() != view.elements()) return {};
  if (value->bytes() > may_grow && (!only_reader_of(source) || shared_.contains(graph_, *value))) return {};
  const Context c = graph_.context();
  std::vector<size_t> channels;
  const ChannelsOf flat = view.flat(channels);
  const ChannelValues factors = at_channels(factor, channels);
  bool loses = false;
  const ChannelsOf each = factors.size() == 1 ? ChannelsOf{1, std::max<uint64_t>(value->size(), 2)} : flat;
  if (!for_float_type(value->type(),
                      [&](auto e) { loses = loses_numbers<decltype(e)>(c, *value, each, factors); }) ||
      loses)
    return {};
  return graph_.create_const(source.node().name() + "/scaled", lazy_scaled(c, *value, flat, factors))
      .out_port();
}

OutPort ScaledWeights::scaled_operand(const OutPort& operand, const std::vector<int64_t>& dims,
                                      const ChannelView& view, const ChannelValues& factor) {
  const auto value = operand && operand.node().is("Const") ? operand.value() : std::nullopt;
  if (!value || !is_float(value->type()) || bits(value->type()) < 16 || value->rank() > dims.size())
    return {};
  std::vector<int64_t> list(dims.size(), 1), own(dims.size() - value->rank(), 1);
  if (factor.size() > 1) {
    const auto found = view.list_dims(dims);
    if (!found) return {};
    list = *found;
  }
  // One number, or one for each of the same channels.
  for (const int64_t d : value->dims()) own.push_back(d);
  if (value->size() != 1 && factor.size() != 1 && own != list) return {};
  const auto product = combined(value->to_floats<double>(), factor, std::multiplies<>());
  if (!product || !holds_factors(value->type(), *product)) return {};
  const auto& made = value->size() == 1 ? list : own;
  return graph_
      .create_const(operand.node().name() + "/scaled",
                    Tensor::filled(graph_.context(), value->type(), *product, made))
      .out_port();
}

bool SharedWeights::contains(const Graph& g, const Tensor& t) {
  const auto places = [&g] {
    std::vector<const void*> list;
    for (const Node& n : g.get_op_nodes("Const"))
      if (const auto value = n.out_port().value(); value && !n.out_port().disconnected())
        list.push_back(value->place());
    return list;
  };
  if (std::exchange(counted_, g.id()) != g.id()) {
    places_.clear();
    std::vector<const void*> all = places();
    std::sort(all.begin(), all.end());
    for (size_t i = 1; i < all.size(); ++i)
      if (all[i] == all[i - 1] && (places_.empty() || places_.back() != all[i])) places_.push_back(all[i]);
  }
  if (!std::binary_search(places_.begin(), places_.end(), t.place())) return false;
  // What was there may be gone, and this one in its place.
  const std::vector<const void*> now = places();
  return std::count(now.begin(), now.end(), t.place()) > 1;
}

}  // namespace mo::builtin_passes
