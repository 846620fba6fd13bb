// The examples keep the rules that vendors' plugins are asked to keep.
#include <gtest/gtest.h>

#include <filesystem>

#include "apps/plugin_check/report.hpp"
#include "built.hpp"

namespace mo::test {
namespace {

namespace checks = app::checks;

TEST(Examples, PassTheCheck) {
  checks::CheckRequest request;
  // Beside the front-end that has the example's YOLO built in, the example cannot be loaded.
  for (const char* name : {"opset", "builtin_passes", "ir", "onnx"})
    if (const std::string path = builtin(name); std::filesystem::exists(path))
      request.surroundings.others.push_back(path);
  request.surroundings.file = seeds_plugin;
  request.surroundings.allow_writable_folders = true;
  request.without = {264};         // it has extractors for that front-end, too
  request.in_process = sanitized;  // the processes of a sanitizer start slowly, and it sees more than they do
  const checks::PluginReport report = checks::check_plugin(request);
  EXPECT_EQ(report.count(checks::Verdict::failed), 0U) << checks::text_report({report}, {});
  EXPECT_GT(report.count(checks::Verdict::passed), 100U);
}

}  // namespace
}  // namespace mo::test
