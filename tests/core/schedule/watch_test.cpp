// What one who looks on gets to see, and who made what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/explore/provenance.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;

class Spectator : public core::Watch {
 public:
  explicit Spectator(size_t most = 100) : most_(most) {}
  bool may_run() override { return seen.size() < most_; }
  void has_run(const core::Ran& ran) override {
    std::string line;
    for (const core::RunStatistics& s : ran.members)
      append_text(line, text(line.empty() ? "" : " + ", s.id, " step ", s.step, s.runs ? "" : " off"));
    seen.push_back(line);
    for (size_t i = 0; i < ran.edits.size(); ++i)
      if (ran.edits[i].what == "set attribute")
        authors.push_back(text(ran.author(i)->id, " ", ran.graph.name(ran.edits[i].node)));
  }
  std::vector<std::string> seen, authors;

 private:
  size_t most_;
};

class WatchTest : public ::testing::Test {
 protected:
  WatchTest() {
    lab_.plugin("com.acme", [](Registry& r) {
      const auto in_group = [](mo::Transformation& t) { t.group = "g"; };
      const auto tag = [](OnTree&, Graph, Match& m) { m.root().set("tag", true); };
      r.transformation<OnTree>("t.a", wrap_type({"A"}), tag, in_group);
      r.transformation<OnTree>("t.b", wrap_type({"B"}), tag, in_group);
      r.transformation<OnGraph>("t.idle", [](Graph) {});
      r.transformation<OnGraph>("t.last", [](Graph g) {
        const Node n = g.create_node("New", "", "new", {g.find("b")->out_port()});
        g.find("r")->in_port(0).set_source(n.out_port());
      });
    });
    graph_ = lab_.graph("%x = Parameter\n %a = A (%x)\n %b = B (%a)\n Result \"r\" (%b)");
  }
  std::vector<core::RunStatistics> run(core::Watch* watch) {
    std::vector<core::RunStatistics> list;
    core::run_phase(lab_.session, *graph_, core::make_schedule(lab_.session, {}), MO_PHASE_MIDDLE, &list,
                    watch);
    return list;
  }
  std::string rt(std::string_view node, std::string_view key) const {
    const core::Attribute* a =
        graph_->rt_info(graph_->find(node)).find(lab_.session.space()->symbols.find(key));
    return a == nullptr ? "" : std::get<std::string>(*a);
  }

  Lab lab_;
  core::GraphPtr graph_;
};

TEST_F(WatchTest, WhatEditedHasANumberAndAGroupHasOne) {
  Spectator s;
  run(&s);
  EXPECT_THAT(s.seen, ElementsAre("t.a step 1 + t.b step 1", "t.idle step 0", "t.last step 2"));
  EXPECT_THAT(s.authors, ElementsAre("t.a a", "t.b b"));
}

TEST_F(WatchTest, WhatMayNotRunDoesNot) {
  Spectator s(2);
  EXPECT_EQ(run(&s).size(), 3U);
  EXPECT_EQ(graph_->find("new"), core::no_node);
}

TEST_F(WatchTest, ProvenanceOfEachNode) {
  app::Provenance p;
  p.loaded(lab_.session, *graph_);
  run(&p);
  graph_->add_node("Const", "opset1", "computed", 0, 1);
  p.prepared(*graph_);
  EXPECT_EQ(rt("new", "provenance_made_by"), "com.acme t.last");
  EXPECT_EQ(rt("new", "provenance_changed_by"), "");
  EXPECT_EQ(rt("a", "provenance_changed_by"), "com.acme t.a");
  EXPECT_EQ(rt("r", "provenance_changed_by"), "com.acme t.last");
  EXPECT_EQ(rt("x", "provenance_changed_by"), "");
  EXPECT_EQ(rt("computed", "provenance_made_by"), "mo-host");
}

}  // namespace
}  // namespace mo::test
