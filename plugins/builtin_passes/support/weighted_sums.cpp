#include "support/weighted_sums.hpp"

#include "support/float_elements.hpp"

namespace mo::builtin_passes {

namespace {

// Elements come in pieces, in order; each channel of the result adds up its own in that order, so that the
// sums do not depend on where pieces end.
template <class E>
class Sums {
 public:
  using Stored = typename E::Stored;

  Sums(const ChannelView& in, const ChannelView& out, const ChannelValues& term)
      : in_(in.flat(in_list_)), out_(out.flat(out_list_)), sums_(out.channels(), 0.0) {
    terms_.reserve(in_list_.size());
    for (const size_t c : in_list_) terms_.push_back(term[term.size() == 1 ? 0 : c]);
    out_is_plain_ = out_list_.size() == out.channels();
  }

  void feed(size_t first, const Stored* v, size_t n) {
    for (size_t at = 0; at < n;) {
      const size_t i = first + at, in_left = in_.inner - i % in_.inner,
                   out_left = out_.inner - i % out_.inner;
      const size_t in = i / in_.inner % in_.channels, out = i / out_.inner % out_.channels;
      size_t length = 1;
      if (in_.inner > 1 && out_.inner > 1) {
        length = std::min({in_left, out_left, n - at});
        for (size_t k = 0; k < length; ++k) run_ += E::get(v[at + k]);
        if (length == std::min(in_left, out_left)) {
          sums_[out_list_[out]] += run_ * terms_[in];
          run_ = 0;
        }
      } else if (in_.inner > 1 && out_is_plain_) {
        if (out == 0 && in_.inner == out_.channels && in + rows <= in_.channels &&
            n - at >= rows * out_.channels) {
          length = rows * out_.channels;
          add_rows(v + at, &terms_[in]);
        } else {
          length = std::min({in_left, out_.channels - out, n - at});
          add(sums_.data() + out, v + at, length, terms_[in]);
        }
      } else if (out_.inner > 1) {
        length = std::min({out_left, in_.channels - in, n - at});
        double sum = sums_[out_list_[out]];
        for (size_t k = 0; k < length; ++k) sum += E::get(v[at + k]) * terms_[in + k];
        sums_[out_list_[out]] = sum;
      } else {
        sums_[out_list_[out]] += E::get(v[at]) * terms_[in];
      }
      at += length;
    }
  }

  ChannelValues take() { return std::move(sums_); }

 private:
  // Loops of a length that is known become vector instructions.
  static void add(double* sums, const Stored* v, size_t n, double term) {
    constexpr size_t lanes = 8;
    size_t k = 0;
    for (; k + lanes <= n; k += lanes) {
      Stored x[lanes];
      double s[lanes];
      std::memcpy(x, v + k, sizeof x);
      std::memcpy(s, sums + k, sizeof s);
      for (size_t j = 0; j < lanes; ++j) s[j] += E::get(x[j]) * term;
      std::memcpy(sums + k, s, sizeof s);
    }
    for (; k < n; ++k) sums[k] += E::get(v[k]) * term;
  }
  // Several rows at once, so that each sum is fetched once for all of them; the order stays.
  void add_rows(const Stored* v, const double* terms) {
    constexpr size_t lanes = 8;
    const size_t n = out_.channels;
    double* const sums = sums_.data();
    size_t k = 0;
    for (; k + lanes <= n; k += lanes) {
      double s[lanes];
      std::memcpy(s, sums + k, sizeof s);
      for (size_t r = 0; r < rows; ++r) {
        Stored x[lanes];
        std::memcpy(x, v + r * n + k, sizeof x);
        for (size_t j = 0; j < lanes; ++j) s[j] += E::get(x[j]) * terms[r];
      }
      std::memcpy(sums + k, s, sizeof s);
    }
    for (; k < n; ++k)
      for (size_t r = 0; r < rows; ++r) sums[k] += E::get(v[r * n + k]) * terms[r];
  }

  static constexpr size_t rows = 4;
  std::vector<size_t> in_list_, out_list_;
  ChannelsOf in_, out_;
  ChannelValues terms_, sums_;
  bool out_is_plain_ = false;
  double run_ = 0;  // of elements that are of one channel in both
};

}  // namespace

std::optional<ChannelValues> weighted_sums(Context c, const Tensor& weights, const ChannelView& in,
                                           const ChannelView& out, const ChannelValues& term) {
  const size_t n = weights.size();
  if (n != in.elements() || n != out.elements()) return std::nullopt;
  if (term.size() != 1 && term.size() != in.channels()) return std::nullopt;
  std::optional<ChannelValues> result;
  for_float_type(weights.type(), [&](auto e) {
    using E = decltype(e);
    Sums<E> sums(in, out, term);
    read_pieces<typename E::Stored>(
        c, weights, [&](size_t i, const typename E::Stored* v, size_t k) { sums.feed(i, v, k); });
    result = sums.take();
  });
  return result;
}

}  // namespace mo::builtin_passes
