#include "support/scaled_weights.hpp"

#include "support/linear_steps.hpp"

#include <cmath>

namespace mo::builtin_passes {

namespace {

// Elements as they are stored, and as numbers.
template <class Number>
struct PlainFloat {
  using Stored = Number;
  static double get(Number v) { return v; }
  static Number put(double v) { return static_cast<Number>(v); }
};
struct HalfFloat {
  using Stored = uint16_t;
  static double get(uint16_t v) { return half_to_float(v); }
  static uint16_t put(double v) { return float_to_half(static_cast<float>(v)); }
};
struct BrainFloat {
  using Stored = uint16_t;
  static double get(uint16_t v) { return bfloat_to_float(v); }
  static uint16_t put(double v) { return float_to_bfloat(static_cast<float>(v)); }
};

template <class F>
bool for_float_type(ElementType type, F f) {
  switch (type) {
    case ElementType::f32:
      f(PlainFloat<float>());
      return true;
    case ElementType::f64:
      f(PlainFloat<double>());
      return true;
    case ElementType::f16:
      f(HalfFloat());
      return true;
    case ElementType::bf16:
      f(BrainFloat());
      return true;
    default:
      return false;
  }
}

// Files align their numbers as they like.
template <class E>
double element(const void* data, size_t i) {
  typename E::Stored v;
  std::memcpy(&v, static_cast<const char*>(data) + i * sizeof v, sizeof v);
  return E::get(v);
}

// Elements times a factor, and the largest magnitude of what comes out.
template <class E>
class Scaling {
 public:
  Scaling(const void* from, void* to) : from_(from), to_(static_cast<typename E::Stored*>(to)) {}

  void put(size_t i, double f) {
    to_[i] = E::put(element<E>(from_, i) * f);
    const double magnitude = std::abs(E::get(to_[i]));
    largest_ = magnitude > largest_ ? magnitude : largest_;
  }
  void row(size_t begin, size_t end, double f) {
    if constexpr (std::is_same_v<E, PlainFloat<float>>) {
      for (; begin + lanes <= end; begin += lanes) put_lanes(begin, f);
    }
    for (; begin < end; ++begin) put(begin, f);
  }
  double largest() const {
    double most = largest_;
    for (const int32_t bits : magnitudes_)
      most = std::max<double>(most, detail::float_from_bits(static_cast<uint32_t>(bits)));
    return most;
  }

 private:
  static constexpr size_t lanes = 8;

  // Loops of a length that the compiler knows become vector instructions. Magnitudes are ordered as their
  // bits are.
  void put_lanes(size_t at, double f) {
    float v[lanes];
    int32_t bits[lanes];
    std::memcpy(v, static_cast<const char*>(from_) + at * sizeof(float), sizeof v);
    for (float& x : v) x = static_cast<float>(static_cast<double>(x) * f);
    std::memcpy(to_ + at, v, sizeof v);
    std::memcpy(bits, v, sizeof v);
    for (size_t k = 0; k < lanes; ++k) bits[k] &= 0x7fffffff;
    for (size_t k = 0; k < lanes; ++k) magnitudes_[k] = std::max(bits[k], magnitudes_[k]);
  }

  const void* from_;
  typename E::Stored* to_;
  double largest_ = 0;
  int32_t magnitudes_[lanes] = {};
};

// `to` = `from` * factor, one channel after the other. Returns the largest magnitude there is.
template <class E>
double scale_elements(const void* from, void* to, const ChannelView& view, const ChannelValues& factor) {
  Scaling<E> scaling(from, to);
  const bool one = factor.size() == 1;
  const size_t n = view.elements();
  if (view.inner == 1 && view.b == 1 && view.middle == 1 && !one) {
    for (size_t row = 0; row < n; row += view.a)
      for (size_t c = 0; c < view.a; ++c) scaling.put(row + c, factor[c]);
    return scaling.largest();
  }
  const size_t length = one ? n : view.inner;
  for (size_t row = 0; row < n; row += length)
    scaling.row(row, row + length, factor[one ? 0 : view.channel_of(row)]);
  return scaling.largest();
}

template <class E>
double largest_of(const Tensor& t) {
  double largest = 0;
  for (size_t i = 0, n = t.size(); i < n; ++i) largest = std::max(largest, std::abs(element<E>(t.data(), i)));
  return largest;
}

}  // namespace

std::optional<NewSources> ScaledWeights::scaled(const InPort& at, const ChannelView& view,
                                                const ChannelValues& factor, uint64_t may_grow, int depth) {
  const OutPort source = at.get_source();
  const Node n = source.node();
  const std::string op = n.op();
  if (op == "Const") {
    const OutPort made = scaled_constant(source, view, factor, may_grow);
    return made ? std::optional(NewSources{{at, made}}) : std::nullopt;
  }
  const Shape shape = source.shape();
  if (depth > 4 || !shape.is_static() || !only_reader_of(source)) return std::nullopt;
  const auto dims = shape.to_static();
  if (op == "Reshape" && n.in_node(1).op() == "Const")
    return scaled(n.in_port(0), view, factor, may_grow, depth + 1);
  if (op == "Multiply") {
    const size_t scale = n.in_node(1).op() == "Const" ? 1 : 0;
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
  if (value->bytes() > may_grow && (!only_reader_of(source) || is_shared(value->data()))) return {};
  OutPort made;
  for_float_type(value->type(), [&](auto e) {
    using E = decltype(e);
    auto [t, data] = Tensor::create_bytes(graph_.context(), value->type(), value->dims());
    const double largest = scale_elements<E>(value->data(), data, view, factor);
    // Infinite, or no longer with all digits, because of the factor.
    if (!holds_factors(value->type(), {largest}) && holds_factors(value->type(), {largest_of<E>(*value)}))
      return;
    made = graph_.create_const(source.node().name() + "/scaled", t).out_port();
  });
  return made;
}

OutPort ScaledWeights::scaled_operand(const OutPort& operand, const std::vector<int64_t>& dims,
                                      const ChannelView& view, const ChannelValues& factor) {
  const auto value = operand && operand.node().op() == "Const" ? operand.value() : std::nullopt;
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

bool ScaledWeights::is_shared(const void* data) {
  if (!std::exchange(counted_, true))
    for (const Node& n : graph_.get_op_nodes("Const"))
      if (const auto value = n.out_port().value(); value && !n.out_port().disconnected())
        ++constants_[value->data()];
  return constants_[data] > 1;
}

std::optional<ChannelValues> weighted_sums(const Tensor& weights, const ChannelView& in,
                                           const ChannelView& out, const ChannelValues& term) {
  const size_t n = weights.size();
  if (n != in.elements() || n != out.elements()) return std::nullopt;
  if (term.size() != 1 && term.size() != in.channels()) return std::nullopt;
  ChannelValues sums(out.channels(), 0.0);
  const size_t run = std::min(in.inner, out.inner);  // of one channel in both
  const bool known = for_float_type(weights.type(), [&](auto e) {
    using E = decltype(e);
    for (size_t i = 0; i < n; i += run) {
      double sum = 0;
      for (size_t k = i; k < i + run; ++k) sum += E::get(weights.bits_at<typename E::Stored>(k));
      sums[out.channel_of(i)] += sum * term[term.size() == 1 ? 0 : in.channel_of(i)];
    }
  });
  return known ? std::optional(sums) : std::nullopt;
}

}  // namespace mo::builtin_passes
