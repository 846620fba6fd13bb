// The examples keep the rules that vendors' plugins are asked to keep.
#include <gtest/gtest.h>

#include "core/check/report.hpp"

namespace mo::test {
namespace {

namespace checks = core::checks;

TEST(Examples, PassTheCheck) {
  checks::CheckRequest request;
  request.surroundings.built_in = MO_PLUGIN_DIR;
  request.surroundings.file = MO_EXAMPLE_DIR "/seeds.mo.so";
  request.surroundings.allow_writable_folders = true;
  const checks::PluginReport report = checks::check_plugin(request);
  EXPECT_EQ(report.count(checks::Verdict::failed), 0U) << checks::text_report({report}, {});
  EXPECT_GT(report.count(checks::Verdict::passed), 100U);
}

}  // namespace
}  // namespace mo::test
