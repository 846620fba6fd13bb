// What is counted over all tests of a program holds only where all of them run.
#pragma once

#include <gtest/gtest.h>

namespace mo::test {

// No filter leaves one out, and this is no part of them only (GTEST_TOTAL_SHARDS).
inline bool all_tests_run() {
  const auto& all = *testing::UnitTest::GetInstance();
  return all.test_to_run_count() == all.total_test_count();
}

}  // namespace mo::test
