#include <cstdlib>

#include "mutants.hpp"

namespace {

void add_chosen(mo::Registry& registry) {
  using namespace mutants;
  const char* const chosen = std::getenv("MO_MUTANT");
  mo::require(chosen != nullptr, "MO_MUTANT names no mutant");
  std::string_view name = chosen;
  constexpr std::string_view right = "right:";
  const bool wrong = name.substr(0, right.size()) != right;
  if (!wrong) name.remove_prefix(right.size());
  for (const Mutant* m :
       {&always_f32, &axis_from_the_end, &bytes_as_unsigned, &changes_numbers, &halves_as_floats,
        &hidden_state, &optional_input, &order_cycle, &stride_ignored, &swapped_sizes,
        &swaps_height_and_width, &undeclared_attribute, &undefined_operation, &unknown_framework,
        &unknown_order, &wrong_formula, &wrong_layout})
    if (m->name == name) return m->add(registry, wrong);
  mo::fail("there is no mutant '", name, "'");
}

}  // namespace

MO_PLUGIN("org.example.mutants", "1.0.0", "the tests", "Apache-2.0", "wrong in one respect", "", add_chosen)
