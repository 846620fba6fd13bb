// Sums, means, products and norms over axes. Floats are summed in double.
#include "support/reduction.hpp"
#include "support/wrapping.hpp"

namespace mo::opset {

namespace reducing {
// Integers are summed as 64 bits, which wrap around.
template <class T>
using sum_t = std::conditional_t<std::is_floating_point_v<T>, double,
                                 std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

static Interval sum(const std::vector<Interval>& list) {
  Interval s = 0;
  for (const Interval& v : list) s = interval::sum(s, v);
  return s;
}
static RealInterval sum(const std::vector<RealInterval>& list) {
  RealInterval s = 0;
  for (const RealInterval& v : list) s = real::sum(s, v);
  return s;
}
static Interval magnitude(const Interval& v) {
  const Interval n = interval::negative(v);
  return v.lo >= 0 ? v : v.hi <= 0 ? n : Interval(0, std::max(v.hi, n.hi));
}
}  // namespace reducing

struct ReduceSum {
  static constexpr std::string_view doc = "sum over axes";
  template <class T>
  struct State {
    reducing::sum_t<T> sum = 0;
    void add(T x) { sum = wrapping::add(sum, static_cast<reducing::sum_t<T>>(x)); }
    T result(size_t) const { return static_cast<T>(sum); }
  };
  template <class I>
  static I bounds(const std::vector<I>& list) {
    return reducing::sum(list);
  }
};

struct ReduceMean {
  static constexpr std::string_view doc = "mean over axes";
  template <class T>
  struct State : ReduceSum::State<T> {
    T result(size_t count) const {
      if (std::is_integral_v<T> && count == 0) return T{0};
      return static_cast<T>(this->sum / static_cast<reducing::sum_t<T>>(count));
    }
  };
  static Interval bounds(const std::vector<Interval>& list) {
    if (list.empty()) return 0;
    const auto n = static_cast<int64_t>(list.size());
    const Interval s = reducing::sum(list);
    return {interval::truncated_quotient(s.lo, n), interval::truncated_quotient(s.hi, n)};
  }
  static RealInterval bounds(const std::vector<RealInterval>& list) {
    if (list.empty()) return {};
    const auto n = static_cast<double>(list.size());
    const RealInterval s = reducing::sum(list);
    return {s.lo / n, s.hi / n};
  }
};

struct ReduceProd {
  static constexpr std::string_view doc = "product over axes";
  template <class T>
  struct State {
    reducing::sum_t<T> product = 1;
    void add(T x) { product = wrapping::multiply(product, static_cast<reducing::sum_t<T>>(x)); }
    T result(size_t) const { return static_cast<T>(product); }
  };
  static Interval bounds(const std::vector<Interval>& list) {
    Interval p = 1;
    for (const Interval& v : list) p = interval::product(p, v);
    return p;
  }
  static RealInterval bounds(const std::vector<RealInterval>& list) {
    RealInterval p = 1;
    for (const RealInterval& v : list) p = real::product(p, v);
    return p;
  }
};

struct ReduceL1 {
  static constexpr std::string_view doc = "sum of magnitudes over axes";
  template <class T>
  struct State : ReduceSum::State<T> {
    void add(T x) { ReduceSum::State<T>::add(x < T{0} ? wrapping::negative(x) : x); }
  };
  static Interval bounds(const std::vector<Interval>& list) {
    Interval s = 0;
    for (const Interval& v : list) s = interval::sum(s, reducing::magnitude(v));
    return s;
  }
  static RealInterval bounds(const std::vector<RealInterval>& list) {
    RealInterval s = 0;
    for (const RealInterval& v : list) s = real::sum(s, real::magnitude(v));
    return s;
  }
};

struct ReduceL2 {
  static constexpr std::string_view doc = "root of the sum of squares over axes";
  template <class T>
  struct State {
    double sum = 0;
    void add(T x) { sum += static_cast<double>(x) * static_cast<double>(x); }
    T result(size_t) const { return static_cast<T>(std::sqrt(sum)); }
  };
  // Integers are computed like floats, and truncated.
  static Interval bounds(const std::vector<Interval>& list) {
    std::vector<RealInterval> reals;
    for (const Interval& v : list) reals.emplace_back(reducing::magnitude(v));
    const RealInterval r = bounds(reals);
    return outwards(ElementType::f64, {std::floor(r.lo), std::floor(r.hi)});
  }
  static RealInterval bounds(const std::vector<RealInterval>& list) {
    RealInterval s = 0;
    for (const RealInterval& v : list) {
      const RealInterval m = real::magnitude(v);
      s = real::sum(s, m.unknown() ? m : RealInterval(m.lo * m.lo, m.hi * m.hi));
    }
    return s.unknown() ? s : RealInterval(std::sqrt(s.lo), std::sqrt(s.hi));
  }
};

void register_reduce(Registry& r) {
  r.operation<Reduction<ReduceSum>>("ReduceSum", "opset1");
  r.operation<Reduction<ReduceMean>>("ReduceMean", "opset1");
  r.operation<Reduction<ReduceProd>>("ReduceProd", "opset1");
  r.operation<Reduction<ReduceL1>>("ReduceL1", "opset4");
  r.operation<Reduction<ReduceL2>>("ReduceL2", "opset4");
}

}  // namespace mo::opset
