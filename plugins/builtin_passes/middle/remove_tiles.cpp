// A Tile that repeats nothing:
//   Tile(x, {1, 1})  ->  x
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class RemoveTiles : public Elimination {
 public:
  RemoveTiles() : Elimination(wrap_type({"Tile"}, {any_input(), constant()})) {
    id = "middle.remove_tiles";
    doc = "a Tile that repeats nothing is left out";
    before = R"(
      %x = Parameter -> f32[2,?]
      %ones = Const -> i64[2] {1,1}
      %t = Tile@opset1 (%x, %ones)
      %y = ReLU@opset1 (%t)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %y = ReLU@opset1 (%x)
      Result (%y))";
  }
  OutPort heir(const Node& n) override {
    const OutPort x = source_of(n, 0), repeats = source_of(n, 1);
    const Shape s = x.shape(), count = repeats.shape();
    if (!s.has_rank() || count.rank() != 1 || !count[0].is_static()) return {};
    if (count[0].value() != 0 && !is_uniform(repeats, 1)) return {};
    only_when(count[0].value() <= static_cast<int64_t>(s.size()), "it repeats nothing, but makes ",
              count[0].value(), " dimensions of ", s.size());
    return x;
  }
};

void register_remove_tiles(Registry& r) { simplifying<RemoveTiles>(r, Stage::remove); }

}  // namespace mo::builtin_passes
