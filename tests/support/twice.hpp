// Applying a transformation twice equals once: checked wherever one edits something in any test of the
// fixture.
#pragma once

#include <gtest/gtest.h>

#include "apps/views/text.hpp"
#include "core/schedule/watch.hpp"

namespace mo::test {

class TwiceEqualsOnce : public core::Watch {
 public:
  explicit TwiceEqualsOnce(core::Session& session) : session_(session) {}

  void has_run(const core::Ran& ran) override {
    for (const core::RunStatistics& s : std::vector(ran.members)) {
      if (s.edits == 0) continue;
      ++checked()[s.id];
      const std::string once = app::to_text(ran.graph);
      const auto again =
          core::run_transformation(session_, ran.graph, *session_.registry().transformation(s.id));
      if (again.edits == 0) continue;
      EXPECT_EQ(app::to_text(ran.graph), once) << s.id << " applied twice";
    }
  }

  // How often, by id, in this process.
  static std::map<std::string, int>& checked() {
    static std::map<std::string, int> counts;
    return counts;
  }

 private:
  core::Session& session_;
};

}  // namespace mo::test
