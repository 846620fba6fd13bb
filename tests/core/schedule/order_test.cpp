// The order of transformations, why it is so, and why it cannot be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Ids = std::vector<std::string>;

struct Entry {
  std::string id;
  int32_t phase = MO_PHASE_FRONT;
  Ids after = {}, before = {};
  std::string group = {};
  bool enabled = true;
  Ids frameworks = {};
};

void add(Registry& r, const Entry& e) {
  const auto fields = [&](mo::Transformation& t) {
    t.run_after = e.after;
    t.run_before = e.before;
    t.enabled = e.enabled;
    t.frameworks = e.frameworks;
    t.group = e.group;
  };
  if (e.group.empty())
    r.transformation<OnGraph>(e.id, nullptr, fields, e.phase);
  else
    r.transformation<OnTree>(e.id, wrap_type({"A"}), nullptr, fields, e.phase);
}

class OrderTest : public ::testing::Test {
 protected:
  void plugin(const std::string& id, const std::vector<Entry>& entries, bool built_in = false,
              const std::string& framework = {}) {
    lab_.plugin(
        id,
        [&](Registry& r) {
          for (const Entry& e : entries) add(r, e);
        },
        built_in, framework);
  }
  std::vector<core::Scheduled> schedule(const core::ScheduleOptions& options = {}) const {
    return core::make_schedule(lab_.session, options);
  }
  // Everything from the start of front to its finish, or as asked.
  Ids ids(std::string_view from = "front.start", std::string_view to = "front.finish") const {
    Ids list;
    bool on = false;
    for (const auto& s : schedule()) {
      on = on || s.id == from;
      if (on) list.push_back(s.id);
      if (s.id == to) break;
    }
    return list;
  }
  std::string why(std::string_view id, const core::ScheduleOptions& options = {}) const {
    for (const auto& s : schedule(options))
      if (s.id == id) return text(s.runs ? "" : "OFF ", s.why);
    return "?";
  }
  std::string failure() const {
    return test::failure_of([&] { schedule(); });
  }
  Lab lab_;
};

// An id that ends in a question mark orders where there is such a transformation, and says nothing where
// there is none.
TEST_F(OrderTest, AfterWhatMayBeAbsent) {
  plugin("com.b", {{"late", MO_PHASE_FRONT, {"first?", "absent?"}}, {"first", MO_PHASE_FRONT}});
  plugin("com.a", {{"alone", MO_PHASE_FRONT, {"nobody?"}, {"late?"}}});
  EXPECT_THAT(ids(), ElementsAre("front.start", "alone", "first", "late", "front.finish"));
  EXPECT_THAT(why("alone"), HasSubstr("after front.start by default"));
}

TEST_F(OrderTest, AnchorsAlone) {
  EXPECT_THAT(ids("load.start", "emit.finish"),
              ElementsAre("load.start", "load.finish", "front.start", "front.finish", "pre_middle.start",
                          "pre_middle.finish", "middle.start", "middle.finish", "post_middle.start",
                          "post_middle.finish", "back.start", "back.finish", "emit.start", "emit.finish"));
  EXPECT_EQ(why("front.start"), "anchor");
}

TEST_F(OrderTest, BetweenStartAndFinishInOrderOfPluginAndRegistration) {
  plugin("com.b", {{"b.z"}, {"b.a"}});
  plugin("com.a", {{"a.m"}, {"a.back", MO_PHASE_BACK}});
  EXPECT_THAT(ids(), ElementsAre("front.start", "a.m", "b.z", "b.a", "front.finish"));
  EXPECT_THAT(ids("back.start", "back.finish"), ElementsAre("back.start", "a.back", "back.finish"));
  EXPECT_EQ(why("b.z"), "after front.start by default; before front.finish by default");
}

TEST_F(OrderTest, ExtensionsGoBeforeWhatIsBuiltIn) {
  plugin("com.a", {{"a.m"}}, true);
  plugin("com.b", {{"b.z"}});
  EXPECT_THAT(ids(), ElementsAre("front.start", "b.z", "a.m", "front.finish"));
}

// Whichever is loaded first, with no preference: the vendor's stands where the built-in one of that id stood.
TEST_F(OrderTest, AnExtensionTakesAnIdOfWhatIsBuiltIn) {
  const std::vector<Entry> built_in{{"x.same", MO_PHASE_FRONT, {"load.finish"}, {"front.start"}},
                                    {"x.next", MO_PHASE_FRONT, {"x.same"}, {"front.start"}}};
  for (const bool first : {true, false}) {
    Lab lab;
    const auto load = [&](const std::string& id, const std::vector<Entry>& entries, bool is_built_in) {
      lab.plugin(
          id,
          [&](Registry& r) {
            for (const Entry& e : entries) add(r, e);
          },
          is_built_in);
    };
    if (first) load("org.host", built_in, true);
    load("com.acme", {{"x.same"}}, false);
    if (!first) load("org.host", built_in, true);
    EXPECT_EQ(lab["x.same"].plugin->id, "com.acme");
    Ids list;
    for (const auto& s : core::make_schedule(lab.session, {}))
      if (s.transformation != nullptr || s.id == "front.start") list.push_back(s.id);
    EXPECT_THAT(list, ElementsAre("x.same", "x.next", "front.start"));
  }
}

// What it says itself goes before what the built-in ones say of that id.
TEST_F(OrderTest, AnExtensionWithItsOwnOrderMakesNoCycle) {
  plugin("org.host",
         {{"x.same", MO_PHASE_FRONT, {"load.finish"}, {"front.start"}},
          {"x.next", MO_PHASE_FRONT, {"x.same", "load.finish"}, {"front.start"}}},
         true);
  plugin("com.acme", {{"x.same", MO_PHASE_FRONT, {"front.start"}}});
  EXPECT_THAT(ids("load.finish", "front.finish"),
              ElementsAre("load.finish", "x.next", "front.start", "x.same", "front.finish"));
}

TEST_F(OrderTest, TwoVendorsOfOneIdAreAnErrorAsBefore) {
  plugin("com.a", {{"x.same"}});
  EXPECT_THAT(test::failure_of([&] { plugin("com.b", {{"x.same"}}); }), HasSubstr("MOX-110"));
}

TEST_F(OrderTest, GroupsAreSwitchedAndNamedByTheirId) {
  plugin("com.a", {{"a.one", MO_PHASE_MIDDLE, {}, {}, "a.all"},
                   {"a.off", MO_PHASE_MIDDLE, {}, {}, "a.all", false},
                   {"a.after", MO_PHASE_MIDDLE, {}, {"a.all"}}});
  EXPECT_THAT(ids("middle.start", "middle.finish"),
              ElementsAre("middle.start", "a.after", "a.one", "a.off", "middle.finish"));
  EXPECT_THAT(why("a.one", {"", {}, {"a.all"}}),
              ::testing::StartsWith("OFF does not run: switched off by the user"));
  EXPECT_THAT(why("a.off", {"", {"a.all"}, {}}), ::testing::StartsWith("after middle.start"));
  EXPECT_THAT(core::ids_meant(lab_.session, {"a.all", "a.after"}, "explained"),
              ElementsAre("a.one", "a.off", "a.after"));
  EXPECT_THAT(test::failure_of([&] { core::ids_meant(lab_.session, {"a.al"}, "explained"); }),
              HasSubstr("did you mean 'a.all'?"));
}

TEST_F(OrderTest, StatedOrder) {
  plugin("com.a", {{"a.one", MO_PHASE_FRONT, {"b.two"}}, {"a.three", MO_PHASE_FRONT, {}, {"b.two"}}});
  plugin("com.b", {{"b.two"}, {"b.four"}});
  EXPECT_THAT(ids(), ElementsAre("front.start", "a.three", "b.two", "a.one", "b.four", "front.finish"));
  EXPECT_EQ(why("a.one"), "after b.two; before front.finish by default");
  EXPECT_EQ(why("b.two"),
            "after a.three, which says so; after front.start by default; before a.one, which says so; before "
            "front.finish by default");
}

// Saying one thing drops the default of that thing only.
TEST_F(OrderTest, OneDefaultIsDropped) {
  plugin("com.a", {{"a.early", MO_PHASE_FRONT, {}, {"front.start"}}});
  EXPECT_THAT(failure(), HasSubstr("cycle")) << "still after front.start";
  Lab lab;
  lab.plugin("com.a", [&](Registry& r) {
    add(r, {"a.early", MO_PHASE_FRONT, {"load.finish"}, {"front.start"}});
    add(r, {"a.late", MO_PHASE_FRONT, {"front.finish"}, {"pre_middle.start"}});
    add(r, {"a.loose", MO_PHASE_BACK, {"a.late"}});
  });
  Ids list;
  for (const auto& s : core::make_schedule(lab.session, {})) list.push_back(s.id);
  EXPECT_THAT(list, ElementsAre("load.start", "load.finish", "a.early", "front.start", "front.finish",
                                "a.late", "pre_middle.start", "pre_middle.finish", "middle.start",
                                "middle.finish", "post_middle.start", "post_middle.finish", "back.start",
                                "a.loose", "back.finish", "emit.start", "emit.finish"))
      << "what may run at any time runs in its own phase";
}

TEST_F(OrderTest, DoesNotDependOnTheOrderOfLoading) {
  const std::map<std::string, std::vector<Entry>> plugins{
      {"com.a", {{"a.p", MO_PHASE_FRONT, {"c.p"}}, {"a.q"}, {"a.g", MO_PHASE_FRONT, {}, {}, "g"}}},
      {"com.b", {{"b.p"}, {"b.g", MO_PHASE_FRONT, {"b.p"}, {}, "g"}}},
      {"com.c", {{"c.p", MO_PHASE_FRONT, {}, {"b.p"}}, {"c.q", MO_PHASE_BACK}}}};
  Ids names{"com.a", "com.b", "com.c"}, first;
  do {
    Lab lab;
    for (const auto& n : names)
      lab.plugin(n, [&](Registry& r) {
        for (const Entry& e : plugins.at(n)) add(r, e);
      });
    Ids list;
    for (const auto& s : core::make_schedule(lab.session, {})) list.push_back(text(s.id, " ", s.why));
    if (first.empty()) first = list;
    EXPECT_EQ(list, first);
  } while (std::next_permutation(names.begin(), names.end()));
}

TEST_F(OrderTest, GroupsStandTogether) {
  plugin("com.a", {{"a.one", MO_PHASE_MIDDLE, {}, {}, "fuse"},
                   {"a.plain", MO_PHASE_MIDDLE},
                   {"a.two", MO_PHASE_MIDDLE, {}, {"a.one"}, "fuse"},
                   {"a.three", MO_PHASE_MIDDLE, {"a.plain"}, {}, "fuse"}});
  EXPECT_THAT(ids("middle.start", "middle.finish"),
              ElementsAre("middle.start", "a.plain", "a.two", "a.one", "a.three", "middle.finish"));
  EXPECT_THAT(why("a.one"), HasSubstr("one traversal with the other 2 of group fuse"));
}

TEST_F(OrderTest, CyclesAreToldWithTheirPlugins) {
  plugin("com.a", {{"a.x", MO_PHASE_FRONT, {"b.y"}}, {"a.other"}});
  plugin("com.b", {{"b.y", MO_PHASE_FRONT, {"c.z"}}});
  plugin("com.c", {{"c.z"}, {"c.w", MO_PHASE_FRONT, {"a.x"}, {"c.z"}}});
  const std::string message = failure();
  EXPECT_THAT(message, HasSubstr("MO0602: the order of the transformations has a cycle"));
  EXPECT_THAT(message, HasSubstr("'a.x' (plugin com.a) before 'c.w' (plugin com.c): 'c.w' says run_after"));
  EXPECT_THAT(message, HasSubstr("'c.w' (plugin com.c) before 'c.z' (plugin com.c): 'c.w' says run_before"));
  EXPECT_THAT(message, HasSubstr("'c.z' (plugin com.c) before 'b.y' (plugin com.b): 'b.y' says run_after"));
  EXPECT_THAT(message, HasSubstr("'b.y' (plugin com.b) before 'a.x' (plugin com.a): 'a.x' says run_after"));
  EXPECT_THAT(message, ::testing::Not(HasSubstr("a.other")));
}

// Two vendors who do not know of one another: whoever uses both decides.
TEST_F(OrderTest, CyclesAreDecidedByTheUser) {
  plugin("com.a", {{"a.x", MO_PHASE_FRONT, {"b.y"}}});
  plugin("com.b", {{"b.y", MO_PHASE_FRONT, {"a.x"}}});
  EXPECT_THAT(failure(), HasSubstr("--prefer, or switches one off with --disable_transformations"));
  for (const char* off : {"a.x", "b.y"}) {
    core::ScheduleOptions options;
    options.disabled = {off};
    const auto list = schedule(options);
    EXPECT_EQ(
        std::count_if(list.begin(), list.end(), [](const auto& s) { return s.id == "a.x" || s.id == "b.y"; }),
        2);
  }
  lab_.session.registry().prefer({"com.a"});
  EXPECT_THAT(ids(), ElementsAre("front.start", "b.y", "a.x", "front.finish"));
  lab_.session.registry().prefer({"com.b"});
  EXPECT_THAT(ids(), ElementsAre("front.start", "a.x", "b.y", "front.finish"));
}

TEST_F(OrderTest, CyclesWithDefaultsAndAnchors) {
  plugin("com.a", {{"a.x", MO_PHASE_FRONT, {"middle.start"}}});
  const std::string message = failure();
  EXPECT_THAT(message, HasSubstr("'a.x' (plugin com.a) before front.finish: the default of 'a.x'"));
  EXPECT_THAT(message, HasSubstr("front.finish before pre_middle.start: the order of the phases"));
  EXPECT_THAT(message, HasSubstr("middle.start before 'a.x' (plugin com.a): 'a.x' says run_after"));
}

TEST_F(OrderTest, CyclesOfGroups) {
  plugin("com.a", {{"a.one", MO_PHASE_MIDDLE, {}, {"a.between"}, "g"},
                   {"a.between", MO_PHASE_MIDDLE},
                   {"a.two", MO_PHASE_MIDDLE, {"a.between"}, {}, "g"}});
  EXPECT_THAT(failure(), HasSubstr("'a.two' and 'a.one' share one traversal: group g"));
  Lab lab;
  lab.plugin("com.b", [&](Registry& r) {
    add(r, {"b.one", MO_PHASE_MIDDLE, {}, {"b.two"}, "g"});
    add(r, {"b.two", MO_PHASE_MIDDLE, {}, {"b.one"}, "g"});
  });
  const std::string inner = test::failure_of([&] { core::make_schedule(lab.session, {}); });
  EXPECT_THAT(inner, HasSubstr("'b.one' (plugin com.b) before 'b.two'"));
  EXPECT_THAT(inner, HasSubstr("'b.two' (plugin com.b) before 'b.one'"));
}

TEST_F(OrderTest, UnknownIds) {
  plugin("com.a",
         {{"a.fuse_thing", MO_PHASE_FRONT, {"front.strat"}}, {"a.x", MO_PHASE_FRONT, {}, {"a.fuse_thin"}}});
  const std::string message = failure();
  EXPECT_THAT(message, HasSubstr("MO0603: 2 transformations are ordered by ids that nothing has"));
  EXPECT_THAT(
      message,
      HasSubstr("'a.fuse_thing' (plugin com.a) has run_after 'front.strat'; did you mean 'front.start'?"));
  EXPECT_THAT(message,
              HasSubstr("'a.x' (plugin com.a) has run_before 'a.fuse_thin'; did you mean 'a.fuse_thing'?"));
}

TEST_F(OrderTest, Switches) {
  plugin("com.a", {{"a.on"}, {"a.off", MO_PHASE_FRONT, {}, {}, "", false}});
  EXPECT_THAT(why("a.on"), ::testing::StartsWith("after front.start"));
  EXPECT_THAT(why("a.off"), ::testing::StartsWith("OFF does not run: off unless switched on"));
  EXPECT_THAT(why("a.off", {"", {"a.off"}, {}}), ::testing::StartsWith("after front.start"));
  EXPECT_THAT(why("a.on", {"", {}, {"a.on"}}),
              ::testing::StartsWith("OFF does not run: switched off by the user"));
  EXPECT_THAT(why("a.on", {"", {"a.on"}, {"a.on"}}), ::testing::StartsWith("OFF"));
  const auto unknown = [&] { schedule({"", {}, {"a.onn"}}); };
  EXPECT_THAT(test::failure_of(unknown), HasSubstr("there is no transformation 'a.onn' to be switched off"));
  EXPECT_THAT(test::failure_of(unknown), HasSubstr("did you mean 'a.on'?"));
}

TEST_F(OrderTest, Frameworks) {
  plugin("com.a", {{"a.all"}, {"a.one", MO_PHASE_FRONT, {}, {}, "", true, {"first"}}});
  plugin("com.b", {{"b.x"}}, false, "second");
  EXPECT_THAT(why("a.one", {"second", {}, {}}),
              ::testing::StartsWith("OFF does not run: not for models of second"));
  EXPECT_THAT(why("a.one", {"first", {}, {}}), ::testing::StartsWith("after"));
  EXPECT_THAT(why("a.all", {"second", {}, {}}), ::testing::StartsWith("after"));
  EXPECT_THAT(why("b.x", {"first", {}, {}}), ::testing::StartsWith("OFF"));
  EXPECT_THAT(why("b.x", {"second", {}, {}}), ::testing::StartsWith("after"));
  EXPECT_THAT(why("b.x"), ::testing::StartsWith("after"));
}

// Ordered now; run when there is a configuration file.
TEST_F(OrderTest, KindsOfConfigurationFiles) {
  lab_.plugin("com.a", [](Registry& r) {
    static const auto status = [](void*, mo_context*, mo_match*) { return mo_status{MO_OK}; };
    static const auto general = [](void*, mo_context*, mo_graph) { return mo_status{MO_OK}; };
    for (int32_t kind :
         {MO_TRANSFORM_CONFIG_SCOPE, MO_TRANSFORM_CONFIG_POINTS, MO_TRANSFORM_CONFIG_GENERAL}) {
      const std::string id = text("a.kind", kind);
      mo_transformation_def d{};
      d.size = sizeof d;
      d.id = str(id);
      d.phase = MO_PHASE_FRONT;
      d.kind = kind;
      d.on_match = status;
      d.on_graph = general;
      const Context c = r.context();
      c.check(c.host()->registry->transformation(c.get(), &d));
    }
  });
  EXPECT_THAT(ids(), ElementsAre("front.start", "a.kind5", "a.kind6", "a.kind7", "front.finish"));
  EXPECT_THAT(why("a.kind5"),
              ::testing::StartsWith("OFF does not run: no configuration file has an entry for it"));
  auto g = lab_.graph("%x = Parameter");
  std::vector<core::RunStatistics> statistics;
  core::run_phase(lab_.session, *g, schedule(), MO_PHASE_FRONT, &statistics);
  EXPECT_TRUE(statistics.empty());
}

// What stands between two phases is run with the one it belongs to, unless the order forbids.
TEST_F(OrderTest, APhaseRunsWhatBelongsToIt) {
  Ids ran;
  lab_.plugin("com.a", [&](Registry& r) {
    const auto at = [&](const std::string& id, int32_t phase, const Ids& after, const Ids& before) {
      const auto fields = [&](mo::Transformation& t) {
        t.run_after = after;
        t.run_before = before;
      };
      r.transformation<OnGraph>(
          id, [&ran, id](Graph) { ran.push_back(id); }, fields, phase);
    };
    at("a.front", MO_PHASE_FRONT, {}, {});
    at("a.end_of_front", MO_PHASE_FRONT, {"front.finish"}, {"pre_middle.start"});
    at("a.early_middle", MO_PHASE_MIDDLE, {"front.finish"}, {"pre_middle.start"});
    at("a.late_front", MO_PHASE_FRONT, {"a.early_middle"}, {"pre_middle.start"});
    at("a.middle", MO_PHASE_MIDDLE, {}, {});
  });
  const auto g = lab_.graph("%x = Parameter");
  const auto run = [&](int32_t phase) {
    ran.clear();
    core::run_phase(lab_.session, *g, schedule(), phase);
    return ran;
  };
  EXPECT_THAT(run(MO_PHASE_LOAD), ElementsAre());
  EXPECT_THAT(run(MO_PHASE_FRONT), ElementsAre("a.front", "a.end_of_front"));
  EXPECT_THAT(run(MO_PHASE_PRE_MIDDLE), ElementsAre("a.early_middle", "a.late_front"));
  EXPECT_THAT(run(MO_PHASE_MIDDLE), ElementsAre("a.middle"));
  EXPECT_THAT(run(MO_PHASE_EMIT), ElementsAre());
}

}  // namespace
}  // namespace mo::test
