// All built-in transformations, as a conversion runs them, and whether two graphs compute the same.
#pragma once

#include "tests/plugins/builtin_passes/layout_lab.hpp"

#include "core/convert/phases.hpp"

#include <cmath>

namespace mo::test {

class AllPasses : public LayoutLab {
 public:
  AllPasses() : order_(core::make_schedule(session, {})) {}
  void operator()(core::Graph& g) {
    for (const int32_t phase :
         {MO_PHASE_PRE_MIDDLE, MO_PHASE_MIDDLE, MO_PHASE_POST_MIDDLE, MO_PHASE_BACK, MO_PHASE_EMIT})
      core::run_phase(session, g, order_, phase);
    core::clean_up(session, g);
  }

 private:
  std::vector<core::Scheduled> order_;
};

inline Numbers fine_numbers(const std::vector<int64_t>& dims, uint32_t seed) {
  std::mt19937 random(seed);
  Numbers n{dims, {}};
  int64_t count = 1;
  for (const int64_t d : dims) count *= d;
  for (int64_t i = 0; i < count; ++i)
    n.values.push_back(static_cast<double>(random() % 4000003) / 1000003 - 2);
  return n;
}

// Where it differs; empty: nowhere. Values are compared with the largest of the tensor: sums of large numbers
// that cancel each other are as exact as these.
inline std::string difference(const std::vector<Numbers>& a, const std::vector<Numbers>& b,
                              size_t& compared) {
  if (a.size() != b.size()) return "the number of results";
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].dims != b[i].dims) return text("the shape of result ", i);
    double largest = 1;
    bool finite = true;
    for (const double v : a[i].values) {
      finite = finite && std::isfinite(v);
      largest = std::max(largest, std::abs(v));
    }
    if (!finite || largest > 1e6) continue;
    ++compared;
    for (size_t k = 0; k < a[i].values.size(); ++k)
      if (!(std::abs(a[i].values[k] - b[i].values[k]) <= 1e-3 * largest))
        return text("result ", i, ", element ", k, ": ", a[i].values[k], " and ", b[i].values[k]);
  }
  return {};
}

}  // namespace mo::test
