#include <gtest/gtest.h>

#include "apps/views/text.hpp"

namespace mo::core {
namespace {

constexpr std::string_view clone_net = R"(
  graph "net" {layout="NCHW"} {
  %x = Parameter {shape=shape[1,?]} -> f32[1,?] names("x","y")
  %w = Const -> f32[2] {1,2.5}
  %gone = A (%x)
  %l = Loop@opset5 (%x, _, %w) {body=graph "body" {
    %p = Parameter -> f32[2]
    %q = A (%p) rt {fused_names="a,b"}
    Result (%q) marked
  }, k=[1,2]} rt {fused_names="c"} -> (f32[1], i64[] from_shape) native 7
  %r = B (%l:1, %x)
  Result "out" (%l) marked
  Result "last" (%r)
  })";

TEST(Clone, IsTheSameInEveryWord) {
  const auto space = std::make_shared<GraphSpace>();
  const GraphPtr g = app::parse_text(clone_net, space);
  g->remove_node(g->find("gone"));
  g->connect({g->find("x"), 0}, {g->find("l"), 1});  // x is read by 'l' twice, in this order
  const GraphPtr copy = g->clone();
  EXPECT_EQ(app::to_text(*copy), app::to_text(*app::parse_text(app::to_text(*g), space)));
  EXPECT_EQ(copy->destinations({copy->find("x"), 0}).size(), 3U);
  EXPECT_EQ(copy->parent(), nullptr);
  EXPECT_TRUE(copy->may_be_body());
}

TEST(Clone, HasBodiesOfItsOwn) {
  const GraphPtr g = app::parse_text(clone_net, std::make_shared<GraphSpace>());
  const std::string before = app::to_text(*g);
  const GraphPtr copy = g->clone();
  const NodeId l = copy->find("l");
  const GraphPtr body = copy->bodies(l).at(0);
  EXPECT_NE(body, g->bodies(g->find("l")).at(0));
  EXPECT_EQ(body->parent(), copy.get());
  EXPECT_EQ(body->parent_node(), l);
  body->remove_node(body->find("q"));
  copy->remove_node(l);
  EXPECT_EQ(app::to_text(*g), before);
  EXPECT_EQ(body->parent(), nullptr);
}

// The text form does not tell a weight of a file that is not there any more, a clone does not ask.
TEST(Clone, SharesTensors) {
  const GraphPtr g = app::parse_text(clone_net, std::make_shared<GraphSpace>());
  const GraphPtr copy = g->clone();
  EXPECT_EQ(copy->out({copy->find("w"), 0}).tensor.value.get(), g->out({g->find("w"), 0}).tensor.value.get());
}

}  // namespace
}  // namespace mo::core
