// An isolated plugin lives as long as its session, not as long as the thread that loaded it.
#include <gmock/gmock.h>

#include <thread>

#include "core/infer/infer.hpp"
#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace {

TEST(Isolated, OutlivesTheThreadThatLoadedIt) {
  Session session{host_table()};
  std::thread([&] {
    app::CarefulRequest request;
    request.named = {test::zoo("target_1_0")};
    request.allow_writable_folders = true;
    request.isolation.ids = {"all"};
    (void)app::load_carefully(session, request);
  }).join();
  const GraphPtr g = session.create_graph("net");
  const NodeId x = g->add_node("Parameter", "opset1", "x", 0, 1);
  g->set_attribute(x, "element_type", ElementType::f32);
  g->set_attribute(x, "shape", shape_attribute({1, 4}));
  const NodeId n = g->add_node("FromTheFirst", "org.example.zoo", "n", 1, 1);
  g->connect({x, 0}, {n, 0});
  EXPECT_NO_THROW(infer_all(session, *g));
  EXPECT_EQ(g->out({n, 0}).tensor.shape, Shape({1, 4}));
}

}  // namespace

}  // namespace mo::core
