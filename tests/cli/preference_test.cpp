// Two plugins claim one thing: what the user is told, and what decides.
#include "program.hpp"

namespace mo::test {
namespace {

const std::string twins = zoo("twin_a") + "," + zoo("twin_b");
const std::string a = "org.example.zoo.twin-a", b = "org.example.zoo.twin-b";

Outcome list_operations(std::vector<std::string> more, std::vector<std::string> environment = {}) {
  std::vector<std::string> words{"list", "ops", "--extensions", twins};
  words.insert(words.end(), more.begin(), more.end());
  ProgramOptions options;
  options.environment = std::move(environment);
  return run(words, options);
}

bool offers(const Outcome& o, const std::string& plugin) { return o.out.find(plugin) != std::string::npos; }

TEST(Prefer, TheErrorEndsWithWhatDecides) {
  const Outcome o = list_operations({});
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("error MOX-110: operation org.example.twins::Twin is registered by plugin " + a),
            std::string::npos)
      << o.err;
  EXPECT_NE(o.err.find("  hint    --prefer " + a + " or --prefer " + b + " decides whose is used\n"),
            std::string::npos)
      << o.err;
}

TEST(Prefer, ThePluginThatIsNamedFirstHasIt) {
  for (const auto& [prefer, winner, loser] :
       {std::tuple(a, a, b), std::tuple(b, b, a), std::tuple(b + "," + a, b, a)}) {
    const Outcome o = list_operations({"--prefer", prefer, "--log_level", "INFO"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_TRUE(offers(o, winner));
    EXPECT_FALSE(offers(o, loser));
    EXPECT_NE(o.err.find("operation org.example.twins::Twin: plugin " + winner), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("is withdrawn"), std::string::npos) << o.err;
  }
}

TEST(Prefer, AnIdThatNamesNoPluginIsAnError) {
  const Outcome o =
      run({"list", "ops", "--extensions", zoo("twin_a"), "--prefer", "org.example.zoo.twinn-a"});
  EXPECT_EQ(o.code, 2);
  EXPECT_EQ(o.err,
            "error MO0121: --prefer: no plugin 'org.example.zoo.twinn-a' is loaded\n"
            "  hint    did you mean 'org.example.zoo.twin-a'?\n");
}

TEST(Prefer, TheEnvironmentStandsInForTheOption) {
  Outcome o = list_operations({}, {"MO_PREFER=" + b});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(offers(o, b));
  o = list_operations({"--prefer", a}, {"MO_PREFER=" + b});
  EXPECT_TRUE(offers(o, a));
  // It is there for every run, so it may name plugins that this one does not have.
  ProgramOptions options;
  options.environment = {"MO_PREFER=com.example.none"};
  o = run({"list", "ops"}, options);
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "warning: MO_PREFER: no plugin 'com.example.none' is loaded\n");
}

// A plugin that only lies in a searched folder does not stop conversions; one that is named does.
TEST(Disorder, ASearchedPluginIsLeftOutAndANamedOneIsAnError) {
  const Folder folder;
  write_text(folder / "a.toy", "toy 1\ninput x f32 1,3\nnode Copy c x -> y\noutput y\n");
  const std::string plugin = zoo("rule_208_unknown_order");
  fs::create_directories(folder / "extensions");
  write_text(folder / "extensions/disorder.mo.so", read_text(plugin));
  ProgramOptions options;
  options.environment = {"MO_EXTENSIONS_PATH=" + (folder / "extensions")};
  const Outcome searched =
      run({"--input_model", folder / "a.toy", "--extensions", toy, "-o", folder / "out"}, options);
  EXPECT_EQ(searched.code, 0) << searched.err;
  EXPECT_NE(searched.err.find("a plugin is left out"), std::string::npos) << searched.err;
  EXPECT_NE(searched.err.find("(plugin org.example.zoo.rule-208) has run_after 'zoo.no_such_pass'"),
            std::string::npos)
      << searched.err;
  const Outcome named =
      run({"--input_model", folder / "a.toy", "--extensions", toy + "," + plugin, "-o", folder / "out"});
  EXPECT_EQ(named.code, 3);
  EXPECT_NE(named.err.find("(plugin org.example.zoo.rule-208) has run_after 'zoo.no_such_pass'"),
            std::string::npos)
      << named.err;
}

}  // namespace
}  // namespace mo::test
