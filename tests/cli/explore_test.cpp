// The page of `mo-host explore` and of --explore: what is in its data. tests/browser uses the page itself.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace mo::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using json = nlohmann::json;

class Explore : public ::testing::Test {
 protected:
  Explore() { write_text(folder / "a.toy", small_model); }
  Outcome explore(std::vector<std::string> more = {}) {
    std::vector<std::string> words{"explore",         folder / "a.toy", "--output_file",
                                   folder / "a.html", "--extensions",   toy + "," + zoo("steps")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  json data(const std::string& file = "a.html") const {
    const std::string page = read_text(folder / file),
                      begin = R"(<script type="application/json" id="data">)";
    const size_t at = page.find(begin) + begin.size();
    return json::parse(page.substr(at, page.find("</script>", at) - at));
  }
  // Those that did nothing are told in short, with numbers of texts.
  static json entry(const json& data, const std::string& id) {
    for (const json& t : data["pipeline"]) {
      if (t.is_object() && t["id"] == id) return t;
      if (!t.is_array() || t[0] != id) continue;
      const json why = data["texts"][t[3].get<size_t>()];
      return t.size() > 4 ? json{{"idle", why}} : json{{"notRun", why}};
    }
    return {};
  }
  static std::vector<std::string> labels(const json& data) {
    std::vector<std::string> list;
    for (const json& s : data["steps"]) list.push_back(s["label"]);
    return list;
  }
  Folder folder;
};

TEST_F(Explore, TellsWhatEachTransformationDid) {
  const Outcome o = explore();
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.out, "written " + folder / "a.html" + ": open it in a browser\n");
  EXPECT_THAT(folder.names(), Not(Contains("a.xml")));
  const json d = data();
  EXPECT_EQ(d["about"]["framework"], "toy");
  EXPECT_THAT(labels(d), ::testing::ElementsAre("read", "extract", "steps.twice", "steps.tag", "infer"));
  EXPECT_EQ(d["steps"][2]["members"].size(), 1U);
  EXPECT_EQ(d["pipeline"][d["steps"][2]["members"][0].get<size_t>()]["id"], "steps.twice");
  EXPECT_EQ(d["steps"][2]["gone"].size(), 1U) << "the copy that became two";
  const json twice = entry(d, "steps.twice");
  EXPECT_EQ(twice["matches"], 1);
  EXPECT_EQ(twice["doc"], "copies twice");
  EXPECT_EQ(entry(d, "steps.looks")["idle"], "it looked at the graph and edited nothing");
  EXPECT_EQ(entry(d, "steps.never")["idle"], "did not run: its condition does not hold for this model");
  EXPECT_EQ(entry(d, "steps.off")["notRun"], "off unless switched on");
  EXPECT_EQ(d["sources"].size(), 2U) << "nodes that the front-end made";
  std::vector<std::string> phases;
  for (const json& p : d["about"]["phases"]) phases.push_back(p["name"]);
  EXPECT_THAT(phases, ::testing::ElementsAre("start", "load", "extract", "front", "infer", "middle", "back"));
}

TEST_F(Explore, HasTheReasonsOfDeclines) {
  write_text(folder / "a.toy", small_model + "node Copy other s -> z\noutput z\n");
  ASSERT_EQ(explore().code, 0);
  EXPECT_EQ(entry(data(), "steps.twice")["declines"],
            json::parse(R"j([["'other' (Copy)","it is not called copy"]])j"));
}

TEST_F(Explore, StandsBesideAConversion) {
  const Outcome o = run(
      {"-m", folder / "a.toy", "-o", folder / "", "--extensions", toy, "--explore", folder / "page.html"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(folder.names(), Contains("a.xml"));
  EXPECT_THAT(o.out, HasSubstr("  page       " + folder / "page.html"));
  const json d = data("page.html");
  EXPECT_EQ(d["about"]["files"].size(), 2U);
  EXPECT_EQ(d["about"]["phases"].back()["name"], "emit");
}

TEST_F(Explore, ShowsWhatCouldNotBeConverted) {
  write_text(folder / "a.toy", "toy 1\ninput x f32 1\nnode Unknown u x -> a\noutput a\n");
  const Outcome o = explore();
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.err, HasSubstr("page    " + folder / "a.html"));
  const json d = data();
  EXPECT_EQ(d["about"]["failure"]["code"], "MO0401");
  EXPECT_FALSE(d["steps"].empty());
  write_text(folder / "a.toy", "no model");
  EXPECT_EQ(explore().code, 1);
  EXPECT_TRUE(data()["steps"].empty());
}

TEST_F(Explore, ComparesNumbers) {
  ASSERT_EQ(explore({"--verify"}).code, 0);
  const json numbers = data()["numbers"];
  EXPECT_EQ(numbers["equal"], true);
  EXPECT_EQ(numbers["outputs"].size(), 1U);
  EXPECT_TRUE(entry(data(), "steps.twice").contains("ms"));
}

TEST_F(Explore, MarksWhatComputesSomethingElse) {
  write_text(folder / "a.toy", "toy 1\ninput x f32 1,3\nnode Double d x -> y\noutput y\n");
  ProgramOptions options;
  options.environment = {"MO_TOY_WRONG=1"};
  const Outcome o = run({"explore", folder / "a.toy", "--output_file", folder / "a.html", "--verify",
                         "--extensions", toy + "," + zoo("numbers")},
                        options);
  EXPECT_EQ(o.code, 1);
  EXPECT_THAT(o.err, HasSubstr("MO0508: the result does not compute what the source computes"));
  const json numbers = data()["numbers"];
  EXPECT_EQ(numbers["equal"], false);
  EXPECT_EQ(numbers["first"], "numbers.wrong");
  ASSERT_FALSE(numbers["layers"].empty());
  EXPECT_EQ(numbers["layers"].back()["good"], false) << numbers.dump();
}

TEST_F(Explore, NamesCannotEndTheScript) {
  write_text(folder / "a.toy", "toy 1\ninput x f32 1\nnode Copy </script><b> x -> y\noutput y\n");
  ASSERT_EQ(explore().code, 0);
  EXPECT_THAT(data()["steps"].dump(), HasSubstr("</script><b>"));
  EXPECT_THAT(read_text(folder / "a.html"), Not(HasSubstr("</script><b>")));
}

// The browser's test sees that the page works all the same.
TEST_F(Explore, NothingElseMayRunInThePage) {
  ASSERT_EQ(explore().code, 0);
  const std::string page = read_text(folder / "a.html"), begin = "Content-Security-Policy\" content=\"";
  const size_t at = page.find(begin) + begin.size();
  const std::string policy = page.substr(at, page.find('"', at) - at);
  EXPECT_THAT(policy, ::testing::StartsWith("default-src 'none';"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  const auto count = [](const std::string& text, const std::string& part) {
    size_t n = 0;
    for (size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count(policy, "'sha256-"), count(page, "<script>\n") + count(page, "<style>\n")) << policy;
  EXPECT_LT(page.size(), 600000U);
}

TEST_F(Explore, IsCalledLikeTheModel) {
  ProgramOptions options;
  options.folder = folder / "";
  ASSERT_EQ(run({"explore", "a.toy", "--extensions", toy, "--silent"}, options).code, 0);
  EXPECT_THAT(folder.names(), Contains("a.html"));
}

}  // namespace
}  // namespace mo::test
