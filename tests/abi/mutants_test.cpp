// Of plugins that are wrong as a vendor's are, `mo-host plugin check` finds these, and the same without the
// mistake pass.
#include <gmock/gmock.h>

#include <cstdlib>

#include "apps/plugin_check/check_plugin.hpp"
#include "apps/plugin_check/report.hpp"
#include "built.hpp"

#if defined(MO_HAVE_PLUGIN_onnx) && defined(MO_HAVE_PLUGIN_opset)

namespace mo::app::checks {
namespace {

struct MutantRow {
  const char* name;
  int rule;  // that finds it; 0: none does
};
constexpr MutantRow mutant_rows[] = {
    {"always_f32", 228},
    {"halves_as_floats", 246},
    {"bytes_as_unsigned", 246},
    {"axis_from_the_end", 247},
    {"stride_ignored", 228},
    {"optional_input", 245},
    {"swapped_sizes", 228},
    {"hidden_state", 230},
    {"wrong_layout", 248},
    {"order_cycle", 208},
    {"unknown_order", 208},
    {"unknown_framework", 264},
    {"undefined_operation", 265},
    {"undeclared_attribute", 266},
    {"changes_numbers", 256},
    {"swaps_height_and_width", 252},
    // It does the same each time, and nobody says what it should do: a model with its numbers does.
    {"wrong_formula", 0},
};

PluginReport report_of(const std::string& mutant, const std::string& filter = {}) {
  setenv("MO_MUTANT", mutant.c_str(), 1);
  CheckRequest request;
  request.surroundings.file = test::zoo("mutants");
  request.surroundings.built_in = test::plugin_folder;
  request.surroundings.allow_writable_folders = true;
  request.filter = filter;
  const PluginReport report = check_plugin(request);
  unsetenv("MO_MUTANT");
  return report;
}

std::set<int> rules_broken(const PluginReport& report) {
  std::set<int> rules;
  for (const CaseResult& c : report.cases)
    if (c.verdict == Verdict::failed) rules.insert(c.rule);
  return rules;
}

class Mutant : public testing::TestWithParam<MutantRow> {};

TEST_P(Mutant, IsFoundAndItsTwinIsNot) {
  const auto& [name, rule] = GetParam();
  // A case is a process, and those of a sanitizer start slowly: there, the rule itself is tried.
  const std::string filter = test::sanitized ? "MOX-" + std::to_string(rule == 0 ? 246 : rule) + "*" : "";
  const PluginReport report = report_of(name, filter);
  if (rule == 0)
    EXPECT_EQ(rules_broken(report), std::set<int>{}) << text_report({report}, {});
  else
    EXPECT_THAT(rules_broken(report), testing::Contains(rule)) << text_report({report}, {});
  const PluginReport right = report_of("right:" + std::string(name), filter);
  EXPECT_EQ(rules_broken(right), std::set<int>{}) << text_report({right}, {});
  // Of one rule alone there may be nothing that it could pass.
  if (filter.empty()) {
    EXPECT_GT(right.count(Verdict::passed), 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Mutant, testing::ValuesIn(mutant_rows),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(Mutants, WhatWasTriedIsSaid) {
  const PluginReport report = report_of("right:stride_ignored", "MOX-24?/*");
  ASSERT_EQ(report.tried.size(), 1U);
  EXPECT_EQ(report.tried[0].item, "org.example.mutants::Mutant");
  EXPECT_THAT(report.tried[0].lines, testing::Contains(testing::StartsWith("element types: bf16, f16")));
  EXPECT_THAT(report.tried[0].lines, testing::Contains(testing::HasSubstr("strides=[2,2]")));
  EXPECT_THAT(report.tried[0].lines, testing::Contains("optional inputs: nothing to try"));
}

}  // namespace
}  // namespace mo::app::checks

#endif
