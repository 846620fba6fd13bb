// Several plugins claim one thing: an error, until one of them is preferred.
#include <gmock/gmock.h>

#include <cstring>

#include "core/host/host_tables.hpp"
#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string& released() {
  static std::string ids;
  return ids;
}

// Plugin org.example.p<n> registers one of everything under names that all of them use.
template <int n>
struct Claimant {
  static constexpr char digit = static_cast<char>('0' + n);
  static inline const std::string id = std::string("org.example.p") + digit;

  static void let_go(void*) { released() += digit; }
  static mo_status register_all(mo_context* c) {
    const mo_registry_api& r = *c->host->registry;
    mo_operation_def operation{};
    operation.size = sizeof operation;
    operation.op = str("Shared");
    operation.opset = str("org.example");
    operation.min_inputs = operation.max_inputs = operation.min_outputs = operation.max_outputs = 1;
    operation.infer = [](void*, mo_context*, const mo_infer_args*) -> mo_status { return MO_OK; };
    operation.release = let_go;
    mo_extractor_def extractor{};
    extractor.size = sizeof extractor;
    extractor.framework = str("shared");
    extractor.op = str("Shared");
    extractor.extract = [](void*, mo_context*, mo_node) -> mo_status { return MO_OK; };
    mo_transformation_def transformation{};
    transformation.size = sizeof transformation;
    transformation.id = str("example.shared");
    transformation.phase = MO_PHASE_FRONT;
    transformation.kind = MO_TRANSFORM_GRAPH;
    transformation.on_graph = [](void*, mo_context*, mo_graph) -> mo_status { return MO_OK; };
    mo_frontend_def frontend{};
    frontend.size = sizeof frontend;
    frontend.name = str("shared");
    frontend.probe = [](void*, mo_context*, const mo_probe_args*, int32_t*) -> mo_status { return MO_OK; };
    frontend.load = [](void*, mo_context*, const mo_model_source*, mo_graph, void**) -> mo_status {
      return MO_OK;
    };
    frontend.native_attr = [](void*, mo_context*, void*, uint64_t, mo_str) -> mo_status { return MO_OK; };
    frontend.native_attr_names = [](void*, mo_context*, void*, uint64_t) -> mo_status { return MO_OK; };
    frontend.native_key = [](void*, mo_context*, void*, uint64_t, mo_str*, int32_t*, mo_str*) -> mo_status {
      return MO_OK;
    };
    mo_option_def option{};
    option.size = sizeof option;
    option.name = str("shared");
    option.help = str("of all of them");
    option.kind = MO_OPTION_FLAG;
    mo_converter_def converter{};
    converter.size = sizeof converter;
    converter.type_name = str("shared");
    converter.convert = [](void*, mo_context*, const void*, uint64_t) -> mo_status { return MO_OK; };
    static const int table = n;
    for (const mo_status s :
         {r.operation(c, &operation), r.extractor(c, &extractor), r.transformation(c, &transformation),
          r.frontend(c, &frontend), r.option(c, &option), r.converter(c, &converter),
          r.add_interface(c, str("org.example.shared"), 1, &table)})
      if (s != MO_OK) return s;
    return MO_OK;
  }
  static mo_status register_and_fail(mo_context* c) {
    const mo_status s = register_all(c);
    return s != MO_OK ? s : c->host->fail(c, MO_ERROR, 0, str("no licence"));
  }
  template <mo_status (*load)(mo_context*)>
  static const mo_plugin* entry() {
    static const mo_plugin plugin = {
        sizeof(mo_plugin), MO_ABI_MAJOR, MO_ABI_MINOR, MO_LOWEST_MINOR,   MO_ABI_CANDIDATE,
        str(id),           str("1.0.0"), str("tests"), str("Apache-2.0"), str("claims"),
        str(""),           load,         nullptr};
    return &plugin;
  }
  static const Plugin& load_into(Session& session, bool built_in = false) {
    return load_plugin(session, entry<register_all>, std::string("p") + digit + ".mo.so", built_in, "");
  }
  static void fail_into(Session& session) {
    EXPECT_THROW((void)load_plugin(session, entry<register_and_fail>, "failing.mo.so", false, ""), Failure);
  }
};

template <class T>
std::string owner(const T* item) {
  return item == nullptr ? "nobody" : item->plugin->id.substr(item->plugin->id.size() - 2);
}

// Of everything that is shared, as it is found and as it is listed.
std::vector<std::string> owners(const Session& s) {
  const Registry& r = s.registry();
  std::vector<std::string> found{owner(r.operation("Shared", "org.example")),
                                 owner(r.extractor("shared", "", "Shared", 1)),
                                 owner(r.transformation("example.shared")),
                                 owner(r.frontend("shared")),
                                 owner(r.option("shared")),
                                 owner(r.converter("shared")),
                                 owner(r.find_interface("org.example.shared", 1))};
  const auto add = [&](const auto& list) {
    for (const auto* item : list) found.push_back(owner(item));
  };
  add(r.operations());
  add(r.extractors());
  add(r.transformations());
  add(r.frontends());
  add(r.options());
  add(r.converters());
  add(r.interfaces());
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

TEST(Preference, WithoutOneTheErrorSaysWhatDecides) {
  Session session{host_table()};
  Claimant<1>::load_into(session);
  try {
    Claimant<2>::load_into(session);
    FAIL() << "loaded";
  } catch (const Failure& f) {
    EXPECT_EQ(f.code(), "MOX-110");
    EXPECT_THAT(f.message(), AllOf(HasSubstr("plugin org.example.p1 1.0.0 (p1.mo.so)"),
                                   HasSubstr("plugin org.example.p2 1.0.0 (p2.mo.so)")));
    EXPECT_TRUE(f.render().ends_with(
        "\n  hint    --prefer org.example.p1 or --prefer org.example.p2 decides whose is used"))
        << f.render();
  }
  EXPECT_THAT(owners(session), ElementsAre("p1"));
}

TEST(Preference, WhatIsThereStays) {
  Session session{host_table()};
  session.registry().prefer({"org.example.p1"});
  const Plugin& first = Claimant<1>::load_into(session);
  const Plugin& second = Claimant<2>::load_into(session);
  EXPECT_THAT(owners(session), ElementsAre("p1"));
  EXPECT_EQ(first.total(), 7U);
  EXPECT_EQ(second.total(), 0U);
  EXPECT_EQ(second.withdrawn, 7U);
  EXPECT_THAT(second.notes, testing::SizeIs(7));
  EXPECT_EQ(
      second.notes[0],
      "operation org.example::Shared: plugin org.example.p1 1.0.0 (p1.mo.so) is preferred, that of plugin "
      "org.example.p2 1.0.0 (p2.mo.so) is withdrawn");
}

TEST(Preference, WhatComesLaterReplacesIt) {
  Session session{host_table()};
  session.registry().prefer({"org.example.p2"});
  const Plugin& first = Claimant<1>::load_into(session);
  const Plugin& second = Claimant<2>::load_into(session);
  EXPECT_THAT(owners(session), ElementsAre("p2"));
  EXPECT_EQ(first.total(), 0U);
  EXPECT_EQ(first.withdrawn, 7U);
  EXPECT_EQ(second.total(), 7U);
  EXPECT_THAT(second.notes, testing::SizeIs(7));
}

TEST(Preference, EarlierInTheListComesFirst) {
  for (const bool third_first : {true, false}) {
    Session session{host_table()};
    session.registry().prefer({"org.example.p3", "org.example.p2"});
    if (third_first) Claimant<3>::load_into(session);
    Claimant<1>::load_into(session);
    Claimant<2>::load_into(session);
    if (!third_first) Claimant<3>::load_into(session);
    EXPECT_THAT(owners(session), ElementsAre("p3"));
  }
}

TEST(Preference, WhoeverYieldedToAPluginThatFailsIsThereAgain) {
  Session session{host_table()};
  session.registry().prefer({"org.example.p2"});
  const Plugin& first = Claimant<1>::load_into(session);
  Claimant<2>::fail_into(session);
  EXPECT_THAT(owners(session), ElementsAre("p1"));
  EXPECT_EQ(first.total(), 7U);
  EXPECT_EQ(first.withdrawn, 0U);
}

TEST(Preference, WhatIsWithdrawnIsReleasedOnceAtTheEnd) {
  released().clear();
  {
    Session session{host_table()};
    session.registry().prefer({"org.example.p2"});
    Claimant<1>::load_into(session);
    Claimant<2>::load_into(session);
    EXPECT_EQ(released(), "");
  }
  EXPECT_EQ(released(), "21");
}

TEST(Preference, AnOperationThatIsBuiltInCannotBeRedefined) {
  Session session{host_table()};
  session.registry().prefer({"org.example.p2"});
  Claimant<1>::load_into(session, true);
  try {
    Claimant<2>::load_into(session);
    FAIL() << "loaded";
  } catch (const Failure& f) {
    EXPECT_THAT(f.message(),
                HasSubstr("operation org.example::Shared is registered by built-in plugin "
                          "org.example.p1 1.0.0 (p1.mo.so) and by plugin org.example.p2 1.0.0 "
                          "(p2.mo.so); expected one of them: what is built in cannot be redefined, "
                          "nor does --prefer help"));
    EXPECT_EQ(f.context_of("hint"), "keep one of the two, or load them in separate runs");
  }
  EXPECT_THAT(owners(session), ElementsAre("p1"));
}

TEST(Preference, LoadingPassesItOn) {
  Session session{host_table()};
  app::CarefulRequest request;
  request.named = {test::zoo("twin_a"), test::zoo("twin_b")};
  request.allow_writable_folders = true;
  request.prefer = {"org.example.zoo.twin-b"};
  std::vector<std::string> said;
  session.log_sink = [&](const LogLine& l) {
    if (l.level == MO_LOG_INFO) said.push_back(l.text);
  };
  const LoadReport report = app::load_carefully(session, request);
  EXPECT_EQ(session.registry().operation("Twin", "org.example.twins")->plugin->id, "org.example.zoo.twin-b");
  EXPECT_EQ(report.loaded.size(), 2U);
  EXPECT_THAT(said, testing::Contains(HasSubstr("is preferred, that of plugin org.example.zoo.twin-a")));
  // A plugin that yields everything has given something all the same.
  request.prefer = {"org.example.zoo.twin-a"};
  Session other{host_table()};
  EXPECT_EQ(load_carefully(other, request).loaded.size(), 2U);
}

// A built-in plugin that stands for "whatever nobody defines" of a set leaves the set open.
TEST(Preference, ASetWhoseRestIsBuiltInIsOpenToEverybody) {
  Session session{host_table()};
  const auto add = [&](const char* plugin, const char* op, bool built_in = false) {
    Plugin& p = session.plugins().emplace_back();
    p.id = plugin;
    p.version = "1.0.0";
    p.built_in = built_in;
    p.abi_minor = MO_ABI_MINOR;
    mo_operation_def d{};
    d.size = sizeof d;
    d.op = str(op);
    d.opset = str("extension");
    session.registry().add(d, p);
    return p.id;
  };
  add("org.host", "_", true);
  add("org.example.one", "Halve");
  add("org.example.two", "Double");
  const auto owner = [&](const char* op) {
    return session.registry().operation(op, "extension")->plugin->id;
  };
  EXPECT_EQ(owner("Halve"), "org.example.one");
  EXPECT_EQ(owner("Double"), "org.example.two");
  EXPECT_EQ(owner("Another"), "org.host");
  try {
    add("org.example.three", "Halve");
    FAIL() << "two define one type";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(),
                HasSubstr("operation extension::Halve is registered by plugin org.example.one 1.0.0 and by "
                          "plugin org.example.three 1.0.0; expected one of them"));
  }
}

TEST(Preference, OneNameOfAnOpsetLeavesTheRest) {
  Session session{host_table()};
  session.registry().prefer({"org.example.named"});
  const auto add = [&](const char* plugin, const char* op) {
    Plugin& p = session.plugins().emplace_back();
    p.id = plugin;
    p.abi_minor = MO_ABI_MINOR;
    mo_operation_def d{};
    d.size = sizeof d;
    d.op = str(op);
    d.opset = str("org.example");
    d.infer = [](void*, mo_context*, const mo_infer_args*) -> mo_status { return MO_OK; };
    session.registry().add(d, p);
  };
  add("org.example.any", "_");
  add("org.example.named", "One");
  EXPECT_EQ(session.registry().operation("One", "org.example")->plugin->id, "org.example.named");
  EXPECT_EQ(session.registry().operation("Other", "org.example")->plugin->id, "org.example.any");
}

}  // namespace

}  // namespace mo::core
