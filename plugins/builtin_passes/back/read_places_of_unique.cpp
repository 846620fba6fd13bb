// Devices compute a Unique that does not sort only when its output 2 is read, and leave zeros otherwise. Places begin
// with 0, so that their least number adds nothing:
//   Unique(x) {sorted=false}:0  ->  Unique(x):0 + ReduceMin(Unique(x):2)
#include <mo/build.hpp>

#include "support/fuse_transposes.hpp"

namespace mo::builtin_passes {

class ReadPlacesOfUnique : public MatcherPass {
 public:
  ReadPlacesOfUnique() : MatcherPass(MO_PHASE_BACK) {
    id = "back.read_places_of_unique";
    doc =
        "something reads the places of a Unique that does not sort, without which devices do not compute it";
    before = R"(
      %x = Parameter -> f32[4]
      %u = Unique@opset10 (%x) {sorted=false} -> (_, _, _, _)
      Result (%u:0))";
    after = R"(
      %x = Parameter -> f32[4]
      %u = Unique@opset10 (%x) {sorted=false} -> (_, _, _, _)
      %axis = Const -> i64[1] {0}
      %m = ReduceMin@opset1 (%u:2, %axis) {keep_dims=false}
      %c = Convert@opset1 (%m) {destination_type=f32}
      %y = Add@opset1 (%u:0, %c)
      Result (%y))";
    run_after = {"back.simplify_again"};
    force_shape_inference = true;
    const Pattern unique = wrap_type({"Unique"});
    unique->where<bool>("sorted", [](bool sorted) { return !sorted; });
    register_matcher(unique, [](const Graph& g, const Match& m) { read(g, m.root()); });
  }

 private:
  static void read(const Graph& g, const Node& n) {
    constexpr uint32_t places = 2;
    only_when(n.out_port(places).disconnected(), "its places are read");
    const Build b(g, n);
    for (const uint32_t i : {0U, 1U, 3U}) {
      const OutPort given = n.out_port(i);
      if (given.disconnected()) continue;
      only_when(is_float(given.type()) || is_integer(given.type()), "what it gives is ", name(given.type()));
      const auto readers = given.get_destinations();
      const OutPort least =
          b.convert(b.reduce("ReduceMin", n.out_port(places), b.list({0}), false), given.type());
      const OutPort sum = b.add(given, least);
      sum.set_shape(given.type(), given.shape());
      for (const InPort& reader : readers) reader.set_source(sum);
      give_tensor_names(given, sum);
      given.set_tensor_names({});
      if (i == 0) take_name(n, sum.node());
      return;
    }
  }
};

void register_read_places_of_unique(Registry& r) { r.transformation<ReadPlacesOfUnique>(); }

}  // namespace mo::builtin_passes
