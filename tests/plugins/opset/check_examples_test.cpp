// The calls in plugins/opset/opset.check.txt, which `mo-host plugin check` begins with.
#include <gmock/gmock.h>

#include <fstream>

#include "apps/plugin_check/sample.hpp"
#include "apps/plugin_check/tap.hpp"
#include "built.hpp"
#include "core/host/host_tables.hpp"
#include "core/infer/infer.hpp"
#include "load.hpp"

namespace mo::test {
namespace {

void load_opset(core::Session& session) { load_only(session, {builtin("opset")}); }

TEST(CheckExamples, AreLegalAndHaveValues) {
  core::Session session{core::host_table()};
  load_opset(session);
  std::ifstream in(MO_SOURCE_DIR "/plugins/opset/opset.check.txt", std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(in), {}};
  const core::GraphPtr g = app::parse_text(file, session.space());
  core::infer_all(session, *g);
  size_t count = 0;
  for (const core::NodeId n : g->nodes()) {
    if (g->op(n) == "Parameter" || g->op(n) == "Const") continue;
    ++count;
    const core::Operation* op = session.registry().operation(g->op(n), g->opset(n));
    ASSERT_NE(op, nullptr) << g->name(n);
    const app::checks::Sample sample = app::checks::cut_out(session, *g, n);
    const auto told = app::checks::call_infer(session, sample, *op);
    EXPECT_TRUE(told.ok()) << g->name(n) << ": " << told.text;
    app::Random random(1, std::string(g->name(n)));
    ASSERT_TRUE(app::checks::give_values(sample, random)) << g->name(n);
    ASSERT_TRUE(app::checks::call_infer(session, sample, *op).ok()) << g->name(n);
    const auto value = app::checks::call_evaluate(session, sample, *op);
    EXPECT_TRUE(value.ok()) << g->name(n) << ": " << value.text;
  }
  EXPECT_GE(count, 49U);
}

// If takes a body that cannot be inferred for one that does not run. That the host has no memory is no such
// reason.
TEST(CheckExamples, IfPassesOnWhatTheHostCannot) {
  core::Session session{core::host_table()};
  load_opset(session);
  const core::GraphPtr g = app::parse_text(R"(
    %c = Parameter -> boolean[]
    %x = Parameter -> f32[2,3]
    %y = If@opset8 (%c, %x) {
      then_port_map=["in 1 -> 0", "out 0 <- 0"], then_body=graph "t" { %x = Parameter
        Result (%x) },
      else_port_map=["in 1 -> 0", "out 0 <- 0"], else_body=graph "e" { %x = Parameter
        %y = Concat@opset1 (%x, %x) {axis=0}
        Result (%y) } })",
                                           session.space());
  const core::NodeId n = g->nodes().back();
  const core::Operation* op = session.registry().operation("If", "opset8");
  ASSERT_NE(op, nullptr);
  const app::checks::Sample sample = app::checks::cut_out(session, *g, n);
  size_t seen = 0;
  for (size_t i = 1;; ++i) {
    const app::checks::TapScope tapped(session);
    app::checks::tap().fail_at = i;
    app::checks::tap().status = MO_NO_MEMORY;
    const auto told = app::checks::call_infer(session, sample, *op);
    if (app::checks::tap().failed.empty()) break;
    if (app::checks::tap().failed != "graph.set_shape") continue;
    ++seen;
    EXPECT_EQ(told.status, MO_NO_MEMORY) << "call " << i;
  }
  EXPECT_EQ(seen, 2U);  // one Parameter in each body
}

}  // namespace
}  // namespace mo::test
