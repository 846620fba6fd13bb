// A transformation puts an operation that turns images in the place of one that does not.
#include "replacements.hpp"

namespace mutants {

namespace {

struct StraightImage : Same {
  static constexpr std::string_view type = "Straight";
  static void infer(mo::InferContext& c) {
    Plain::infer(c);
    c.require(!c.shape(0).has_rank() || c.shape(0).size() == 4, "expected four dimensions");
  }
};

template <bool wrong>
struct SwapsHeightAndWidth : Replace {
  SwapsHeightAndWidth() : Replace("swaps_height_and_width", "Straight", wrong ? "Turned" : "Same") {}
};

void add_swaps(mo::Registry& r, bool wrong) {
  r.operation<Same>();
  r.operation<StraightImage>();
  r.operation<TurnedImage>();
  if (wrong)
    r.transformation<SwapsHeightAndWidth<true>>();
  else
    r.transformation<SwapsHeightAndWidth<false>>();
}

}  // namespace

const Mutant swaps_height_and_width{"swaps_height_and_width", add_swaps};

}  // namespace mutants
