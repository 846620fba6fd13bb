// y = Maximum(x, Negative(x))  ->  y = Abs(x), in the @phase@ phase: shapes and types are known.
#include <mo/sdk.hpp>

namespace {

class Fuse : public mo::MatcherPass {
 public:
  Fuse() : MatcherPass(MO_PHASE_@PHASE@) {
    id = "@plugin@.@phase@.@name@";
    doc = "the larger one of a number and its negative is its absolute value";
    // Graphs in the text form are tried out by `mo-host plugin check`.
    before = R"(
      %x = Parameter -> f32[2,?]
      %n = Negative@@opset1 (%x)
      %m = Maximum@@opset1 (%n, %x)
      Result (%m))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %a = Abs@@opset1 (%x)
      Result (%a))";
    force_clean_up = true;  // what nobody reads any more goes at once

    const auto x = mo::any_input(), same = mo::any_input();
    const auto negative = mo::wrap_type({"Negative"}, {same})->one_consumer();
    const auto root = mo::wrap_type({"Maximum"}, {x, negative})->commutative();
    register_matcher(root, [=](mo::Graph graph, mo::Match& m) {
      // Candidates that are declined, and why, are shown by `mo-host --explain`.
      mo::only_when(m.port(x) == m.port(same), "what is negated is another tensor");
      const mo::Node abs = graph.create_node("Abs", "opset1", "", {m.port(x)});
      mo::copy_runtime_info(m.nodes(), {abs});
      mo::replace_node(m.root(), abs);  // users find the result under the name they know
    });
  }
};

}  // namespace

void register_@name@(mo::Registry& registry) { registry.transformation<Fuse>(); }
