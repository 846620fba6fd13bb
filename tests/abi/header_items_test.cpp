// What 1.0-rc2 brought, each used by a plugin in C99 (zoo/item_*.c): in this host, and in one of a later
// minor, whose tables go on where this header ends.
#include <gmock/gmock.h>

#include "apps/plugin_check/tap.hpp"
#include "core/host/host_tables.hpp"
#include "core/infer/infer.hpp"
#include "core/schedule/schedule.hpp"
#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

using testing::HasSubstr;

class HeaderItem : public testing::TestWithParam<bool> {
 protected:
  HeaderItem() {
    if (GetParam()) session_.offer(*app::checks::tapped_host(true));
  }
  NodeId node(const std::string& op, const std::vector<NodeId>& inputs) {
    const NodeId n = graph_->add_node(op, "org.example.zoo", op, static_cast<uint32_t>(inputs.size()), 1);
    for (uint32_t i = 0; i < inputs.size(); ++i) graph_->connect({inputs[i], 0}, {n, i});
    return n;
  }
  NodeId parameter() {
    const NodeId n = graph_->add_node("Parameter", "opset1", "x", 0, 1);
    graph_->set_attribute(n, "element_type", ElementType::f32);
    graph_->set_attribute(n, "shape", shape_attribute({1, 4}));
    return n;
  }
  const TensorState& tensor(NodeId n) { return graph_->out({n, 0}).tensor; }
  void run_middle() { run_phase(session_, *graph_, make_schedule(session_, {}), MO_PHASE_MIDDLE); }

  Session session_{host_table()};
  GraphPtr graph_ = session_.create_graph("net");
};

TEST_P(HeaderItem, BoundsAreOpenWhereNothingIsKnown) {
  load_zoo(session_, "item_bounds");
  const NodeId x = parameter();
  const NodeId sizes = node("AtLeastZero", {x}), one = node("MinusOne", {x});
  const NodeId open = node("Sum", {sizes, sizes});
  infer_all(session_, *graph_);
  EXPECT_EQ(tensor(sizes).bounds, std::vector{Bound::at_least(0)});
  EXPECT_FALSE(tensor(sizes).value);
  ASSERT_TRUE(tensor(one).value) << "-1 is a number like others";
  EXPECT_EQ(tensor(open).bounds, std::vector{Bound::at_least(0)});
}

TEST_P(HeaderItem, ImpossibleBoundsAreRefused) {
  for (const char* op : {"Backwards", "NotCleared"}) {
    Session session{host_table()};
    load_zoo(session, "item_bounds");
    graph_ = session.create_graph("net");
    node(op, {parameter()});
    try {
      infer_all(session, *graph_);
      ADD_FAILURE() << op;
    } catch (const Failure& f) {
      EXPECT_THAT(f.render(), HasSubstr("bound 0 of output 0 is from 2 to 1")) << op;
    }
  }
}

TEST_P(HeaderItem, WhatAnOperationSaysOfItselfCanBeAskedFor) {
  load_zoo(session_, "item_layout");
  const NodeId x = parameter();
  const NodeId turned = node("Turned", {x});
  const NodeId other = node("Unknown", {x});
  run_middle();
  EXPECT_EQ(std::get<std::string>(*graph_->attribute(turned, "turns")), "axis");
  EXPECT_EQ(std::get<std::string>(*graph_->attribute(other, "turns")), "nothing");
  EXPECT_EQ(std::get<std::string>(*graph_->attribute(turned, "sizes")), "known");
  EXPECT_EQ(std::get<std::string>(*graph_->attribute(other, "sizes")), "own");
}

TEST_P(HeaderItem, WhatIsReservedCountedOrUnknownIsRefusedWhenItIsHandedOver) {
  load_zoo(session_, "item_checks");
  EXPECT_NO_THROW(run_middle());
  EXPECT_EQ(graph_->size(), 0U);
}

TEST_P(HeaderItem, GraphsAreCopiedWithAllTheyHave) {
  load_zoo(session_, "item_graphs");
  EXPECT_NO_THROW(run_middle());
  EXPECT_EQ(graph_->size(), 0U);
}

TEST_P(HeaderItem, WeightsAreComputedWhenTheyAreRead) {
  const TensorRef weights = make_tensor(ElementType::f32, {64, 64});
  auto* elements = reinterpret_cast<float*>(weights->buffer.get());
  for (int i = 0; i < 64 * 64; ++i) elements[i] = static_cast<float>(i);
  load_zoo(session_, "item_lazy");
  const auto* counts =
      static_cast<const int*>(session_.registry().find_interface("org.example.zoo.readings", 1)->table);
  const int readings = counts[0], releases = counts[1];
  graph_->add_const("weights", weights);
  run_middle();
  const TensorRef half = graph_->out({graph_->find("half"), 0}).tensor.value;
  EXPECT_EQ(counts[0], readings) << "nobody has read them yet";
  float one = 0;
  read_bytes(*half, 4 * 3001, 4, reinterpret_cast<std::byte*>(&one));
  EXPECT_EQ(one, 1500.5F);
  EXPECT_EQ(counts[0], readings + 1);
  EXPECT_EQ(reinterpret_cast<const float*>(half->data())[4095], 2047.5F);
  EXPECT_EQ(counts[1], releases + 1) << "what is in memory needs no source";
}

TEST_P(HeaderItem, EditsOfSeveralCallsAreOneInC) {
  load_zoo(session_, "item_edits");
  const NodeId a = graph_->add_const("a", make_tensor(ElementType::f32, {2}));
  const NodeId b = graph_->add_const("b", make_tensor(ElementType::f32, {2}));
  const NodeId add = node("Add", {a, b});
  graph_->rename(add, "model/add");
  graph_->set_attribute(add, "mode", int64_t{3});
  run_middle();
  const NodeId copy = graph_->find("model/add");
  ASSERT_NE(copy, no_node);
  EXPECT_NE(copy, add);
  EXPECT_EQ(graph_->name(add), "model/add/was");
  EXPECT_EQ(std::get<int64_t>(*graph_->attribute(copy, "mode")), 3);
  EXPECT_EQ(graph_->source({copy, 1}), (PortRef{b, 0}));
  EXPECT_EQ(std::get<int64_t>(*graph_->attribute(graph_->find("folded"), "least")), 15);
}

// Its structs go on where ours end: what is behind them is not looked at, and lists are walked in its steps.
TEST_P(HeaderItem, APluginOfTheNextMinorIsUnderstood) {
  load_zoo(session_, "newer_plugin");
  const NodeId x = parameter();
  const NodeId a = node("A", {x}), b = node("B", {a});
  graph_->set_attribute(b, "a", int64_t{0});
  graph_->set_attribute(b, "b", int64_t{1});
  node("C", {b});
  run_middle();
  EXPECT_EQ(graph_->name(b), "found by a newer plugin");
  const Operation* o = session_.registry().operation("Newer", "org.example.zoo");
  ASSERT_NE(o, nullptr);
  ASSERT_EQ(o->inputs.size(), 2U);
  EXPECT_EQ(o->inputs[1].name, "second");
  EXPECT_EQ(o->role(1), MO_ROLE_ANY);
}

INSTANTIATE_TEST_SUITE_P(Host, HeaderItem, testing::Bool(),
                         [](const auto& row) { return row.param ? "Later" : "This"; });

// One rule for sessions and processes.
TEST(Release, OncePerSession) {
  const int* counts = nullptr;
  for (int sessions = 1; sessions <= 3; ++sessions) {
    {
      Session session{host_table()};
      load_zoo(session, "item_release");
      counts = static_cast<const int*>(session.registry().find_interface("org.example.zoo.counts", 1)->table);
      EXPECT_EQ(counts[1], sessions) << "loaded once per session";
      EXPECT_EQ(counts[0], sessions - 1) << "of this session nothing is released yet";
    }
    EXPECT_EQ(counts[0], sessions);
  }
}

}  // namespace

}  // namespace mo::core
