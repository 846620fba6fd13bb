// What a front-end registers for its own models: when, and what becomes of it when it is refused.
#include <gmock/gmock.h>

#include "apps/plugin_search/load_plugins.hpp"
#include "core/host/host_tables.hpp"
#include "core/host/loader.hpp"
#include "core/schedule/schedule.hpp"
#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The front-end that is registered: its name, and the identifier of the one transformation of its contents.
// Contents whose identifier is "" fail; those of "twice" register one thing twice.
struct Given {
  std::string name, transformation;
  size_t calls = 0;
};

mo_status no_change(void*, mo_context*, mo_graph) { return MO_OK; }

mo_status register_transformation(mo_context* c, const std::string& id) {
  mo_transformation_def t{};
  t.size = sizeof t;
  t.id = str(id);
  t.phase = MO_PHASE_FRONT;
  t.kind = MO_TRANSFORM_GRAPH;
  t.on_graph = no_change;
  return c->host->registry->transformation(c, &t);
}

mo_status register_contents_of(void* user, mo_context* c) {
  Given& given = *static_cast<Given*>(user);
  ++given.calls;
  if (given.transformation.empty()) return c->host->fail(c, MO_ERROR, 0, str("it is out of sorts"));
  if (given.transformation == "twice") (void)register_transformation(c, "twice");
  return register_transformation(c, given.transformation);
}

mo_status register_frontend_of(mo_context* c, Given& given) {
  mo_frontend_def f{};
  f.size = sizeof f;
  f.name = str(given.name);
  f.user = &given;
  f.probe = [](void*, mo_context*, const mo_probe_args*, int32_t*) -> mo_status { return MO_OK; };
  f.load = [](void*, mo_context*, const mo_model_source*, mo_graph, void**) -> mo_status { return MO_OK; };
  f.native_attr = [](void*, mo_context*, void*, uint64_t, mo_str) -> mo_status { return MO_OK; };
  f.native_attr_names = [](void*, mo_context*, void*, uint64_t) -> mo_status { return MO_OK; };
  f.native_key = [](void*, mo_context*, void*, uint64_t, mo_str*, int32_t*, mo_str*) -> mo_status {
    return MO_OK;
  };
  f.contents = register_contents_of;
  return c->host->registry->frontend(c, &f);
}

Given one_given, other_given;

template <Given& given, char name>
const mo_plugin* entry_of() {
  static const std::string id = std::string("org.example.") + name;
  static mo_plugin p{};
  p.size = sizeof p;
  p.abi_major = MO_ABI_MAJOR;
  p.abi_minor = MO_TARGET_MINOR;
  p.abi_candidate = MO_ABI_CANDIDATE;
  p.id = str(id);
  p.version = str("1.0.0");
  p.vendor = str("Example");
  p.license = str("Apache-2.0");
  p.description = str("contents");
  p.load = [](mo_context* c) { return register_frontend_of(c, given); };
  return &p;
}

class Contents : public testing::Test {
 protected:
  Contents() {
    one_given = {"first", "first.one"};
    other_given = {"second", "second.one"};
    session_.opens_contents_late = true;
  }
  void load(bool built_in) {
    load_plugin(session_, entry_of<one_given, 'a'>, "", built_in, "");
    load_plugin(session_, entry_of<other_given, 'b'>, "", built_in, "");
  }
  std::vector<std::string> transformations() const {
    std::vector<std::string> ids;
    for (const Transformation* t : session_.registry().transformations()) ids.push_back(t->id);
    return ids;
  }
  const FrontEnd& front_end(std::string_view name) const { return *session_.registry().frontend(name); }

  Session session_{host_table()};
};

TEST_F(Contents, OfOthersAreThereAtOnce) {
  load(false);
  EXPECT_THAT(transformations(), ElementsAre("first.one", "second.one"));
  EXPECT_FALSE(session_.registry().has_closed());
  EXPECT_EQ(session_.plugins().front().transformations, 1U);
}

TEST_F(Contents, AreThereAtOnceWhereNobodyAskedForLess) {
  session_.opens_contents_late = false;
  load(true);
  EXPECT_THAT(transformations(), ElementsAre("first.one", "second.one"));
}

TEST_F(Contents, ComeWithTheFrontEndThatIsChosen) {
  load(true);
  EXPECT_THAT(transformations(), IsEmpty());
  session_.registry().open_contents(front_end("second"));
  EXPECT_THAT(transformations(), ElementsAre("second.one"));
  session_.registry().open_contents(front_end("second"));
  EXPECT_EQ(one_given.calls, 0U);
  EXPECT_EQ(other_given.calls, 1U);
  EXPECT_EQ(session_.plugins().back().transformations, 1U);
}

TEST_F(Contents, ComeWhenOneOfThemIsLookedUp) {
  load(true);
  EXPECT_NE(session_.registry().transformation("first.one"), nullptr);
  EXPECT_EQ(session_.registry().transformation("third.one"), nullptr);
  EXPECT_THAT(transformations(), ElementsAre("first.one", "second.one"));
}

TEST_F(Contents, ComeWhenTheyAreOrderedBy) {
  load(true);
  struct Late {
    static mo_status load(mo_context* c) {
      const std::string id = "third.one";
      const mo_str before = str("second.one");
      mo_transformation_def t{};
      t.size = sizeof t;
      t.id = str(id);
      t.phase = MO_PHASE_FRONT;
      t.kind = MO_TRANSFORM_GRAPH;
      t.on_graph = no_change;
      t.run_before = &before;
      t.n_run_before = 1;
      return c->host->registry->transformation(c, &t);
    }
    static const mo_plugin* late_entry() {
      static mo_plugin p = *entry_of<one_given, 'a'>();
      p.id = str("org.example.c");
      p.load = load;
      return &p;
    }
  };
  load_plugin(session_, Late::late_entry, "", false, "");
  std::vector<std::string> ids;
  for (const Scheduled& s : make_schedule(session_, {}))
    if (s.transformation != nullptr) ids.push_back(s.id);
  EXPECT_THAT(ids, ElementsAre("third.one", "first.one", "second.one"));
}

// Where they come late and where at once: all that the plugin has is gone.
TEST_F(Contents, ThatFailRefuseThePlugin) {
  for (const bool late : {false, true})
    for (const std::string id : {"", "twice"}) {
      Session session{host_table()};
      session.opens_contents_late = late;
      one_given = {"first", id};
      std::string told;
      try {
        load_plugin(session, entry_of<one_given, 'a'>, "", true, "");
        EXPECT_TRUE(late);
        session.registry().open_contents(*session.registry().frontend("first"));
      } catch (const Failure& f) {
        told = f.render();
      }
      EXPECT_THAT(told, HasSubstr(id.empty() ? "it is out of sorts" : "is registered twice"));
      EXPECT_THAT(told, HasSubstr("org.example.a 1.0.0 (Example)"));
      EXPECT_EQ(session.registry().frontend("first"), nullptr);
      EXPECT_THAT(session.registry().transformations(), IsEmpty());
    }
}

// What runs for a model, and in which order, does not depend on when contents come.
TEST(BuiltInContents, RunInTheSameOrderLateAndAtOnce) {
  const auto all = [](const std::string& framework, bool late) {
    Session session{host_table()};
    session.opens_contents_late = late;
    app::LoadRequest request;
    request.built_in = test::plugin_folder;
    load_plugins(session, request);
    const FrontEnd* f = session.registry().frontend(framework);
    EXPECT_NE(f, nullptr) << framework;
    EXPECT_EQ(session.registry().has_closed(), late);
    session.registry().open_contents(*f);
    std::vector<std::string> ids;
    for (const Scheduled& s : make_schedule(session, {framework, {}, {}, false}))
      if (s.runs) ids.push_back(s.id);
    return ids;
  };
  for (const std::string framework : {"onnx", "tf", "caffe", "mxnet", "tflite", "pytorch", "paddle", "ir"}) {
    const std::vector<std::string> at_once = all(framework, false);
    EXPECT_THAT(at_once, testing::SizeIs(testing::Gt(80))) << framework;
    EXPECT_EQ(at_once, all(framework, true)) << framework;
  }
}

}  // namespace

}  // namespace mo::core
