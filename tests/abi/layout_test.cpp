// The layout of mo/plugin.h: what was released stays, what is not listed is found.
#include <gtest/gtest.h>
#include <mo/layout_check.h>

#include <cstdlib>
#include <string>

namespace {

bool script_passes(const std::string& name) {
  const std::string source = MO_SOURCE_DIR;
  return std::system(("bash '" + source + "/tests/abi/" + name + "' '" + source + "'").c_str()) == 0;
}

TEST(Layout, IsTheAcceptedOne) { EXPECT_TRUE(script_passes("check_layout.sh")); }

TEST(Layout, IsTheAcceptedOneForLibabigail) { EXPECT_TRUE(script_passes("check_abidiff.sh")); }

TEST(TargetMinor, NewerCallsDoNotExistForOlderTargets) {
  EXPECT_TRUE(script_passes("check_target_minor.sh"));
}

}  // namespace
