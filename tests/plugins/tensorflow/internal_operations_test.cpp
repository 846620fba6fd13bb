// Operations of a vendor that no opset defines: between its own transformations they may live until the last phase.
#include "tensorflow_fixture.hpp"
#include "test_plugin.hpp"

namespace mo::test {
namespace {

struct ToInternal : FrontReplacementOp {
  ToInternal() {
    id = "acme.front.gate";
    op = "::AcmeGate";
  }
  std::vector<OutPort> replace_op(Graph g, Node n) override {
    return {g.create_node("Hidden", "org.acme.hidden", "hidden", {n.in_port(0).get_source()}).out_port()};
  }
};

struct ToAnotherShape : MiddleReplacementPattern {
  ToAnotherShape() { id = "acme.middle.shape"; }
  void find_and_replace_pattern(Graph g) override {
    for (const Node n : g.get_op_nodes("org.acme.hidden::Hidden")) {
      const Node shaped = g.create_node("Shaped", "org.acme.hidden", "shaped", {n.in_port(0).get_source()});
      shaped.out_port().set_shape(ElementType::f16, {7, 8});
      replace_node(n, shaped);
    }
  }
};

std::pair<ElementType, Shape> seen_behind;

struct FromInternal : BackReplacementPattern {
  FromInternal() { id = "acme.back.gate"; }
  void find_and_replace_pattern(Graph g) override {
    for (const std::string_view type : {"org.acme.hidden::Hidden", "org.acme.hidden::Shaped"})
      for (const Node n : g.get_op_nodes(type)) {
        seen_behind = {n.out_port().type(), n.out_port().shape()};
        replace_node(n, g.create_node("Sigmoid", "opset1", "visible", {n.in_port(0).get_source()}));
      }
  }
};

void to_the_last_phase(Registry& r) {
  r.transformation<ToInternal>();
  r.transformation<FromInternal>();
}

void through_all_phases(Registry& r) {
  r.transformation<ToAnotherShape>();
  to_the_last_phase(r);
}

void never_gone(Registry& r) {
  r.transformation<ToInternal>();
  r.transformation<ToAnotherShape>();
}

void without_another_phase(Registry& r) { r.transformation<ToInternal>(); }

class InternalOperations : public Tensorflow {
 protected:
  static GraphDef gate() {
    return GraphDef().placeholder("x", TfType::f32, {2}).node("AcmeGate", "gate", {"x"}, {t_float});
  }
};

TEST_F(InternalOperations, MadeInFrontAreReplacedInBack) {
  plugin_ = [](core::Session& s) { load_test_plugin<to_the_last_phase>(s); };
  const core::GraphPtr g = prepare(gate());
  EXPECT_EQ(count(*g, "Hidden"), 0U);
  EXPECT_EQ(count(*g, "Sigmoid"), 1U);
}

// What was set is what is read, as nothing infers it anew.
TEST_F(InternalOperations, HaveTheShapeThatWasSet) {
  plugin_ = [](core::Session& s) { load_test_plugin<through_all_phases>(s); };
  seen_behind = {};
  EXPECT_EQ(count(*prepare(gate()), "Sigmoid"), 1U);
  EXPECT_EQ(seen_behind.first, ElementType::f16);
  EXPECT_EQ(seen_behind.second, Shape({7, 8}));
}

TEST_F(InternalOperations, ThatAreLeftAreToldWithWhoMadeThem) {
  plugin_ = [](core::Session& s) { load_test_plugin<never_gone>(s); };
  const std::string left = located_failure_of(folder_.write("model.pb", gate().bytes()));
  EXPECT_THAT(left, HasSubstr("org.acme.hidden::Shaped"));
  EXPECT_THAT(left, HasSubstr("org.mo-host.test"));
}

TEST_F(InternalOperations, HaveToGoInFrontWhereTheirVendorDoesNothingLater) {
  plugin_ = [](core::Session& s) { load_test_plugin<without_another_phase>(s); };
  const std::string left = failure_of(gate());
  EXPECT_THAT(left, HasSubstr("MO0401"));
  EXPECT_THAT(left, HasSubstr("org.acme.hidden::Hidden"));
  EXPECT_THAT(left, HasSubstr("acme.front.gate"));
}

}  // namespace
}  // namespace mo::test
