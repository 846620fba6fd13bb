#include <gmock/gmock.h>

#include "apps/views/text.hpp"
#include "core/convert/phases.hpp"
#include "core/support/failure.hpp"

namespace mo::core {
namespace {

// Empty: all constants have what those take for granted who look at them.
std::string problem_of(std::string_view nodes) {
  const GraphPtr g =
      app::parse_text(text("mo-graph 1\ngraph \"g\" {\n", nodes, "\n}\n"), std::make_shared<GraphSpace>());
  try {
    check_constants(*g);
  } catch (const Failure& f) {
    EXPECT_EQ(f.exit(), Exit::model);
    return f.render();
  }
  return {};
}

TEST(CheckConstants, OneValueEach) {
  EXPECT_EQ(problem_of("%c = Const \"c\" -> f32[2] {1,2}\nResult (%c)"), "");
  for (const std::string_view bad :
       {"%c = Const \"c\" -> f32[2]\nResult (%c)", "%c = Const \"c\" -> _\nResult (%c)", "Const \"c\" -> ()",
        "%c = Const \"c\" -> (_, _)\nResult (%c:1)"})
    EXPECT_THAT(problem_of(bad), testing::StartsWith("error MO0211: constant 'c' (Const) has no value\n"))
        << bad;
}

TEST(CheckConstants, InBodiesToo) {
  const std::string_view around = "%x = Parameter\n%y = Any@test (%x) {body=graph \"b\" {\n";
  EXPECT_EQ(problem_of(text(around, "%c = Const \"c\" -> i64[] {1}\nResult (%c)\n}}\nResult (%y)")), "");
  EXPECT_THAT(problem_of(text(around, "%c = Const \"c\" -> i64[]\nResult (%c)\n}}\nResult (%y)")),
              testing::HasSubstr("MO0211: constant 'c' (Const) has no value"));
}

}  // namespace
}  // namespace mo::core
