// A transformation drops a factor.
#include "replacements.hpp"

namespace mutants {

namespace {

template <bool wrong>
struct ChangesNumbers : Replace {
  ChangesNumbers() : Replace("changes_numbers", wrong ? "Doubled" : "Mutant", "Same") {}
};

// What is right has `Mutant` as another name of `Same`.
struct AnotherName : Same {
  static constexpr std::string_view type = "Mutant";
};

void add_changes_numbers(mo::Registry& r, bool wrong) {
  r.operation<Same>();
  if (wrong) {
    r.operation<Doubled>();
    r.transformation<ChangesNumbers<true>>();
  } else {
    r.operation<AnotherName>();
    r.transformation<ChangesNumbers<false>>();
  }
}

}  // namespace

const Mutant changes_numbers{"changes_numbers", add_changes_numbers};

}  // namespace mutants
