#include "apps/plugin_check/isolated.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include "core/support/descriptor.hpp"

namespace mo::app::checks {
namespace {

TEST(RunIsolated, WhatItStartedEndsWithIt) {
  core::Pipe pipe;
  ASSERT_TRUE(pipe.make());
  const int held = pipe.to.get();
  const Isolated result = run_isolated(
      [held]() -> std::string {
        if (fork() == 0) {
          // All but our pipe: what is read until its end must not wait for this one.
          for (int fd = 0; fd < 256; ++fd)
            if (fd != held) close(fd);
          for (;;) pause();
        }
        return "done";
      },
      {.seconds = 20});
  EXPECT_TRUE(result.came_back) << result.how;
  EXPECT_EQ(result.answer, "done");
  pipe.to.close();
  // Its end is the end of the last that holds the other side.
  pollfd p{pipe.from.get(), POLLIN, 0};
  ASSERT_EQ(poll(&p, 1, 10'000), 1) << "the process is still there";
  EXPECT_NE(p.revents & POLLHUP, 0);
}

TEST(RunIsolated, AnAnswerWithoutEndIsNone) {
  const Isolated result = run_isolated([] { return std::string((64U << 20U) + 1, 'x'); }, {.seconds = 20});
  EXPECT_FALSE(result.came_back);
  EXPECT_EQ(result.how, "it answered with more than 64 MB");
}

}  // namespace
}  // namespace mo::app::checks
