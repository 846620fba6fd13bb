// What loading does when nothing is wrong: versions, scopes, order, precedence, the end of the process.
#include <gmock/gmock.h>

#include "core/host/host_tables.hpp"
#include "core/host/library.hpp"
#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<std::string> operation_names(const Session& s) {
  std::vector<std::string> list;
  for (const Operation* o : s.registry().operations()) list.push_back(o->op);
  return list;
}

TEST(Loading, PluginForTheFirstAbi) {
  Session session{host_table()};
  load_zoo(session, "target_1_0");
  const Plugin& p = session.plugins().front();
  EXPECT_EQ(p.abi_minor, 0U);
  EXPECT_EQ(p.operations, 1U);
  EXPECT_NE(session.registry().operation("FromTheFirst", "org.example.zoo"), nullptr);
}

TEST(Loading, PluginOfALaterAbi) {
  Session session{host_table()};
  load_zoo(session, "newer_plugin");
  EXPECT_EQ(session.plugins().front().abi_minor, 9U);
  const Operation* o = session.registry().operation("Newer", "org.example.zoo");
  ASSERT_NE(o, nullptr);
  std::vector<std::string> attributes;
  for (const AttributeDef& a : o->attributes) attributes.push_back(a.name);
  EXPECT_THAT(attributes, ElementsAre("first", "second", "third"));
}

TEST(Loading, EqualSymbolsDoNotMeet) {
  Session session{host_table()};
  load_zoo(session, "same_name_a");
  load_zoo(session, "same_name_b");
  EXPECT_THAT(operation_names(session), ElementsAre("SameNameA", "SameNameB"));
}

TEST(Loading, SessionsShareNothingButTheLibrary) {
  Session first{host_table()}, second{host_table()};
  load_zoo(first, "twin_a");
  load_zoo(second, "twin_a");
  EXPECT_NE(&first.plugins().front(), &second.plugins().front());
  EXPECT_NE(first.registry().operation("Twin", "org.example.twins"),
            second.registry().operation("Twin", "org.example.twins"));
}

TEST(Loading, DescriptorIsCopied) {
  Session session{host_table()};
  load_zoo(session, "twin_a");
  const Plugin& p = session.plugins().front();
  EXPECT_EQ(p.id, "org.example.zoo.twin-a");
  EXPECT_EQ(p.version, "1.0.0");
  EXPECT_EQ(p.vendor, "the zoo");
  EXPECT_EQ(p.license, "Apache-2.0");
  EXPECT_EQ(p.support_url, "https://zoo.example/help");
  EXPECT_EQ(p.path, test::zoo("twin_a"));
  EXPECT_FALSE(p.built_in);
  EXPECT_EQ(p.total(), 1U);
}

TEST(Loading, OrderOfListsDoesNotFollowOrderOfLoading) {
  Session forward{host_table()}, backward{host_table()};
  for (const char* stem : {"says_goodbye_a", "target_1_0", "twin_a"}) load_zoo(forward, stem);
  for (const char* stem : {"twin_a", "target_1_0", "says_goodbye_a"}) load_zoo(backward, stem);
  EXPECT_EQ(operation_names(forward), operation_names(backward));
}

TEST(Loading, FolderOfAFrameworkIsForIt) {
  const ZooFolder f;
  f.add_zoo("vendor_relu", "front/zoo/relu.mo.so");
  app::CarefulRequest request;
  request.named = {f.path().string()};
  Session session{host_table()};
  const LoadReport report = app::load_carefully(session, request);
  ASSERT_THAT(report.loaded, SizeIs(1));
  EXPECT_EQ(report.loaded[0]->framework, "zoo");
  EXPECT_NE(session.registry().extractor("zoo", "", "Relu", 1), nullptr);

  const ZooFolder other;
  other.add_zoo("vendor_relu", "front/other/relu.mo.so");
  request.named = {other.path().string()};
  Session elsewhere{host_table()};
  (void)load_carefully(elsewhere, request);
  EXPECT_EQ(elsewhere.registry().extractor("zoo", "", "Relu", 1), nullptr);
  EXPECT_EQ(elsewhere.registry().extractor("other", "", "Relu", 1), nullptr);
}

// Extractors for one source operation.

mo_status extract(void*, mo_context*, mo_node) { return MO_OK; }

struct Key {
  const char* framework;
  int32_t since, until;
};

// Registers as a plugin would.
class Extractors {
 public:
  std::string add(Key key, bool built_in) {
    Plugin& p = session_.plugins().emplace_back();
    p.id = "org.example.p" + std::to_string(session_.plugins().size());
    p.version = "1.0";
    p.abi_minor = MO_ABI_MINOR;
    p.built_in = built_in;
    return add(key, p);
  }
  std::string add(Key key, Plugin& p) {
    mo_extractor_def d{};
    d.size = sizeof d;
    d.framework = str(key.framework);
    d.op = str("Source");
    d.since = key.since;
    d.until = key.until;
    d.extract = extract;
    try {
      session_.registry().add(d, p);
      return "";
    } catch (const Error& e) {
      return e.what();
    }
  }
  std::string winner(const char* framework, int32_t version) const {
    const Extractor* e = session_.registry().extractor(framework, "", "Source", version);
    return e == nullptr ? "none" : e->plugin->id.substr(e->plugin->id.rfind('.') + 1);
  }
  Session& session() { return session_; }
  Plugin& plugin(size_t i) { return session_.plugins()[i]; }

 private:
  Session session_{host_table()};
};

TEST(Extractors, VendorComesBeforeBuiltIn) {
  for (const bool built_in_first : {true, false}) {
    Extractors e;
    EXPECT_EQ(e.add({"fw", 0, 0}, built_in_first), "");
    EXPECT_EQ(e.add({"fw", 0, 0}, !built_in_first), "");
    EXPECT_EQ(e.winner("fw", 3), built_in_first ? "p2" : "p1");
    ASSERT_THAT(e.plugin(1).notes, SizeIs(1));
    EXPECT_THAT(e.plugin(1).notes[0],
                AllOf(HasSubstr("extractor of \"Source\""), HasSubstr("comes before built-in plugin")));
    // The other one is asked when the first says that it is not applicable.
    EXPECT_THAT(e.session().registry().extractors("fw", "", "Source", 3), SizeIs(2));
  }
}

TEST(Extractors, TwoVendorsClash) {
  Extractors e;
  EXPECT_EQ(e.add({"fw", 1, 7}, false), "");
  EXPECT_EQ(e.add({"fw", 8, 0}, false), "") << "other versions are something else";
  EXPECT_THAT(e.add({"fw", 5, 9}, false),
              AllOf(HasSubstr("MOX-110"), HasSubstr("of versions 5 to 9 and of versions 1 to 7"),
                    HasSubstr("org.example.p1"), HasSubstr("org.example.p3")));
  EXPECT_THAT(e.add({"fw", 7, 7}, e.plugin(0)), HasSubstr("registered twice by plugin org.example.p1"));
  EXPECT_EQ(e.winner("fw", 7), "p1");
  EXPECT_EQ(e.winner("fw", 8), "p2");
  EXPECT_EQ(e.winner("other", 8), "none");
}

TEST(Extractors, ExactFrameworkBeforeAnyAndNarrowBeforeWide) {
  Extractors e;
  EXPECT_EQ(e.add({"", 0, 0}, false), "");
  EXPECT_EQ(e.winner("fw", 3), "p1");
  EXPECT_EQ(e.add({"fw", 0, 0}, false), "");
  EXPECT_EQ(e.winner("fw", 3), "p2");
  EXPECT_EQ(e.winner("other", 3), "p1");
}

TEST(Extractors, FrameworksAreKnownByTheirAliases) {
  Extractors e;
  static const mo_str alias = str("short");
  mo_frontend_def d{};
  d.size = sizeof d;
  d.name = str("long_name");
  d.aliases = &alias;
  d.n_aliases = 1;
  d.probe = [](void*, mo_context*, const mo_probe_args*, int32_t*) -> mo_status { return MO_OK; };
  d.load = [](void*, mo_context*, mo_str, mo_graph, void**) -> mo_status { return MO_OK; };
  d.native_attr = [](void*, mo_context*, void*, uint64_t, mo_str) -> mo_status { return MO_OK; };
  d.native_attr_names = [](void*, mo_context*, void*, uint64_t) -> mo_status { return MO_OK; };
  d.native_key = [](void*, mo_context*, void*, uint64_t, mo_str*, int32_t*, mo_str*) -> mo_status {
    return MO_OK;
  };
  EXPECT_EQ(e.add({"short", 0, 0}, false), "");
  e.session().registry().add(d, e.plugin(0));
  EXPECT_EQ(e.winner("long_name", 1), "p1");
  EXPECT_THAT(e.add({"long_name", 0, 0}, false), HasSubstr("MOX-110"));
}

TEST(Registry, TransformationsServeTheirFrameworks) {
  Extractors e;  // for its plugins
  EXPECT_EQ(e.add({"fw", 0, 0}, false), "");
  static const mo_str frameworks[] = {str("fw"), str("other")};
  mo_transformation_def d{};
  d.size = sizeof d;
  d.phase = MO_PHASE_MIDDLE;
  d.kind = MO_TRANSFORM_GRAPH;
  d.on_graph = [](void*, mo_context*, mo_graph) -> mo_status { return MO_OK; };
  d.id = str("any.pass");
  e.session().registry().add(d, e.plugin(0));
  d.id = str("some.pass");
  d.frameworks = frameworks;
  d.n_frameworks = 2;
  e.session().registry().add(d, e.plugin(0));

  const Registry& r = e.session().registry();
  const auto serves = [&](const char* id, const char* framework) {
    return r.serves(*r.transformation(id), framework);
  };
  EXPECT_TRUE(serves("any.pass", "fw"));
  EXPECT_TRUE(serves("any.pass", "third"));
  EXPECT_TRUE(serves("some.pass", "other"));
  EXPECT_FALSE(serves("some.pass", "third"));
  e.plugin(0).framework = "fw";  // found in front/fw
  EXPECT_FALSE(serves("any.pass", "third"));
  EXPECT_TRUE(serves("some.pass", "fw"));
  EXPECT_FALSE(serves("some.pass", "other"));
}

TEST(Registry, WhatIsTakenBackLeavesTheRest) {
  Session session{host_table()};
  load_zoo(session, "twin_a");
  load_zoo(session, "target_1_0");
  const Operation* kept = session.registry().operation("FromTheFirst", "org.example.zoo");
  session.registry().remove_all_of(session.plugins().front());
  EXPECT_EQ(session.registry().operation("Twin", "org.example.twins"), nullptr);
  EXPECT_EQ(session.registry().operation("FromTheFirst", "org.example.zoo"), kept);
  EXPECT_THAT(operation_names(session), ElementsAre("FromTheFirst"));
}

// The end.

using ShutdownDeathTest = testing::Test;

void load_both() {
  Session session{host_table()}, again{host_table()};
  load_zoo(session, "says_goodbye_a");
  load_zoo(session, "says_goodbye_b");
  load_zoo(again, "says_goodbye_b");
}

TEST(ShutdownDeathTest, InReverseOrderAtExit) {
  EXPECT_EXIT(
      {
        load_both();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^goodbye from b, which was loaded later\ngoodbye from a\n$");
}

TEST(ShutdownDeathTest, OnceWhenAskedFor) {
  EXPECT_EXIT(
      {
        load_both();
        shut_down_plugins();
        std::fputs("end of main\n", stderr);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^goodbye from b, which was loaded later\ngoodbye from a\nend of main\n$");
}

}  // namespace

}  // namespace mo::core
