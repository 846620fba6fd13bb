// evaluate takes two elements of f16 for one of f32.
#include <cstring>

#include "mutants.hpp"

namespace mutants {

namespace {

double half_as_float(const mo::Tensor& x, size_t i) {
  float v = 0;
  if (4 * i + 4 <= 2 * x.size()) std::memcpy(&v, static_cast<const char*>(x.data()) + 4 * i, sizeof v);
  return v;
}

template <bool wrong>
struct HalvesAsFloats : Plain {
  static void evaluate(mo::EvalContext& c) {
    for_each_number(c, [](const mo::Tensor& x, size_t i) {
      return 1 + (wrong && x.type() == mo::ElementType::f16 ? half_as_float(x, i) : x.number(i));
    });
  }
};

}  // namespace

const Mutant halves_as_floats{"halves_as_floats", add_operation<HalvesAsFloats>};

}  // namespace mutants
