// ReduceMax, ReduceMin, ReduceLogicalAnd and ReduceLogicalOr.
#include "support/reduction.hpp"

namespace mo::opset {

namespace reducing {
template <class T>
constexpr T lowest_of() {
  if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::lowest();
}
template <class T>
constexpr T highest_of() {
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::max();
}
}  // namespace reducing

struct ReduceMax {
  static constexpr std::string_view doc = "greatest element over axes";
  template <class T>
  struct State {
    T best = reducing::lowest_of<T>();
    void add(T x) { best = x > best || x != x ? x : best; }
    T result(size_t) const { return best; }
  };
  static Interval bounds(const std::vector<Interval>& list) {
    if (list.empty()) return {};
    Interval m = list[0];
    for (const Interval& v : list) m = interval::maximum(m, v);
    return m;
  }
  static RealInterval bounds(const std::vector<RealInterval>& list) {
    if (list.empty()) return {};
    RealInterval m = list[0];
    for (const RealInterval& v : list) m = real::maximum(m, v);
    return m;
  }
};

struct ReduceMin {
  static constexpr std::string_view doc = "least element over axes";
  template <class T>
  struct State {
    T best = reducing::highest_of<T>();
    void add(T x) { best = x < best || x != x ? x : best; }
    T result(size_t) const { return best; }
  };
  static Interval bounds(const std::vector<Interval>& list) {
    if (list.empty()) return {};
    Interval m = list[0];
    for (const Interval& v : list) m = interval::minimum(m, v);
    return m;
  }
  static RealInterval bounds(const std::vector<RealInterval>& list) {
    if (list.empty()) return {};
    RealInterval m = list[0];
    for (const RealInterval& v : list) m = real::minimum(m, v);
    return m;
  }
};

struct ReduceLogicalAnd {
  static constexpr std::string_view doc = "whether all hold over axes";
  template <class T>
  struct State {
    T all = true;
    void add(T x) { all = all && x; }
    T result(size_t) const { return all; }
  };
  static Interval bounds(const std::vector<Interval>& list) {
    Interval m = 1;
    for (const Interval& v : list) m = interval::minimum(m, v);
    return m;
  }
};

struct ReduceLogicalOr {
  static constexpr std::string_view doc = "whether any holds over axes";
  template <class T>
  struct State {
    T any = false;
    void add(T x) { any = any || x; }
    T result(size_t) const { return any; }
  };
  static Interval bounds(const std::vector<Interval>& list) {
    Interval m = 0;
    for (const Interval& v : list) m = interval::maximum(m, v);
    return m;
  }
};

void register_reduce_extremes(Registry& r) {
  r.operation<Reduction<ReduceMax>>("ReduceMax", "opset1");
  r.operation<Reduction<ReduceMin>>("ReduceMin", "opset1");
  r.operation<Reduction<ReduceLogicalAnd, true>>("ReduceLogicalAnd", "opset1");
  r.operation<Reduction<ReduceLogicalOr, true>>("ReduceLogicalOr", "opset1");
}

}  // namespace mo::opset
