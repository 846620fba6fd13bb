// Connections of the SDK, and the ports of nodes that it makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Mish {
  static constexpr std::string_view type = "Mish", opset = "com.acme";
  static void schema(OpSchema& s) { s.inputs(1).outputs(1); }
};
struct Wide {
  static constexpr std::string_view type = "Wide", opset = "com.acme";
  static void schema(OpSchema& s) { s.inputs(2).outputs(3); }
};
struct Some {
  static constexpr std::string_view type = "Some", opset = "com.acme";
  static void schema(OpSchema& s) { s.inputs(1, 4).outputs(0, any_number); }
};

class ConnectionsTest : public ::testing::Test {
 protected:
  // Three readers of one tensor, two of them through "a" and "b".
  void edit(const std::function<void(Graph)>& f, std::string_view text = R"(
    %x = Parameter -> _ names("t")
    %a = A (%x)
    %b = B (%x)
    %n = N
    Result "r" (%a)
    Result "s" (%b)
    Result "t" (%n)
  )") {
    lab_.plugin("com.acme", [&](Registry& r) {
      r.operation<Mish>();
      r.operation<Wide>();
      r.operation<Some>();
      r.transformation<OnGraph>("t.t", f);
    });
    graph_ = lab_.graph(text);
    failure_ = test::failure_of([&] { lab_.run(*graph_, "t.t"); });
  }
  std::string now() const { return failure_.empty() ? sketch(*graph_) : failure_; }
  std::vector<std::string> names(std::string_view node) const {
    std::vector<std::string> list;
    for (core::Symbol s : graph_->out({graph_->find(node), 0}).names)
      list.emplace_back(graph_->symbols().text(s));
    return list;
  }
  static Node at(Graph g, std::string_view name) { return g.find(name).value(); }

  Lab lab_;
  core::GraphPtr graph_;
  std::string failure_;
};

TEST_F(ConnectionsTest, OfAnInPortInsertForItsReaderAlone) {
  edit([](Graph g) {
    const Node n = g.create_node("I", "", "i", {OutPort()});
    at(g, "a").in_port(0).get_connection().insert_node(n);
  });
  EXPECT_EQ(now(), "x:Parameter() a:A(i) b:B(x) n:N() r:Result(a) s:Result(b) t:Result(n) i:I(x)");
  EXPECT_THAT(names("x"), ElementsAre("t")) << "the others read the same tensor as before";
}

TEST_F(ConnectionsTest, OfAnOutPortInsertForAll) {
  edit([](Graph g) {
    const Node n = g.create_node("I", "", "i", {OutPort()});
    at(g, "x").out_port().get_connection().insert_node(n);
  });
  EXPECT_EQ(now(), "x:Parameter() a:A(i) b:B(i) n:N() r:Result(a) s:Result(b) t:Result(n) i:I(x)");
  EXPECT_THAT(names("i"), ElementsAre("t"));
}

TEST_F(ConnectionsTest, ANodeOfTwoOutputsIsNotInserted) {
  edit([](Graph g) {
    at(g, "a").in_port(0).get_connection().insert_node(g.create_node("I", "", "i", {OutPort()}, 2));
  });
  EXPECT_THAT(now(), HasSubstr("insert_node needs a node with one output; 'i' has 2"));
}

// The line of the document's Pack: the reader of one of several goes to another input.
TEST_F(ConnectionsTest, OfAnInPortSetTheirDestinationForThatReader) {
  edit([](Graph g) {
    const Node n = g.create_node("I", "", "i", {OutPort()});
    at(g, "a").in_port(0).get_connection().set_destination(n.in_port(0));
    at(g, "a").in_port(0).connect(n.out_port());
  });
  EXPECT_EQ(now(), "x:Parameter() a:A(i) b:B(x) n:N() r:Result(a) s:Result(b) t:Result(n) i:I(x)");
}

TEST_F(ConnectionsTest, OfAnOutPortDisconnectAllForTheirDestination) {
  edit([](Graph g) {
    const Node n = g.create_node("I", "", "i", {OutPort()});
    at(g, "x").out_port().get_connection().set_destination(n.in_port(0));
    EXPECT_TRUE(at(g, "a").in_port(0).disconnected());
    EXPECT_TRUE(at(g, "b").in_port(0).disconnected());
    for (const char* reader : {"a", "b"}) at(g, reader).in_port(0).connect(n.out_port());
  });
  EXPECT_EQ(now(), "x:Parameter() a:A(i) b:B(i) n:N() r:Result(a) s:Result(b) t:Result(n) i:I(x)");
}

TEST_F(ConnectionsTest, ADestinationThatReadsItAlreadyStays) {
  edit([](Graph g) {
    at(g, "x").out_port().get_connection().set_destination(at(g, "b").in_port(0));
    at(g, "a").in_port(0).connect(at(g, "n").out_port());
  });
  EXPECT_EQ(now(), "x:Parameter() a:A(n) b:B(x) n:N() r:Result(a) s:Result(b) t:Result(n)");
}

TEST_F(ConnectionsTest, WhatConnectsNothingIsFalse) {
  edit([](Graph g) {
    const Node n = g.create_node("I", "", "i", {OutPort()});
    EXPECT_FALSE(n.in_port(0).get_connection());
    EXPECT_FALSE(n.out_port().get_connection());
    EXPECT_TRUE(at(g, "a").in_port(0).get_connection());
    EXPECT_TRUE(at(g, "x").out_port().get_connection());
    EXPECT_THROW(n.in_port(0).get_connection().set_destination(at(g, "a").in_port(0)), Error);
    EXPECT_THROW(n.in_port(0).get_connection().insert_node(at(g, "n")), Error);
    n.remove();
  });
  EXPECT_EQ(now(), "x:Parameter() a:A(x) b:B(x) n:N() r:Result(a) s:Result(b) t:Result(n)");
}

TEST_F(ConnectionsTest, ANodeHasThePortsThatAreDeclared) {
  edit([](Graph g) {
    const Node wide = g.create_node("Wide", "com.acme");
    EXPECT_EQ(wide.in_count(), 2U);
    EXPECT_EQ(wide.out_count(), 3U);
    const Node some = g.create_node("Some", "com.acme", "some");
    EXPECT_EQ(some.in_count(), 1U) << "the fewest";
    EXPECT_EQ(some.out_count(), 1U) << "one that it may have";
    const Node unknown = g.create_node("Unknown", "com.acme", "unknown");
    EXPECT_EQ(unknown.in_count(), 0U);
    EXPECT_EQ(unknown.out_count(), 1U);
    const OutPort x = at(g, "x").out_port();
    EXPECT_EQ(g.create_node("Wide", "com.acme", "given", {x, x}).out_count(), 3U);
    EXPECT_EQ(g.create_node("Wide", "com.acme", "said", {x, x}, 1).out_count(), 1U);
    for (const Node& n : g.nodes())
      if (n.opset() == "com.acme") n.remove();
  });
  EXPECT_EQ(now(), "x:Parameter() a:A(x) b:B(x) n:N() r:Result(a) s:Result(b) t:Result(n)");
}

// mish = Mish(graph, {}).create_node(); mish.in_port(0).connect(...)
TEST_F(ConnectionsTest, TheDocumentsMish) {
  edit([](Graph g) {
    const Node mish = g.create_node("Mish", "com.acme", "mish");
    mish.in_port(0).connect(at(g, "a").in_port(0).get_source());
    at(g, "a").out_port(0).get_connection().set_source(mish.out_port(0));
  });
  EXPECT_EQ(now(), "x:Parameter() a:A(x) b:B(x) n:N() r:Result(mish) s:Result(b) t:Result(n) mish:Mish(x)");
}

TEST_F(ConnectionsTest, ConstantsAtPortsOfANewNode) {
  edit([](Graph g) {
    const auto ints = [&](std::vector<int64_t> list) { return Tensor::vector<int64_t>(g.context(), list); };
    const Node u =
        create_op_with_const_inputs(g, "Unsqueeze", "", "u", {{1, ints({0})}}, at(g, "x").out_port());
    const Node c = create_op_with_const_inputs(g, "Concat", "", "c", {{0, ints({1})}, {1, ints({2})}});
    at(g, "a").in_port(0).connect(u.out_port());
    at(g, "b").in_port(0).connect(c.out_port());
    EXPECT_THROW(create_op_with_const_inputs(g, "S", "", "s2", {{2, ints({1})}}, u), Error);
    EXPECT_THROW(create_op_with_const_inputs(g, "S", "", "s3", {{0, ints({1})}}, u), Error);
    for (const Node& n : g.nodes("Const"))
      if (n.out_port().disconnected()) n.remove();
  });
  EXPECT_EQ(now(),
            "x:Parameter() a:A(u) b:B(c) n:N() r:Result(a) s:Result(b) t:Result(n) "
            "u/input_port_1/value:Const() u:Unsqueeze(x,u/input_port_1/value) "
            "c/input_port_0/value:Const() c/input_port_1/value:Const() "
            "c:Concat(c/input_port_0/value,c/input_port_1/value)");
}

}  // namespace
}  // namespace mo::test
