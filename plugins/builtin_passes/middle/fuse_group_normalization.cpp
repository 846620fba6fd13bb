// Normalisation of groups of channels, where the IR may have operations of opset12:
//   Reshape(MVN(Reshape(x, {0, groups, -1})), shape of x) * scale + shift  ->  GroupNormalization(x, scale,
//   shift)
#include "support/asking_sizes.hpp"
#include "support/fusion.hpp"
#include "support/rearrangement.hpp"

namespace mo::builtin_passes {

class FuseGroupNormalization : public AskingSizes<Fusion> {
 public:
  FuseGroupNormalization() {
    id = "middle.fuse_group_normalization";
    doc = "MVN of groups of channels becomes GroupNormalization, for releases that have it";
    before = R"(
      %x = Parameter -> f32[?,4,3,3]
      %groups = Const -> i64[3] {0,2,-1}
      %a = Reshape@opset1 (%x, %groups) {special_zero=true}
      %axes = Const -> i64[1] {2}
      %n = MVN@opset6 (%a, %axes) {normalize_variance=true, eps=0.001, eps_mode="inside_sqrt"}
      %shape = ShapeOf@opset3 (%x)
      %b = Reshape@opset1 (%n, %shape) {special_zero=true}
      %scale = Const -> f32[4,1,1] {1,2,3,4}
      %m = Multiply@opset1 (%b, %scale)
      %shift = Const -> f32[4,1,1] {4,3,2,1}
      %y = Add@opset1 (%m, %shift)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,4,3,3]
      %scale = Const@opset1 -> f32[4] {1,2,3,4}
      %shift = Const@opset1 -> f32[4] {4,3,2,1}
      %y = GroupNormalization@opset12 (%x, %scale, %shift) {num_groups=2, epsilon=0.001}
      Result (%y))";
    run_after.push_back("middle.fuse_mvn");
    ops = {"MVN"};
  }
  bool graph_condition(Graph g) override {
    return AskingSizes::graph_condition(g) && may_make(g, "GroupNormalization", "opset12");
  }

 private:
  void fuse_at(const Graph& g, const Node& mvn) override {
    for_each_above(mvn, {"Reshape", "Multiply", "Add"}, 3, [&](const Node& n) {
      if (n.is("Add")) fuse(g, n);
    });
  }

  // The numbers of the channels that an input has, and the other input.
  static std::optional<std::vector<double>> for_channels(const Node& n, OutPort& x) {
    const Shape s = n.out_port().shape();
    for (const size_t i : {1U, 0U}) {
      const OutPort c = n.in_port(i).get_source();
      if (!c.node().is("Const") || !is_float(c.type()) || bits(c.type()) < 16) continue;
      const Tensor t = *c.value();
      if (s.rank() < 3 || !s[1].is_static() || t.rank() > s.size()) return std::nullopt;
      const size_t missing = s.size() - t.rank();
      for (size_t d = 0; d < t.rank(); ++d)
        if (t.dim(d) != 1 && missing + d != 1) return std::nullopt;
      auto values = t.to_floats<double>();
      if (values.empty()) return std::nullopt;
      if (values.size() == 1) values.assign(static_cast<size_t>(s[1].value()), values[0]);
      x = n.in_port(1 - i).get_source();
      return values;
    }
    return std::nullopt;
  }

  void fuse(const Graph& g, const Node& n) {
    OutPort scaled, plain;
    const auto shift = for_channels(n, scaled);
    const auto multiply = shift ? made_by(scaled, "Multiply") : std::nullopt;
    const auto scale = multiply ? for_channels(*multiply, plain) : std::nullopt;
    const auto back = scale ? made_by(plain, "Reshape") : std::nullopt;
    const auto mvn = back ? made_by(back->in_port(0).get_source(), "MVN") : std::nullopt;
    const auto first = mvn ? made_by(mvn->in_port(0).get_source(), "Reshape") : std::nullopt;
    if (!first || mvn->opset() != "opset6" || !mvn->in_node(1).is("Const")) return;
    const OutPort x = first->in_port(0).get_source();
    const auto from = extents_of(x);
    const auto split =
        from && from->size() >= 3 ? reshaped_extents(*first, *from, x, symbols_) : std::nullopt;
    if (!split || split->size() < 3 || reshaped_extents(*back, *split, x, symbols_) != from) {
      near("the Reshapes around '", mvn->name(), "' do not lead back to the shape of x");
      return;
    }
    // [n, groups, all that is left], normalised over what is left.
    if ((*split)[0] != (*from)[0] || !(*split)[1].is_number() || !(*from)[1].is_number()) return;
    if ((*from)[1].number % (*split)[1].number != 0 ||
        shift->size() != static_cast<size_t>((*from)[1].number)) {
      near("there are ", shift->size(), " numbers to add for ", (*from)[1].number, " channels in groups of ",
           (*split)[1].number);
      return;
    }
    auto axes = mvn->in_port(1).value()->to_ints();
    const auto rank = static_cast<int64_t>(split->size());
    for (int64_t& a : axes) a = a < 0 ? a + rank : a;
    std::sort(axes.begin(), axes.end());
    if (axes.size() + 2 != split->size() || axes.front() != 2 || axes.back() != rank - 1) {
      near("'", mvn->name(), "' does not normalise all dimensions behind the groups");
      return;
    }
    const std::string mode = mvn->attr<std::string>("eps_mode");
    if (!mvn->attr<bool>("normalize_variance") || (mode != "inside_sqrt" && mode != "INSIDE_SQRT")) {
      near("'", mvn->name(), "' adds eps outside of the root, or does not divide by the deviation");
      return;
    }
    const Nodes inside{*multiply, *back, *mvn, *first};
    if (scale->size() != shift->size() || !is_alone(n, inside)) return;
    const auto list = [&](const char* what, const std::vector<double>& values) {
      const Tensor t = Tensor::filled(g.context(), x.type(), values, {static_cast<int64_t>(values.size())});
      return g.create_const(n.name() + what, t).out_port();
    };
    const Node made = g.create_node("GroupNormalization", "opset12", n.name() + "/GroupNormalization",
                                    {x, list("/scale", *scale), list("/shift", *shift)});
    made.set("num_groups", (*split)[1].number).set("epsilon", mvn->attr<double>("eps"));
    take_place(n, made.out_port(), inside);
  }
};

void register_fuse_group_normalization(Registry& r) { r.transformation<FuseGroupNormalization>(); }

}  // namespace mo::builtin_passes
