// Results that are, or only seem to be, larger than what is reasonable.
#include <gmock/gmock.h>

#include "apps/views/text.hpp"
#include "built.hpp"
#include "core/host/host_tables.hpp"
#include "core/infer/infer.hpp"
#include "load.hpp"

namespace mo::test {
namespace {

using namespace mo::core;
using ::testing::HasSubstr;

// The graph after inference; nothing is folded beyond `limit` bytes.
std::string folded(const std::string& nodes, std::optional<int64_t> limit = {}) {
  Session session{host_table()};
  load_only(session, {builtin("opset")});
  if (limit) session.set_option(infer_options::fold_limit, *limit);
  const GraphPtr g = app::parse_text("mo-graph 1\ngraph \"g\" {\n" + nodes + "\n}\n", session.space());
  infer_all(session, *g);
  app::TextOptions options;
  options.literal_bytes = 64;
  options.side_file = "unused";
  std::string text;
  for (const NodeId r : g->results()) {
    const TensorState& t = g->out(g->source({r, 0})).tensor;
    text += mo::text(name(t.type), t.shape, t.value ? " known" : " open");
  }
  return text;
}

std::string failure_of(const std::string& nodes) {
  try {
    return folded(nodes);
  } catch (const Failure& f) {
    EXPECT_EQ(f.exit(), Exit::model);
    return f.render();
  }
}

TEST(LargeResults, BeyondAnyMemoryAreErrorsThatNameTheNode) {
  const std::string wrong = failure_of(
      "%s = Const -> i64[2] {2147483648,2147483648}\n%v = Const -> f32[] {1}\n"
      "%y = Broadcast@opset3 \"wide\" (%v, %s) {mode=\"numpy\"}\nResult (%y)");
  EXPECT_THAT(wrong,
              HasSubstr("output 0: a tensor of shape [2147483648,2147483648] is larger than any memory"));
  EXPECT_THAT(wrong, HasSubstr("'wide' (opset3::Broadcast)"));
}

TEST(LargeResults, TheLimitHoldsWhereTheSizeIsInTheValues) {
  const std::string ones =
      "%x = Const -> u8[1000] {1...}\n%y = NonZero@opset3 (%x) {output_type=i64}\nResult (%y)";
  EXPECT_EQ(folded(ones), "i64[1,1000] known");
  EXPECT_EQ(folded(ones, 7999), "i64[1,1000] open");
  EXPECT_EQ(folded(ones, 8000), "i64[1,1000] known");
}

// A block for each place; all but one are outside of the data.
TEST(LargeResults, BlocksWithoutElementsCostNothing) {
  const std::string sizes =
      "%s = Const -> i64[2] {1,1048576}\n%b = Const -> i64[2] {0,1048575}\n"
      "%e = Const -> i64[2] {0,0}\n";
  EXPECT_EQ(folded("%x = Const -> u8[1,1] {7}\n" + sizes +
                   "%y = SpaceToBatch@opset2 (%x, %s, %b, %e)\nResult (%y)"),
            "u8[1048576,1] known");
}

}  // namespace
}  // namespace mo::test
