// Maximum(x, Negative(x))  ->  Abs(x), until you write down what it does.
#include <mo/sdk.hpp>

namespace mo::@plugin@ {

class @Name@ : public MatcherPass {
 public:
  @Name@() : MatcherPass(MO_PHASE_@PHASE@) {
    id = "@phase@.@name@";
    doc = "the larger one of a number and its negative is its absolute value";
    before = R"(
      %x = Parameter -> f32[2,?]
      %n = Negative@@opset1 (%x)
      %m = Maximum@@opset1 (%n, %x)
      Result (%m))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %a = Abs@@opset1 (%x)
      Result (%a))";
    force_clean_up = true;

    const auto x = any_input(), same = any_input();
    const auto negative = wrap_type({"Negative"}, {same})->one_consumer();
    const auto root = wrap_type({"Maximum"}, {x, negative})->commutative();
    register_matcher(root, [=](Graph g, Match& m) {
      only_when(m.port(x) == m.port(same), "what is negated is another tensor");
      const Node abs = g.create_node("Abs", "opset1", "", {m.port(x)});
      copy_runtime_info(m.nodes(), {abs});
      replace_node(m.root(), abs);
    });
  }
};

void register_@name@(Registry& r) { r.transformation<@Name@>(); }

}  // namespace mo::@plugin@
