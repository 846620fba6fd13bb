// Trees of MATCHERs: where they match, and what they bind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/match/match.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct WithDefault {
  static constexpr std::string_view type = "WithDefault", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1).attr("mode", "plain").attr("scale", 2.0); }
  static void infer(InferContext&) {}
};

struct Commutes {
  static void schema(OpSchema& s) { s.inputs(2).commutative(); }
};

class TreeTest : public ::testing::Test {
 protected:
  TreeTest() {
    lab_.plugin("com.test.commutes", [](Registry& r) {
      r.operation<Commutes>("Add", "opset1");
      r.operation<Commutes>("Multiply", "opset1");
    });
  }
  // Names of the nodes at which the tree matches.
  std::vector<std::string> roots(const Pattern& root, std::string_view text) {
    const std::string id = mo::text("t.n", ++count_);
    lab_.plugin(mo::text("com.test.n", count_),
                [&](Registry& r) { r.transformation<OnTree>(id, root, nullptr); });
    graph_ = lab_.graph(text);
    std::vector<std::string> names;
    for (core::NodeId n : graph_->nodes())
      if (auto m = core::match_tree(lab_.session, *graph_, lab_[id], n)) {
        names.emplace_back(graph_->name(n));
        last_ = std::move(m);
      }
    return names;
  }
  // What a pattern node of the last match is bound to: "name:port", or "-".
  std::string bound(std::string_view alias) const {
    const auto& nodes = last_->transformation->nodes;
    for (size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].alias == alias)
        return last_->present(i) ? text(graph_->name(last_->bound[i].node), ":", last_->bound[i].port) : "-";
    return "?";
  }

  Lab lab_;
  core::GraphPtr graph_;
  std::optional<core::Match> last_;
  int count_ = 0;
};

constexpr std::string_view swish = R"(
  %x = Parameter
  %s = Sigmoid@opset1 (%x)
  %m = Multiply@opset1 (%s, %x)
  %y = Parameter
  %t = Sigmoid@opset1 (%x)
  %w = Multiply@opset1 (%y, %t)
  Result (%m)
  Result (%w)
)";

TEST_F(TreeTest, TypesWithAndWithoutOpset) {
  EXPECT_THAT(roots(wrap_type({"Sigmoid"}), swish), ElementsAre("s", "t"));
  EXPECT_THAT(roots(wrap_type({"opset1::Sigmoid"}), swish), ElementsAre("s", "t"));
  EXPECT_THAT(roots(wrap_type({"opset4::Sigmoid"}), swish), IsEmpty());
  EXPECT_THAT(roots(wrap_type({"::Sigmoid"}), swish), IsEmpty());
  EXPECT_THAT(roots(wrap_type({"::Parameter"}), swish), ElementsAre("x", "y"));
  EXPECT_THAT(roots(wrap_type({"Add", "Multiply"}), swish), ElementsAre("m", "w"));
  EXPECT_THAT(roots(wrap_type({}), swish).size(), 8U);
}

TEST_F(TreeTest, AnOpWhoseNameHasColons) {
  const std::string_view g = R"(%x = Parameter
    %a = "aten::add" (%x)
    %b = "add"@aten (%x))";
  EXPECT_THAT(roots(wrap_type({"::aten::add"}), g), ElementsAre("a"));
  EXPECT_THAT(roots(wrap_type({"aten::add"}), g), ElementsAre("a", "b"));
}

TEST_F(TreeTest, TheSamePatternNodeTwiceIsTheSamePort) {
  const auto x = any_input();
  const auto sigmoid = wrap_type({"Sigmoid"}, {x});
  EXPECT_THAT(roots(wrap_type({"Multiply"}, {sigmoid, x}), swish), ElementsAre("m"));
  EXPECT_THAT(roots(wrap_type({"Multiply"}, {x, sigmoid})->in_order(), swish), IsEmpty());
}

TEST_F(TreeTest, CommutativeInputs) {
  const auto sigmoid = wrap_type({"Sigmoid"})->named("s");
  EXPECT_THAT(roots(wrap_type({"Multiply"}, {any_input(), sigmoid})->in_order(), swish), ElementsAre("w"));
  EXPECT_THAT(roots(wrap_type({"Multiply"}, {any_input()->named("other"), sigmoid}), swish),
              ElementsAre("m", "w"));
  EXPECT_EQ(bound("s"), "t:0");
  EXPECT_EQ(bound("other"), "y:0");
}

// The first order fits the inner node on its own and not the outer one.
TEST_F(TreeTest, BacktracksThroughEarlierChoices) {
  const auto a = any_input()->named("a"), b = any_input()->named("b");
  const auto inner = wrap_type({"Add"}, {a, b})->commutative();
  EXPECT_THAT(roots(wrap_type({"Multiply"}, {inner, b}), R"(
    %p = Parameter
    %q = Parameter
    %i = Add (%p, %q)
    %m = Multiply (%i, %p)
  )"),
              ElementsAre("m"));
  EXPECT_EQ(bound("a"), "q:0");
  EXPECT_EQ(bound("b"), "p:0");
}

TEST_F(TreeTest, AlternativesAreTriedInOrder) {
  const auto relu = wrap_type({"Relu"}, {any_input()})->named("relu");
  const auto anything = any_input()->named("any");
  const auto either = any_of({relu, anything})->named("either");
  EXPECT_THAT(roots(wrap_type({"Result"}, {either}), "%x = Parameter\n %r = Relu (%x)\n Result \"o\" (%r)"),
              ElementsAre("o"));
  EXPECT_EQ(bound("relu"), "r:0");
  EXPECT_EQ(bound("any"), "-");
  EXPECT_EQ(bound("either"), "r:0");
}

TEST_F(TreeTest, OptionalNodes) {
  const auto x = any_input()->named("x");
  const auto bias = optional({"Add"}, x)->named("bias")->variadic();
  const auto root = wrap_type({"Relu"}, {bias});
  EXPECT_THAT(roots(root, "%p = Parameter\n %c = Const -> f32[] {1}\n %a = Add (%p, %c)\n %r = Relu (%a)"),
              ElementsAre("r"));
  EXPECT_EQ(bound("bias"), "a:0");
  EXPECT_EQ(bound("x"), "p:0");
  EXPECT_THAT(roots(root, "%p = Parameter\n %r = Relu (%p)"), ElementsAre("r"));
  EXPECT_EQ(bound("bias"), "-");
  EXPECT_EQ(bound("x"), "p:0");
}

TEST_F(TreeTest, NumberOfInputs) {
  const std::string_view g = R"(
    %x = Parameter
    %a = Concat (%x)
    %b = Concat (%x, %x)
    %c = Concat (%x, %x, _)
    %d = Concat (%x, _, %x)
    %e = Concat (%x, %x, %x)
  )";
  EXPECT_THAT(roots(wrap_type({"Concat"}, {any_input(), any_input()}), g), ElementsAre("b", "c"));
  EXPECT_THAT(roots(wrap_type({"Concat"}, {any_input(), any_input()})->variadic(), g),
              ElementsAre("b", "c", "e"));
  EXPECT_THAT(roots(wrap_type({"Concat"}), g), ElementsAre("a", "b", "c", "d", "e"));
}

TEST_F(TreeTest, OutPorts) {
  const auto split = wrap_type({"Split"});
  SubgraphPattern unused;
  const std::string_view g = R"(
    %x = Parameter
    %s = Split (%x) -> (_, _)
    %a = Relu (%s)
    %b = Relu (%s:1)
    %m = Add (%s, %s:1)
  )";
  auto relu = wrap_type({"Relu"}, {split});
  EXPECT_THAT(roots(relu, g), ElementsAre("a", "b"));
  // Both outputs of one node.
  EXPECT_THAT(roots(wrap_type({"Add"}, {split, split}), g), ElementsAre("m"));
}

TEST_F(TreeTest, OneConsumer) {
  const std::string_view g = R"(
    %x = Parameter
    %a = Exp (%x)
    %b = Exp (%x)
    %r = Relu (%a)
    %s = Relu (%b)
    %t = Abs (%b)
  )";
  EXPECT_THAT(roots(wrap_type({"Relu"}, {wrap_type({"Exp"})->one_consumer()}), g), ElementsAre("r"));
}

TEST_F(TreeTest, Attributes) {
  lab_.plugin("com.test.ops", [](Registry& r) { r.operation<WithDefault>(); });
  const std::string_view g = R"(
    %x = Parameter -> f32[2]
    %a = WithDefault@test (%x) {mode="plain", scale=2, axes=[1,2]} -> f32[2]
    %b = WithDefault@test (%x) {mode="other", part=shape[1,?]} -> f16[2]
    %c = WithDefault@test (%x) {table=f32[2] {1,2}} -> _
    %d = Other (%x) -> _
  )";
  const auto with = [&](std::string_view name, const auto& value) {
    return roots(wrap_type({"test::WithDefault"})->with(name, value), g);
  };
  EXPECT_THAT(with("mode", "other"), ElementsAre("b"));
  EXPECT_THAT(with("mode", "plain"), ElementsAre("a", "c")) << "the default counts";
  EXPECT_THAT(with("scale", int64_t{2}), ElementsAre("a", "b", "c")) << "numbers of any kind";
  EXPECT_THAT(with("axes", std::vector<double>{1, 2}), ElementsAre("a"));
  EXPECT_THAT(with("axes", std::vector<int64_t>{1}), IsEmpty());
  EXPECT_THAT(with("part", Shape{1, Dim()}), ElementsAre("b"));
  EXPECT_THAT(with("nothing", int64_t{1}), IsEmpty());
  EXPECT_THAT(with("name", "b"), ElementsAre("b"));
  EXPECT_THAT(with("opset", "test"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(with("type", ElementType::f16), ElementsAre("b"));
  EXPECT_THAT(roots(wrap_type({})->with("op", "Other"), g), ElementsAre("d"));
  EXPECT_THAT(roots(wrap_type({})->with("type", "Other"), g), ElementsAre("d"));
}

TEST_F(TreeTest, PredicatesSeeThePortAndAreAskedLast) {
  int asked = 0;
  const auto second = any_input([&](const OutPort& p) {
    ++asked;
    return p.index() == 1;
  });
  const std::string_view g = R"(
    %x = Parameter
    %s = Split (%x) -> (_, _)
    %a = Relu (%s)
    %b = Relu (%s:1)
    %c = Abs (%s:1)
  )";
  EXPECT_THAT(roots(wrap_type({"Relu"}, {second}), g), ElementsAre("b"));
  EXPECT_EQ(asked, 2);
  asked = 0;
  EXPECT_THAT(roots(wrap_type({"Relu"}, {second, any_input()}), g), IsEmpty());
  EXPECT_EQ(asked, 0) << "the tree does not fit anyway";
}

TEST_F(TreeTest, PredicatesCannotEdit) {
  const auto nosy = wrap_type({"Relu"}, {}, [](const OutPort& p) {
    p.node().rename("other");
    return true;
  });
  const std::string message = test::failure_of([&] { roots(nosy, "%x = Parameter\n %r = Relu (%x)"); });
  EXPECT_THAT(message, ::testing::HasSubstr("conditions and predicates only read graphs"));
  EXPECT_THAT(message, ::testing::HasSubstr("com.test.n1 1.0.0"));
  EXPECT_THAT(message, ::testing::HasSubstr("'r' (Relu)"));
}

TEST_F(TreeTest, HopelessPatternsEnd) {
  // Each level doubles the ways; none of them fits.
  Pattern p = any_input([](const OutPort&) { return false; });
  for (int i = 0; i < 30; ++i) p = wrap_type({"Add"}, {p, any_input()})->commutative();
  std::string g = "%n0 = Parameter\n";
  for (int i = 1; i <= 30; ++i) g += text("%n", i, " = Add (%n", i - 1, ", %n", i - 1, ")\n");
  EXPECT_THAT(test::failure_of([&] { roots(p, g); }), ::testing::HasSubstr("ways at one node"));
}

TEST_F(TreeTest, NodesOfAMatch) {
  const auto x = any_input()->named("x");
  const auto exp = wrap_type({"Exp"}, {x});
  EXPECT_THAT(roots(wrap_type({"Add"}, {exp, exp}), "%p = Parameter\n %e = Exp (%p)\n %a = Add (%e, %e)"),
              ElementsAre("a"));
  std::vector<std::string> names;
  for (core::NodeId n : last_->nodes()) names.emplace_back(graph_->name(n));
  EXPECT_THAT(names, ElementsAre("a", "e"));
}

}  // namespace
}  // namespace mo::test
