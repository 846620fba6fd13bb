// mo/matcher.hpp: what the SDK finds by walking is what the host finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Each match as "root: alias=node:port …", found by the host and by the SDK.
struct Found {
  std::vector<std::string> by_host, by_hand;
};

std::string describe(const Match& m, const std::vector<Pattern>& asked) {
  std::string s = m.root().name() + ":";
  for (const Pattern& p : asked) {
    if (!m.has(p)) {
      append_text(s, " -");
      continue;
    }
    append_text(s, text(" ", p->alias(), "=", m.port(p).node().name(), ":", m.port(p).index()));
  }
  append_text(s, " (");
  std::vector<std::string> names;
  for (const Node& n : m.nodes()) names.push_back(n.name());
  std::sort(names.begin(), names.end());
  for (const auto& n : names) append_text(s, text(n, " "));
  append_text(s, ")");
  return s;
}

Found find(std::string_view graph, const Pattern& root, const std::vector<Pattern>& asked) {
  Found f;
  Lab lab;
  lab.plugin("com.acme", [&](Registry& r) {
    r.transformation<OnTree>("t.tree", root,
                             [&](OnTree&, Graph, Match& m) { f.by_host.push_back(describe(m, asked)); });
    r.transformation<OnGraph>("t.hand", [&](Graph g) {
      Matcher matcher(root);
      for (const Node& n : g.nodes())
        if (matcher.match(n)) f.by_hand.push_back(describe(matcher.state(), asked));
    });
  });
  const auto g = lab.graph(graph);
  lab.run(*g, "t.tree");
  lab.run(*g, "t.hand");
  std::sort(f.by_host.begin(), f.by_host.end());
  std::sort(f.by_hand.begin(), f.by_hand.end());
  return f;
}

constexpr std::string_view net = R"(
  %x = Parameter
  %c = Const@opset1 -> f32[] {2}
  %s = Split@opset1 (%x) {n=2} -> (_, _)
  %a = Add@opset1 (%c, %s:1) {k=[1,2], mode="m"}
  %b = Mul@opset8 (%a, %a)
  %d = Cat@opset1 (%a, %b, %x) {axis=1}
  %e = Cat@opset1 (%b) {axis=-1}
  %f = Relu@opset1 (%b)
  Result "r" (%d)
  Result "r2" (%e)
  Result "r3" (%f)
)";

TEST(Matcher, FindsWhatTheHostFinds) {
  const auto x = any_input()->named("x"), y = any_input()->named("y");
  const auto c = constant()->named("c");
  const auto add = wrap_type({"Add"}, {x, c})->commutative()->named("add");
  const auto either =
      any_of({wrap_type({"Relu"}, {x})->named("relu"), wrap_type({"Mul"}, {x, x})->named("mul")});
  const auto maybe = optional({"Relu"}, y)->named("maybe");
  const std::vector<std::pair<Pattern, std::vector<Pattern>>> patterns{
      {add, {x, c}},
      {wrap_type({"Mul"}, {x, x})->named("m"), {x}},
      {wrap_type({"opset1::Mul"}, {x, x})->named("m"), {x}},
      {wrap_type({"Cat"})->named("cat"), {}},
      {wrap_type({"Cat"}, {x})->named("cat"), {x}},
      {wrap_type({"Cat"}, {x})->variadic()->named("cat"), {x}},
      {wrap_type({"Cat"})->with("axis", -1)->named("cat"), {}},
      {wrap_type({"Cat"})->where<int64_t>("axis", [](const int64_t& a) { return a >= 0; })->named("cat"), {}},
      {wrap_type({"Add"})->with("k", std::vector<int64_t>{1, 2})->with("mode", "m")->named("a"), {}},
      {wrap_type({"Add"})->with("k", std::vector<double>{1, 2})->named("a"), {}},
      {wrap_type({"Add"})->with("k", 1)->named("a"), {}},
      {wrap_type({"Add"})->with("absent", 1)->named("a"), {}},
      {wrap_type({})->with("name", "f")->named("any"), {}},
      {either->named("either"), {x}},
      {wrap_type({"Result"}, {maybe})->named("r"), {maybe, y}},
      {wrap_type({"Mul"}, {x, x})->one_consumer()->named("m"), {}},
      {wrap_type({"Result"}, {wrap_type({}, {x})->one_consumer()->named("inner")})->named("r"), {x}},
      {any_input([](const OutPort& p) { return p.node().op() == "Split"; })->named("split"), {}},
  };
  size_t matches = 0;
  for (const auto& [root, asked] : patterns) {
    const Found f = find(net, root, asked);
    EXPECT_EQ(f.by_hand, f.by_host) << root->alias();
    matches += f.by_hand.size();
  }
  EXPECT_GT(matches, 12U);

  PatternNode::Input from_one = wrap_type({"Split"})->named("s")->output(1);
  EXPECT_EQ(from_one.out_port, 1);
}

// Random trees over random graphs: a choice made early has to be given up when it leads nowhere.
TEST(Matcher, FindsWhatTheHostFindsInRandomGraphs) {
  std::mt19937 random(20261121);
  const auto below = [&](size_t n) { return random() % n; };
  const std::vector<std::string> ops{"A", "B", "C"};
  size_t matches = 0;
  for (int round = 0; round < 60; ++round) {
    std::string graph = "%0 = Parameter \"n0\"\n%1 = Parameter \"n1\"\n";
    for (size_t i = 2; i < 14; ++i)
      append_text(graph, text("%", i, " = ", ops[below(3)], " \"n", i, "\" (%", below(i),
                              below(3) == 0 ? ")" : text(", %", below(i), ")"), "\n"));
    append_text(graph, "Result \"r\" (%13)\n");
    std::vector<Pattern> leaves{any_input()->named("l0"), any_input()->named("l1")};
    std::vector<Pattern> made = leaves;
    for (size_t i = 0; i < 4; ++i) {
      const Pattern p = made[below(made.size())], q = made[below(made.size())];
      const std::string name = text("p", i);
      switch (below(5)) {
        case 0:
          made.push_back(wrap_type({ops[below(3)]}, {p})->named(name));
          break;
        case 1: {
          const size_t op = below(3);
          made.push_back(wrap_type({ops[op], ops[(op + 1) % 3]}, {p, q})->commutative()->named(name));
          break;
        }
        case 2:
          made.push_back(optional({ops[below(3)]}, p)->named(name));
          break;
        case 3:
          made.push_back(any_of({p, q})->named(name));
          break;
        default:
          made.push_back(wrap_type({ops[below(3)]}, {p, q})->named(name));
      }
    }
    const Pattern root =
        wrap_type({ops[below(3)]}, {made.back(), made[below(made.size())]})->commutative()->named("root");
    const Found f = find(graph, root, {root});
    EXPECT_EQ(f.by_hand, f.by_host) << graph;
    matches += f.by_hand.size();
  }
  EXPECT_GT(matches, 20U);
}

TEST(Matcher, KeepsAndForgetsItsState) {
  Lab lab;
  lab.plugin("com.acme", [](Registry& r) {
    r.transformation<OnGraph>("t.t", [](Graph g) {
      const auto x = any_input();
      Matcher m(wrap_type({"Relu"}, {x}));
      EXPECT_THAT(test::failure_of([&] {
                    try {
                      m.state();
                    } catch (const Error& e) {
                      throw core::Failure(core::Exit::plugin, "MO0000", e.what());
                    }
                  }),
                  HasSubstr("nothing has been matched"));
      ASSERT_TRUE(m.match(*g.find("f")));
      EXPECT_EQ(m.state().port(x).node().name(), "b");
      EXPECT_EQ(m.state().graph().id(), g.id());
      EXPECT_FALSE(m.match(*g.find("b")));
      EXPECT_THROW(m.state(), Error);
      ASSERT_TRUE(m.match(*g.find("f")));
      m.clear_state();
      EXPECT_THROW(m.state(), Error);
      EXPECT_THROW(Matcher(nullptr), Error);
    });
  });
  const auto g = lab.graph(net);
  lab.run(*g, "t.t");
}

}  // namespace
}  // namespace mo::test
