// evaluate takes bytes with a sign for such without.
#include "mutants.hpp"

namespace mutants {

namespace {

template <bool wrong>
struct BytesAsUnsigned : Plain {
  static void evaluate(mo::EvalContext& c) {
    for_each_number(c, [](const mo::Tensor& x, size_t i) {
      const double v = x.number(i);
      const bool turned = wrong && x.type() == mo::ElementType::i8 && v < 0;
      return std::max(turned ? std::min(v + 256, 127.0) : v, 0.0);
    });
  }
};

}  // namespace

const Mutant bytes_as_unsigned{"bytes_as_unsigned", add_operation<BytesAsUnsigned>};

}  // namespace mutants
