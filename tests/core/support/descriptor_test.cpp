#include "core/support/descriptor.hpp"

#include <gtest/gtest.h>

namespace mo::core {
namespace {

bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

TEST(Descriptor, IsClosedWithItsLastOwner) {
  Pipe pipe;
  ASSERT_TRUE(pipe.make());
  const int from = pipe.from.get(), to = pipe.to.get();
  EXPECT_EQ(fcntl(from, F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(fcntl(to, F_GETFD), FD_CLOEXEC);
  {
    const Descriptor owner = std::move(pipe.from);
    EXPECT_EQ(owner.get(), from);
    EXPECT_TRUE(is_open(from));
  }
  EXPECT_FALSE(is_open(from));
  EXPECT_TRUE(is_open(to));
  pipe.to.close();
  EXPECT_FALSE(is_open(to));
  EXPECT_FALSE(pipe.to);
}

TEST(Descriptor, WhatIsAssignedOverIsClosedAtOnce) {
  Pipe pipe;
  ASSERT_TRUE(pipe.make());
  const int from = pipe.from.get(), to = pipe.to.get();
  pipe.from = std::move(pipe.to);
  EXPECT_FALSE(is_open(from));
  EXPECT_EQ(pipe.from.get(), to);
  Descriptor& same = pipe.from;
  pipe.from = std::move(same);
  EXPECT_TRUE(is_open(to));
}

}  // namespace
}  // namespace mo::core
