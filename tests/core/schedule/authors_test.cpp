// An error about a node names who made it, or changed it, and who met it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/config_tools/config_file.hpp"
#include "failure_of.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct OnlyMatrices {
  static constexpr std::string_view type = "Matrices", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1, 1).outputs(1); }
  static void infer(InferContext& c) {
    if (c.shape(0).has_rank() && c.shape(0).size() != 2) fail("it takes matrices");
    c.output(0, c.type(0), c.shape(0));
  }
};

// In a graph of vectors `first` makes a node or changes one, and `second`, which is built in, asks for its
// shape.
class AuthorsTest : public ::testing::Test {
 protected:
  std::string failure(const OnGraph::Body& first, bool built_in = false) {
    lab_.plugin(
        "org.host",
        [infers = infers_](Registry& r) {
          r.operation<OnlyMatrices>();
          r.transformation<OnGraph>("t.second", [infers](Graph g) {
            g.find("x")->set("seen", true);
            if (infers) g.infer_marked();
            for (const Node& n : g.nodes("Matrices")) (void)n.out_port().shape();
          });
        },
        true);
    lab_.plugin(
        "com.acme",
        [&](Registry& r) {
          r.transformation<OnGraph>("t.first", first, [](Transformation& t) { t.run_before = {"t.second"}; });
        },
        built_in);
    const auto g = lab_.graph(R"(
      %x = Parameter {element_type=f32, shape=shape[2]} -> f32[2]
      %m = Parameter {element_type=f32, shape=shape[2,2]} -> f32[2,2]
      %f = Matrices@test (%m) -> f32[2,2]
      Result "r" (%f)
    )");
    return test::failure_of(
        [&] { core::run_phase(lab_.session, *g, core::make_schedule(lab_.session, {}), MO_PHASE_MIDDLE); });
  }
  Lab lab_;
  bool infers_ = false;  // what is marked, before it asks
};

void make(Graph g) {
  g.results()[0].in_port(0).set_source(
      g.create_node("Matrices", "test", "made", {g.find("x")->out_port()}).out_port());
}

TEST_F(AuthorsTest, WhoMadeTheNodeAndWhoMetIt) {
  const std::string message = failure(make);
  EXPECT_THAT(message, HasSubstr("it takes matrices"));
  EXPECT_THAT(message, HasSubstr("made by transformation t.first of plugin com.acme 1.0.0"));
  EXPECT_THAT(message, HasSubstr("met by  org.host 1.0.0, callback 'infer'"));
  EXPECT_THAT(message, Not(HasSubstr("\n  pass")));
  EXPECT_THAT(message, Not(HasSubstr("\n  plugin")));
}

TEST_F(AuthorsTest, WhoInfersANodeHasNotMadeIt) {
  infers_ = true;
  const std::string message = failure(make);
  EXPECT_THAT(message, HasSubstr("made by transformation t.first of plugin com.acme 1.0.0"));
  EXPECT_THAT(message, HasSubstr("met by  t.second; org.host 1.0.0, callback 'infer'"));
}

TEST_F(AuthorsTest, WhoChangedIt) {
  const std::string message =
      failure([](Graph g) { g.find("f")->in_port(0).set_source(g.find("x")->out_port()); });
  EXPECT_THAT(message, HasSubstr("changed by transformation t.first of plugin com.acme 1.0.0: connect"));
  EXPECT_THAT(message, HasSubstr("met by  org.host"));
}

TEST_F(AuthorsTest, WhatIsBuiltInIsNotBlamedForWhatItMet) {
  const std::string message = failure(make, true);
  EXPECT_THAT(message,
              HasSubstr("changed 'made' (Matrices), last by transformation t.first of plugin com.acme"));
  EXPECT_THAT(message, Not(HasSubstr("met by")));
}

TEST_F(AuthorsTest, ATransformationThatMeetsItsOwnNode) {
  const std::string message = failure([](Graph g) {
    make(g);
    (void)g.find("made")->out_port().shape();
  });
  EXPECT_THAT(message, HasSubstr("made by transformation t.first of plugin com.acme 1.0.0"));
}

TEST_F(AuthorsTest, AnEntryOfAConfigurationIsNamedWithItsPlace) {
  lab_.session.configuration = std::make_shared<const core::Configuration>(
      app::parse_configuration("c.json", R"([{"id": "Mine", "match_kind": "scope", "instances": ["s/"]}])"));
  struct Mine : FrontReplacementFromConfigFileSubGraph {
    Mine() { replacement_id = "Mine"; }
    void replace_sub_graph(Graph g, SubgraphMatch& m) override {
      m.map_output(0, g.create_node("Matrices", "test", "made", {g.find("x")->out_port()}).out_port());
    }
  };
  lab_.plugin("com.acme", [](Registry& r) {
    r.operation<OnlyMatrices>();
    r.transformation<Mine>();
  });
  const auto g = lab_.graph(R"(
    %x = Parameter {element_type=f32, shape=shape[2]} -> f32[2]
    %f = A "s/f" (%x)
    %y = B (%f)
    Result "r" (%y)
  )");
  core::run_phase(lab_.session, *g, core::make_schedule(lab_.session, {}), MO_PHASE_FRONT);
  core::Failure f(core::Exit::model, "MO0502", "it is wrong");
  core::name_node(f, *g, g->source({g->find("y"), 0}).node);
  lab_.session.authors.blame(f, *lab_.session.space());
  EXPECT_THAT(f.render(), HasSubstr("entry   c.json:1 (\"Mine\"), scope 's/'"));
  EXPECT_THAT(f.render(), HasSubstr("made by transformation Mine of plugin com.acme 1.0.0"));
}

TEST_F(AuthorsTest, WhatIsMetBehindAnEntryNamesIt) {
  lab_.session.configuration = std::make_shared<const core::Configuration>(
      app::parse_configuration("c.json", R"([{"id": "All", "match_kind": "scope", "instances": ["s/"]}])"));
  struct All : FrontReplacementFromConfigFileSubGraph {
    All() { replacement_id = "All"; }
    void replace_sub_graph(Graph g, SubgraphMatch&) override {
      for (const Node& r : g.results()) r.remove();
    }
  };
  lab_.plugin("com.acme", [](Registry& r) { r.transformation<All>(); });
  const auto g = lab_.graph(R"(
    %x = Parameter {element_type=f32, shape=shape[2]} -> f32[2]
    %f = A "s/f" (%x)
    Result "r" (%f)
  )");
  const std::string message = test::failure_of(
      [&] { core::run_phase(lab_.session, *g, core::make_schedule(lab_.session, {}), MO_PHASE_FRONT); });
  EXPECT_THAT(message, HasSubstr("the model has no outputs any more"));
  EXPECT_THAT(message, HasSubstr("entry   c.json:1 (\"All\")"));
}

}  // namespace
}  // namespace mo::test
