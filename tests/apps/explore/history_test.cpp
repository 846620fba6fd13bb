// What differs from one look at a graph to the next.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/explore/history.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using json = nlohmann::json;

class History : public ::testing::Test {
 protected:
  History() {
    graph_ = lab_.graph(
        "%x = Parameter -> f32[1,3]\n %c = Const -> f32[2] {1,2}\n %a = A (%x) {k=7} -> f32[1,3] "
        "names(\"t\")\n"
        " %b = B (%a, %c)\n Result \"r\" (%b)");
  }
  static json parsed(const std::string& difference) {
    return difference.empty() ? json() : json::parse("{" + difference + "}");
  }
  json look() { return parsed(history_.look(*graph_)); }
  std::string op(const json& node) { return history_.texts().all().at(node["o"]); }
  std::vector<std::string> names(const json& difference) {
    std::vector<std::string> list;
    for (const json& n : difference["nodes"]) list.push_back(n.value("n", "#" + n["k"].dump()));
    return list;
  }
  // Edits as a transformation's, and what two histories make of them: one that is told of the edits, one that
  // looks at everything.
  json after(const std::function<void(core::Graph&)>& edit) {
    core::Journal journal;
    graph_->set_journal(&journal);
    edit(*graph_);
    const json told = parsed(history_.look(*graph_, journal.edits()));
    graph_->set_journal(nullptr);
    journal.clear();
    EXPECT_EQ(history_.look(*graph_), "") << "the edits did not tell everything";
    return told;
  }

  Lab lab_;
  core::GraphPtr graph_;
  app::GraphHistory history_;
};

TEST_F(History, BeginsWithAllThereIs) {
  const json first = look();
  EXPECT_THAT(names(first), ElementsAre("x", "c", "a", "b", "r"));
  EXPECT_THAT(first["gone"], IsEmpty());
  const json& a = first["nodes"][2];
  EXPECT_EQ(op(a), "A");
  EXPECT_EQ(a["i"], json::parse("[[0,0]]"));
  EXPECT_EQ(a["a"], json::parse(R"({"k":"7"})"));
  EXPECT_EQ(history_.texts().all().at(a["t"][0][0]), "f32[1,3]");
  EXPECT_EQ(a["t"][0][1], json::parse(R"(["t"])"));
  EXPECT_EQ(first["nodes"][1]["t"][0][2], "{1,2}") << "the value of a small constant";
  EXPECT_EQ(look(), json()) << "nothing has changed";
}

TEST_F(History, TellsOnlyThePartsThatDiffer) {
  look();
  const json d = after([](core::Graph& g) { g.set_attribute(g.find("a"), "k", int64_t{8}); });
  EXPECT_EQ(d, json::parse(R"({"nodes":[{"k":2,"a":{"k":"8"}}],"gone":[]})"));
  EXPECT_EQ(after([](core::Graph& g) { g.set_attribute(g.find("a"), "k", {}); }),
            json::parse(R"({"nodes":[{"k":2,"a":0}],"gone":[]})"));
}

TEST_F(History, TellsOfNodesThatCameAndWent) {
  look();
  const json d = after([](core::Graph& g) {
    const core::NodeId n = g.add_node("N", "", "new", 1, 1), a = g.find("a"), b = g.find("b");
    g.disconnect_input({b, 0});
    g.connect({g.find("x"), 0}, {n, 0});
    g.connect({n, 0}, {b, 0});
    g.remove_node(a);
  });
  EXPECT_THAT(names(d), ElementsAre("#3", "new"));
  EXPECT_EQ(d["gone"], json::parse("[2]"));
  EXPECT_EQ(d["nodes"][0]["i"][0][0], d["nodes"][1]["k"]);
}

TEST_F(History, TellsOfBodies) {
  look();
  const json came = after([&](core::Graph& g) {
    const core::GraphPtr body = lab_.session.create_graph("inner");
    body->add_node("Inner", "", "deep", 0, 1);
    g.set_attribute(g.find("b"), "body", body);
  });
  EXPECT_THAT(names(came), ElementsAre("#3", "deep"));
  EXPECT_EQ(came["nodes"][0]["b"][0][2], "inner");
  EXPECT_EQ(came["nodes"][1]["g"], came["nodes"][0]["b"][0][1]);
  const json inside = after([](core::Graph& g) {
    core::Graph& body = *g.bodies(g.find("b")).front();
    body.rename(body.find("deep"), "deeper");
  });
  EXPECT_THAT(names(inside), ElementsAre("deeper"));
  const json went = after([](core::Graph& g) { g.set_attribute(g.find("b"), "body", {}); });
  EXPECT_EQ(went["gone"].size(), 1U);
}

TEST_F(History, LongAndOddTextsAreJson) {
  look();
  const json d = after([](core::Graph& g) {
    g.set_attribute(g.find("a"), "s", std::string("\xff \"quoted\" \n"));
    g.set_attribute(g.find("a"), "l", std::vector<int64_t>(5000, 1));
  });
  EXPECT_LT(d["nodes"][0]["a"]["l"].get<std::string>().size(), 700U);
  EXPECT_THAT(d["nodes"][0]["a"]["s"].get<std::string>(), ::testing::HasSubstr("quoted"));
}

}  // namespace
}  // namespace mo::test
