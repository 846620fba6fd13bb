// Entries of a configuration at work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/config_tools/config_file.hpp"
#include "apps/config_tools/explain.hpp"
#include "apps/ir_files/ir_files.hpp"
#include "core/infer/infer.hpp"
#include "core/infer/replaced_graph.hpp"
#include "core/ir/emitter.hpp"
#include "core/schedule/single_operation.hpp"
#include "temporary_folder.hpp"
#include "tests/core/config/inception.hpp"

namespace mo::core {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct InceptionBlock {  // no inference
  static constexpr std::string_view type = "InceptionBlock", opset = "acme";
  static void schema(OpSchema& s) { s.inputs(1).attr("declared", int64_t{0}); }
};

// Code for scopes and points, below the SDK's classes.
struct ByCode : mo::Transformation {
  using Body = std::function<void(mo::Graph, mo::Match&)>;
  ByCode(std::string id_, Body f)
      : Transformation(MO_PHASE_FRONT, MO_TRANSFORM_CONFIG_SCOPE), f_(std::move(f)) {
    id = std::move(id_);
  }
  void on_match(mo::Graph g, mo::Match& m) override { f_(g, m); }

 private:
  Body f_;
};
struct General : mo::Transformation {
  explicit General(std::vector<std::string>* seen)
      : Transformation(MO_PHASE_FRONT, MO_TRANSFORM_CONFIG_GENERAL), seen_(seen) {
    id = "general.id";
  }
  void on_graph(mo::Graph g) override {
    mo_str json{};
    const Context c = g.context();
    c.check(c.host()->rewrite->custom_attributes(c.get(), nullptr, &json));
    seen_->emplace_back(view(json));
  }

 private:
  std::vector<std::string>* seen_;
};

class RunConfig : public testing::Test {
 protected:
  RunConfig() {
    lab.plugin("com.acme", [](mo::Registry& r) {
      test::register_inception(r);
      r.operation<InceptionBlock>();
    });
  }
  void configure(std::string_view json) {
    lab.session.configuration =
        std::make_shared<const Configuration>(app::parse_configuration("c.json", json));
  }
  std::string refusal() {
    try {
      check_configuration(lab.session);
    } catch (const Failure& f) {
      EXPECT_EQ(f.exit(), Exit::usage);
      return f.render();
    }
    return "accepted";
  }
  void collect_log() {
    lab.session.log_sink = [this](const LogLine& line) { log.push_back(line.text); };
  }

  test::Lab lab;
  std::string graph_text = test::inception();
  std::vector<std::string> log;
};

constexpr std::string_view three_blocks =
    R"([{"id": "InceptionBlockReplacer", "match_kind": "scope", "op": "InceptionBlock",
  "custom_attributes": {"attr1_key": "attr1_value", "attr2_key": 123456, "declared": 7, "numbers": [1, 2.5]},
  "instances": [".*InceptionV4/Mixed_5b", ".*InceptionV4/Mixed_5c", ".*InceptionV4/Mixed_5d"]}])";

// Three layers with the shapes of what they replaced and the attributes of the file.
TEST_F(RunConfig, OneOperationInPlaceOfEachScope) {
  configure(three_blocks);
  const GraphPtr g = lab.graph(graph_text);
  check_configuration(lab.session);
  std::vector<RunStatistics> statistics;
  replace_by_operations(lab.session, *g, &statistics);
  ASSERT_EQ(statistics.size(), 1U);
  EXPECT_EQ(statistics[0].matches, 3U);
  ASSERT_EQ(g->nodes_of("InceptionBlock").size(), 3U);
  EXPECT_EQ(g->size(), 6U);  // and Parameter, Copy, Result

  infer_all(lab.session, *g);
  // Each block gives four channels in three branches and hands on those it gets.
  for (const auto& [block, channels] : {std::pair{"b", 16}, {"c", 28}, {"d", 40}}) {
    const TensorState& t = g->out({g->find(text("InceptionV4/Mixed_5", block, "/concat")), 0}).tensor;
    EXPECT_EQ(text(t.shape), text(Shape{1, channels, 8, 8}));
    EXPECT_EQ(t.type, ElementType::f32);
  }
  EXPECT_EQ(g->op(g->find("InceptionV4/Mixed_5d/concat")), "InceptionBlock");

  drop_replaced(*g);
  EXPECT_FALSE(g->has_bodies());
  const test::TemporaryFolder folder;
  app::IrFiles files(lab.session, {.folder = folder.path()});
  emit_ir(lab.session, *g, {}, files);
  const std::string xml = app::read_text_file(files.paths().xml);
  EXPECT_THAT(xml, HasSubstr(R"(name="InceptionV4/Mixed_5c/concat" type="InceptionBlock" version="acme">)"));
  EXPECT_THAT(
      xml, HasSubstr(R"(<data declared="7" attr1_key="attr1_value" attr2_key="123456" numbers="1,2.5"/>)"));
  EXPECT_EQ(xml.find("mo."), std::string::npos);
}

TEST_F(RunConfig, ShapesFollowTheInput) {
  configure(three_blocks);
  const GraphPtr g = lab.graph(graph_text);
  replace_by_operations(lab.session, *g, nullptr);
  infer_all(lab.session, *g);
  g->set_attribute(g->find("input"), "shape", shape_attribute(Shape{1, 4, any_dim, 9}));
  infer_marked(lab.session, *g);
  EXPECT_EQ(g->out({g->find("InceptionV4/Mixed_5b/concat"), 0}).tensor.shape, (Shape{1, 16, any_dim, 9}));
}

TEST_F(RunConfig, TheGraphComesBackWhenTheEditIsTakenBack) {
  configure(three_blocks);
  lab.plugin("com.second", [](mo::Registry& r) {
    r.transformation<ByCode>("fails", [](mo::Graph, mo::Match&) { fail("no"); });
  });
  const GraphPtr g = lab.graph(graph_text);
  const std::string before = app::to_text(*g);
  configure(R"([{"id": "fails", "match_kind": "scope", "instances": [".*/Mixed_5b"]}])");
  EXPECT_THROW(lab.run(*g, "fails"), Failure);
  EXPECT_EQ(app::to_text(*g), before);
}

TEST_F(RunConfig, CodeForScopesAndPoints) {
  std::vector<std::string> seen;
  lab.plugin("com.second", [&](mo::Registry& r) {
    r.transformation<ByCode>("by.code", [&](mo::Graph g, mo::Match& m) {
      const Context c = m.context();
      uint32_t inputs = 0, outputs = 0;
      c.check(c.host()->rewrite->counts(c.get(), m.get(), &inputs, &outputs));
      mo_str scope{}, json{};
      c.check(c.host()->rewrite->scope(c.get(), m.get(), &scope));
      c.check(c.host()->rewrite->custom_attributes(c.get(), m.get(), &json));
      seen.push_back(text(view(scope), ' ', inputs, ' ', outputs, ' ', m.nodes().size(), ' ', view(json)));
      EXPECT_EQ(m["concat$"].op(), "Join");
      EXPECT_THROW(m["nothing"], Error);
      const Node block = g.create_node("InceptionBlock", "acme", "",
                                       std::vector<OutPort>{m["Branch_3/AvgPool"].in_port(0).get_source()});
      c.check(c.host()->rewrite->map_input(c.get(), m.get(), 0, block.in_port(0).abi()));
      c.check(c.host()->rewrite->map_output(c.get(), m.get(), 0, block.out_port().abi()));
    });
  });
  configure(
      R"([{"id": "by.code", "match_kind": "scope", "instances": [".*/Mixed_5b"], "custom_attributes": {"a": 1}}])");
  const GraphPtr g = lab.graph(graph_text);
  const RunStatistics s = lab.run(*g, "by.code");
  EXPECT_EQ(s.matches, 1U);
  EXPECT_THAT(seen, ElementsAre(R"(.*/Mixed_5b 1 1 8 {"a":1})"));
  const NodeId block = g->find("InceptionV4/Mixed_5b/concat");
  ASSERT_NE(block, no_node);
  EXPECT_EQ(g->op(block), "InceptionBlock");
  infer_all(lab.session, *g);
  EXPECT_EQ(g->out({block, 0}).tensor.shape, (Shape{1, 16, 8, 8}));
}

// A node that others read, too, is not taken away from them.
TEST_F(RunConfig, WhatOthersReadStays) {
  lab.plugin("com.second", [](mo::Registry& r) {
    r.transformation<ByCode>("points", [](mo::Graph g, mo::Match& m) {
      const Context c = m.context();
      const Node n = g.create_node("Copy", "test", "", std::vector<OutPort>{g.find("x")->out_port()});
      c.check(c.host()->rewrite->map_output(c.get(), m.get(), 0, n.out_port().abi()));
    });
  });
  configure(
      R"([{"id": "points", "match_kind": "points", "instances": {"start_points": ["a"], "end_points": ["b"]}}])");
  const GraphPtr g = lab.graph(R"(
%x = Parameter "x" -> f32[2]
%k = Const "k" -> f32[2] {1 ...}
%a = Copy@test "a" (%x)
%b = Join@test "b" (%a, %k)
%c = Join@test "c" (%k)
Result "r" (%b)
Result "s" (%c)
)");
  lab.run(*g, "points");
  EXPECT_NE(g->find("k"), no_node);
  EXPECT_EQ(g->find("a"), no_node);
  EXPECT_EQ(g->op(g->find("b")), "Copy");
}

TEST_F(RunConfig, GeneralOncePerEntry) {
  std::vector<std::string> seen;
  lab.plugin("com.second", [&](mo::Registry& r) { r.transformation<General>(&seen); });
  configure(
      R"([{"id": "general.id", "match_kind": "general", "custom_attributes": {"classes": 20, "masks": [[0, 1], [2]]}},
                {"id": "general.id", "match_kind": "general"}])");
  check_configuration(lab.session);
  const GraphPtr g = lab.graph("%x = Parameter \"x\" -> f32[2]\nResult \"r\" (%x)\n");
  const auto schedule = make_schedule(lab.session, {});
  run_phase(lab.session, *g, schedule, MO_PHASE_FRONT);
  EXPECT_THAT(seen, ElementsAre(R"({"classes":20,"masks":[[0,1],[2]]})", "{}"));
}

TEST_F(RunConfig, InstancesThatDoNotMatchAreTold) {
  lab.plugin("com.second",
             [](mo::Registry& r) { r.transformation<ByCode>("by.code", [](mo::Graph, mo::Match&) {}); });
  configure(R"([{"id": "by.code", "match_kind": "scope", "instances": [".*/Mixed_6"]}])");
  collect_log();
  const GraphPtr g = lab.graph(graph_text);
  const RunStatistics s = lab.run(*g, "by.code");
  EXPECT_EQ(s.declined, 1U);
  EXPECT_THAT(log, ElementsAre(HasSubstr(
                       "c.json:1: \"by.code\" is not applied to scope '.*/Mixed_6': no node has a name")));
}

TEST_F(RunConfig, EntriesThatNothingServes) {
  lab.plugin("com.second",
             [](mo::Registry& r) { r.transformation<ByCode>("by.code", [](mo::Graph, mo::Match&) {}); });
  configure(R"([{"id": "by.cod", "match_kind": "scope", "instances": ["a"]}])");
  EXPECT_THAT(refusal(),
              testing::AllOf(HasSubstr("MO0613"), HasSubstr("no plugin has a transformation \"by.cod\""),
                             HasSubstr("did you mean 'by.code'?")));
  configure(R"([{"id": "by.code", "match_kind": "general"}])");
  EXPECT_THAT(refusal(), HasSubstr("takes no entries of match_kind \"general\""));
  configure(R"([{"id": "x", "match_kind": "scope", "op": "InceptionBlok", "instances": ["a"]}])");
  EXPECT_THAT(refusal(), testing::AllOf(HasSubstr("MO0614"), HasSubstr("did you mean 'InceptionBlock'?")));
  configure(
      R"([{"id": "by.code", "match_kind": "points", "instances": {"start_points": ["a"], "end_points": ["b"]}}])");
  EXPECT_EQ(refusal(), "accepted");
}

TEST_F(RunConfig, DryRun) {
  configure(
      R"([{"id": "a", "match_kind": "scope", "op": "InceptionBlock", "instances": [".*/Mixed_5b", "Mixed_9"]},
                {"id": "g", "match_kind": "general"}])");
  const GraphPtr g = lab.graph(graph_text);
  const std::string before = app::to_text(*g);
  const app::ConfigReport report = app::explain_configuration(lab.session, *g);
  EXPECT_EQ(report.instances, 2U);
  EXPECT_EQ(report.matched, 1U);
  EXPECT_EQ(app::to_text(*g), before);
  for (const char* part :
       {"c.json:1: \"a\", scope, becomes one InceptionBlock", "scope '.*/Mixed_5b': 8 nodes",
        "input 0: output 0 of 'InceptionV4/Mixed_5a/concat' (Copy), read by input 0 of",
        "output 0: output 0 of 'InceptionV4/Mixed_5b/concat' (Join)",
        "scope 'Mixed_9': no match: no node has a name", "c.json:2: \"g\", general"})
    EXPECT_THAT(report.text, HasSubstr(part));
}

constexpr std::string_view part_at_the_end = R"(
%x = Parameter "x" -> f32[1,2]
%z = Parameter "z" -> f32[1,2]
%a = Copy@test "part/a" (%x)
%b = Join@test "part/b" (%a, %z)
Result "part/b/sink_port_0" (%b))";

std::string entry_of_part(const std::string& op, const std::string& inputs, const std::string& outputs) {
  return R"([{"id": "p", "match_kind": "scope", "op": ")" + op + R"(", "instances": ["part"], "inputs": [)" +
         inputs + R"(], "outputs": [)" + outputs + "]}]";
}
const std::string first_of_part = R"([{"node": "a$", "port": 0}])",
                  second_of_part = R"([{"node": "b$", "port": 1}])",
                  output_of_part = R"({"node": "b$", "port": 0})";

TEST_F(RunConfig, AnOutputOfTheModelIsNoPartOfTheScope) {
  configure(entry_of_part("Join", first_of_part + ", " + second_of_part, output_of_part));
  const GraphPtr g = lab.graph(part_at_the_end);
  const app::ConfigReport report = app::explain_configuration(lab.session, *g);
  EXPECT_EQ(report.matched, 1U) << report.text;
  EXPECT_THAT(report.text, HasSubstr("scope 'part': 2 nodes"));
  std::vector<RunStatistics> statistics;
  replace_by_operations(lab.session, *g, &statistics);
  ASSERT_EQ(g->results().size(), 1U);
  EXPECT_EQ(g->op(g->source({g->results()[0], 0}).node), "Join");
  EXPECT_EQ(g->size(), 4U);
}

TEST_F(RunConfig, APartThatIsNotTheOperationIsAnErrorAndExplained) {
  for (const auto& [entry, error, hint] :
       {std::tuple{entry_of_part("Copy", first_of_part, output_of_part),
                   "input 1 of 'part/b' (Join) reads 'z' (Parameter) from outside of the part, and the entry "
                   "does not "
                   "give that to Copy",
                   R"(add [{"node": "b$", "port": 1}] to "inputs")"},
        std::tuple{entry_of_part("Copy", first_of_part + ", " + second_of_part, output_of_part),
                   "the part has 2 inputs, but Copy has 1", "list in \"inputs\" what the operation has"},
        std::tuple{entry_of_part("Join", first_of_part + ", " + second_of_part,
                                 output_of_part + R"(, {"node": "a$", "port": 0})"),
                   "the part has 2 outputs, but Join has 1", "list in \"outputs\" what the operation has"}}) {
    configure(entry);
    const GraphPtr g = lab.graph(part_at_the_end);
    const app::ConfigReport report = app::explain_configuration(lab.session, *g);
    EXPECT_EQ(report.matched, 0U);
    EXPECT_THAT(report.text, testing::AllOf(HasSubstr(text("error MO0616: ", error)), HasSubstr(hint)));
    try {
      std::vector<RunStatistics> statistics;
      replace_by_operations(lab.session, *g, &statistics);
      ADD_FAILURE() << "replaced";
    } catch (const Failure& f) {
      EXPECT_THAT(f.render(), testing::AllOf(HasSubstr("MO0616"), HasSubstr(error), HasSubstr(hint),
                                             HasSubstr("c.json:1 (\"p\")"), HasSubstr("scope 'part'")));
    }
  }
}

}  // namespace
}  // namespace mo::core
