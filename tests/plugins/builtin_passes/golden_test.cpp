// Each transformation states a graph before and after it; golden/<id>.txt has more of them, and such that
// stay:
//
//   option disable_fusing=true            for all cases of the file and the statement of the transformation
//   without numbers: <why>                what both compute is not compared
//   without statement: <why>              `before` and `after` of the transformation are no graphs
//   looks for no place: <why>             so it has no near miss
//   == a title
//   <graph>
//   --
//   <graph after>
//   == another
//   <graph>
//   -- stays
//   == nearly one
//   <graph>
//   -- stays: <a part of the reason that --explain gives>
//
// Both graphs, where they differ, compute the same from random inputs, and a second run changes nothing. MO_UPDATE_GOLDEN=1
// writes what came out into the files, to be reviewed like code.
#include "tests/plugins/builtin_passes/canonical.hpp"
#include "tests/plugins/builtin_passes/golden_files.hpp"
#include "tests/plugins/builtin_passes/layout_lab.hpp"

namespace mo::test {
namespace {

// Runs the transformation on `before`; says what came out, and adds why it passed something over.
std::string outcome(LayoutLab& lab, const GoldenFile& file, const std::string& before, bool numbers = true,
                    std::vector<std::string>* reasons = nullptr) {
  const auto original = lab.graph(before), g = lab.graph(before);
  const core::RunStatistics ran =
      core::run_transformation(lab.session, *g, *lab.session.registry().transformation(file.id));
  core::clean_up(lab.session, *g);
  if (reasons != nullptr)
    for (const core::Decline& d : ran.declines) reasons->push_back(d.why);
  core::infer_all(lab.session, *g);
  if (numbers && file.numbers) {
    std::vector<Numbers> inputs;
    uint32_t seed = 7;
    for (const core::NodeId p : original->parameters()) {
      std::vector<int64_t> dims;
      for (const Dim& d : original->out({p, 0}).tensor.shape) dims.push_back(d.is_static() ? d.value() : 3);
      inputs.push_back(random_numbers(dims, seed++));
    }
    const auto expected = lab.values(*original, inputs), got = lab.values(*g, inputs);
    EXPECT_EQ(expected.size(), got.size());
    for (size_t i = 0; i < std::min(expected.size(), got.size()); ++i) {
      EXPECT_EQ(expected[i].dims, got[i].dims);
      EXPECT_THAT(got[i].values, testing::Pointwise(testing::DoubleNear(1e-4), expected[i].values));
    }
  }
  const std::string once = CanonicalText::of(*g);
  lab.run(*g, {file.id});
  core::infer_all(lab.session, *g);
  EXPECT_EQ(CanonicalText::of(*g), once) << "a second run";
  return once;
}

std::string as_it_is(LayoutLab& lab, const std::string& text) { return CanonicalText::of(*lab.graph(text)); }

void check(LayoutLab& lab, const GoldenFile& file, const GoldenCase& c) {
  SCOPED_TRACE(file.id + ": " + c.title);
  try {
    std::vector<std::string> reasons;
    const std::string got = outcome(lab, file, c.before, !c.stays, &reasons);
    if (!c.reason.empty()) {
      EXPECT_THAT(reasons, testing::Contains(testing::HasSubstr(c.reason)));
    }
    EXPECT_EQ(got, as_it_is(lab, c.stays ? c.before : c.after));
    if (!c.stays) {
      EXPECT_NE(got, as_it_is(lab, c.before)) << "nothing changed";
    }
  } catch (const std::exception& e) {
    ADD_FAILURE() << e.what();
  }
}

// Plugins are loaded once for all cases of a file, which have the same options.
std::unique_ptr<LayoutLab> lab_of(const GoldenFile& file) {
  auto lab = std::make_unique<LayoutLab>();
  for (const auto& [name, value] : file.options) lab->session.set_option(name, value);
  return lab;
}

std::vector<const core::Transformation*> built_in_passes(const core::Session& session) {
  std::vector<const core::Transformation*> list;
  for (const core::Transformation* t : session.registry().transformations())
    if (t->plugin->id == "org.mo-host.builtin_passes") list.push_back(t);
  return list;
}

TEST(Golden, EachTransformationHasAFileWithTwoGraphsThatStay) {
  const auto files = golden_files();
  const PassesLab lab;
  for (const core::Transformation* t : built_in_passes(lab.session)) {
    const auto file = files.find(t->id);
    ASSERT_NE(file, files.end()) << "tests/plugins/builtin_passes/golden/" << t->id << ".txt is missing";
    const auto& cases = file->second.cases;
    EXPECT_GE(std::count_if(cases.begin(), cases.end(), [](const GoldenCase& c) { return c.stays; }), 2)
        << t->id;
  }
  for (const auto& [id, file] : files)
    EXPECT_NE(lab.session.registry().transformation(id), nullptr) << file.path << " is of no transformation";
}

TEST(Golden, EachTransformationSaysWhyItLeavesANearMiss) {
  const auto files = golden_files();
  const PassesLab lab;
  for (const core::Transformation* t : built_in_passes(lab.session)) {
    const auto file = files.find(t->id);
    ASSERT_NE(file, files.end()) << t->id;
    EXPECT_EQ(file->second.has_near_miss(), file->second.places)
        << t->id << " needs a case '-- stays: <reason>', or a line 'looks for no place: <why>'";
  }
}

TEST(Golden, WhatTheTransformationsState) {
  const auto files = golden_files();
  const PassesLab lab;
  for (const core::Transformation* t : built_in_passes(lab.session)) {
    const auto file = files.find(t->id);
    if (file == files.end() || !file->second.statement) continue;
    check(*lab_of(file->second), file->second, {"what it states", t->before, t->after, false, {}});
  }
}

TEST(Golden, Files) {
  const bool update = std::getenv("MO_UPDATE_GOLDEN") != nullptr;
  for (auto& [id, file] : golden_files()) {
    const auto lab = lab_of(file);
    if (update) {
      for (GoldenCase& c : file.cases)
        if (!c.stays) c.after = outcome(*lab, file, c.before);
      file.write();
    }
    for (const GoldenCase& c : file.cases) check(*lab, file, c);
  }
}

}  // namespace
}  // namespace mo::test
