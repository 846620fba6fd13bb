// Manifests: what they say of a plugin, how they are read, and when they are refused.
#include "apps/known_plugins/manifest.hpp"
#include "core/host/host_tables.hpp"

#include <gmock/gmock.h>

#include "apps/known_plugins/digest.hpp"
#include "core/host/library.hpp"
#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

const Plugin& plugin_of(Session& session, const std::string& path) {
  if (const auto f = failure_of(session, path)) throw *f;
  return session.plugins().back();
}

std::string replaced(std::string s, const std::string& from, const std::string& to) {
  const size_t at = s.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? s : s.replace(at, from.size(), to);
}

Failure failure_of_json(const std::string& json) {
  try {
    (void)app::manifest_from_json("/x/a.mo.json", json);
  } catch (const Failure& f) {
    return f;
  }
  return {Exit::ok, "", "was read"};
}

TEST(Manifest, HasWhatThePluginRegisters) {
  Session session{host_table()};
  const app::Manifest m = app::manifest_of(session, plugin_of(session, test::zoo("toy")));
  EXPECT_EQ(m.file, "toy.mo.so");
  EXPECT_EQ(m.digest, app::loaded_digest(test::zoo("toy")));
  EXPECT_EQ(m.id, "org.example.toy");
  EXPECT_EQ(m.abi_major, uint32_t{MO_ABI_MAJOR});
  EXPECT_EQ(m.abi_minor, uint32_t{MO_ABI_MINOR});
  ASSERT_EQ(m.frontends.size(), 1U);
  EXPECT_EQ(m.frontends[0].name, "toy");
  EXPECT_THAT(m.frontends[0].aliases, ElementsAre("toys"));
  EXPECT_THAT(m.frontends[0].extensions, ElementsAre(".toy"));
  EXPECT_EQ(counts(m), "1 front-end, 9 operations, 14 extractors, 1 transformation, 2 options");
  EXPECT_TRUE(std::is_sorted(m.operations.begin(), m.operations.end()));
  EXPECT_NE(std::find(m.operations.begin(), m.operations.end(),
                      std::pair<std::string, std::string>("toy1", "Copy")),
            m.operations.end());
  const app::Manifest::Extractor old{"toy", "", "Old", 1, 3};
  EXPECT_NE(std::find(m.extractors.begin(), m.extractors.end(), old), m.extractors.end());
  ASSERT_EQ(m.transformations.size(), 1U);
  EXPECT_EQ(m.transformations[0].id, "toy.crash_front");
  EXPECT_EQ(m.transformations[0].phase, "front");
  EXPECT_FALSE(m.has_only_operations());
}

TEST(Manifest, OperationsAloneAreSaid) {
  Session session{host_table()};
  const app::Manifest m = app::manifest_of(session, plugin_of(session, test::zoo("twin_a")));
  EXPECT_THAT(m.operations, ElementsAre(Pair("org.example.twins", "Twin")));
  EXPECT_TRUE(m.has_only_operations());
}

TEST(Manifest, OfOnePluginAmongSeveral) {
  Session session{host_table()};
  (void)plugin_of(session, test::zoo("toy"));
  const app::Manifest m = app::manifest_of(session, plugin_of(session, test::zoo("twin_a")));
  EXPECT_THAT(m.extractors, IsEmpty());
  EXPECT_EQ(m.operations.size(), 1U);
}

TEST(Manifest, JsonComesBackAsItWas) {
  for (const char* stem : {"toy", "twin_a", "vendor_relu"}) {
    Session session{host_table()};
    const app::Manifest m = app::manifest_of(session, plugin_of(session, test::zoo(stem)));
    const std::string json = to_json(m);
    EXPECT_EQ(app::to_json(app::manifest_from_json("x", json)), json);
  }
  app::Manifest odd;
  odd.id = "quotes \" and \\ and \n and \xc3\xa4";
  odd.interfaces = {{"a", 4294967295U}};
  odd.extractors = {{"", "", "X", -5, 2147483647}};
  EXPECT_EQ(app::manifest_from_json("x", to_json(odd)).id, odd.id);
  EXPECT_EQ(app::manifest_from_json("x", to_json(odd)).interfaces, odd.interfaces);
  EXPECT_EQ(app::manifest_from_json("x", to_json(odd)).extractors, odd.extractors);
}

TEST(Manifest, FormIsChecked) {
  Session session{host_table()};
  const std::string good = app::to_json(app::manifest_of(session, plugin_of(session, test::zoo("toy"))));
  const std::tuple<std::string, std::string, std::string> rows[] = {
      {"\"mo_manifest\": 1", "\"mo_manifest\": 2", "mo_manifest is 2; expected 1"},
      {"\"mo_manifest\": 1", "\"mo_manifest\": 99999999999",
       "mo_manifest is not a number of the expected range"},
      {"\"mo_manifest\": 1", "\"mo_manifest\": 1.0", "mo_manifest is not a number"},
      {"\"id\": \"org.example.toy\"", "\"id\": 7", "id is not a string"},
      {"\"id\": \"org.example.toy\",", "", "id is missing"},
      {"\"major\"", "\"mayor\"", "abi.major is missing"},
      {"\"abi\": {", "\"abi\": 5, \"b\": {", "abi is not an object"},
      {"\"operations\": [", "\"operations\": 5, \"b\": [", "operations is not a list"},
      {"\"operations\": [", "\"operations\": [ 5, ", "operations[0] is not an object"},
      {"\"options\": [", "\"options\": [ {}, ", "options[0] is not a string"},
      {"\"since\": 1", "\"since\": 3000000000", "since is not a number of the expected range"},
      {"\"options\": [", "\"options\": [ [[[[[[[[[[[[1]]]]]]]]]]]], ", "nested deeper"},
      {"{", "[", "is not JSON"},
  };
  for (const auto& [from, to, message] : rows) {
    const Failure f = failure_of_json(replaced(good, from, to));
    EXPECT_EQ(f.code(), "MOX-124") << message;
    EXPECT_THAT(f.message(), HasSubstr(message));
    EXPECT_EQ(f.context_of("manifest"), "/x/a.mo.json");
  }
  EXPECT_EQ(failure_of_json("").code(), "MOX-124");
  EXPECT_EQ(failure_of_json("\xff").code(), "MOX-124");
  EXPECT_EQ(failure_of_json(std::string(200000, '[')).code(), "MOX-124");
  for (size_t n = 0; n < good.size() - 2; n += 13)
    EXPECT_EQ(failure_of_json(good.substr(0, n)).code(), "MOX-124") << n;
}

TEST(Manifest, LiesBesideThePlugin) {
  EXPECT_EQ(app::manifest_path("/a/b.mo.so"), "/a/b.mo.json");
  EXPECT_EQ(app::manifest_path("/a/b.so"), "/a/b.json");
  EXPECT_EQ(app::manifest_path("/a/b"), "");
  const ZooFolder folder;
  const std::string path = folder.add_zoo("twin_a", "a.mo.so").string();
  EXPECT_FALSE(app::read_manifest(path).has_value());
  EXPECT_NO_THROW(app::check_manifest(path));
}

std::string code_of_check(const std::string& path) {
  Session session{host_table()};
  const auto f = failure_of(session, path);
  return f ? f->code() + " " + f->message() : "";
}

// Through the loader, which is who has to ask.
TEST(Manifest, OfAnotherFileIsRefused) {
  const ZooFolder folder;
  const std::string path = folder.add_zoo("twin_a", "a.mo.so").string();
  Session session{host_table()}, other{host_table()};
  folder.add_text(app::to_json(app::manifest_of(session, plugin_of(session, path))), "a.mo.json");
  EXPECT_EQ(code_of_check(path), "");
  folder.add_text(app::to_json(app::manifest_of(other, plugin_of(other, test::zoo("twin_b")))), "a.mo.json");
  EXPECT_THAT(code_of_check(path), HasSubstr("MOX-120 the manifest is of another file: its digest is " +
                                             app::loaded_digest(test::zoo("twin_b")) +
                                             ", that of the library " + app::loaded_digest(path)));
  folder.add_text("{}", "a.mo.json");
  EXPECT_THAT(code_of_check(path), HasSubstr("MOX-124"));
}

TEST(Manifest, DiffersFromThePlugin) {
  const ZooFolder folder;
  const std::string path = folder.add_zoo("toy", "a.mo.so").string();
  Session session{host_table()};
  const std::string good = app::to_json(app::manifest_of(session, plugin_of(session, path)));
  const std::tuple<std::string, std::string, std::string> rows[] = {
      {"\"id\": \"org.example.toy\"", "\"id\": \"org.example.boy\"",
       "id is 'org.example.boy'; the plugin's is 'org.example.toy'"},
      {"\"minor\": 0", "\"minor\": 1", "abi is 1.1; the plugin's is 1.0"},
      {"\"name\": \"Copy\"", "\"name\": \"Paste\"",
       "it lists operation 'toy1::Paste', which the plugin does not register"},
      {"\"toy.crash_front\"", "\"toy.crash_back\"",
       "it lists transformation 'toy.crash_back' of phase front"},
      {"\"toys\"", "\"boys\"", "it lists front-end 'toy'"},
      {"\"converters\": [", "\"converters\": [ \"x\"", "it lists converter 'x'"},
      {"\"options\": [", "\"options\": [], \"b\": [", "the plugin registers option '"},
      {"\"interfaces\": [", "\"interfaces\": [ {\"name\": \"i\", \"revision\": 2}",
       "it lists interface 'i' revision 2"},
      {"\"since\": 1", "\"since\": 2", "it lists extractor '"},
  };
  for (const auto& [from, to, message] : rows) {
    folder.add_text(replaced(good, from, to), "a.mo.json");
    EXPECT_THAT(code_of_check(path), testing::AllOf(HasSubstr("MOX-125"), HasSubstr(message)));
  }
  // A registration twice in the list.
  const std::string row = "{\n   \"opset\": \"toy1\",\n   \"name\": \"Copy\"\n  },";
  folder.add_text(replaced(good, row, row + row), "a.mo.json");
  EXPECT_THAT(code_of_check(path), HasSubstr("MOX-125"));
}

}  // namespace

}  // namespace mo::core
