#include "apps/isolate/channel.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstring>
#include <filesystem>

namespace mo::app::isolate {
namespace {

size_t open_here() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

// A message of one byte with so many files, which no Channel would send.
void send_files(int socket, int file, size_t count) {
  char bytes[9] = {1, 0, 0, 0, 0, 0, 0, 0, 'x'};
  iovec part{bytes, sizeof bytes};
  alignas(cmsghdr) char control[CMSG_SPACE(8 * sizeof(int))] = {};
  msghdr m{};
  m.msg_iov = &part;
  m.msg_iovlen = 1;
  m.msg_control = control;
  m.msg_controllen = CMSG_SPACE(count * sizeof(int));
  cmsghdr* c = CMSG_FIRSTHDR(&m);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(count * sizeof(int));
  for (size_t i = 0; i < count; ++i) std::memcpy(CMSG_DATA(c) + i * sizeof file, &file, sizeof file);
  ASSERT_EQ(sendmsg(socket, &m, 0), static_cast<ssize_t>(sizeof bytes));
}

TEST(Channel, FilesThatNobodyAskedForAreClosed) {
  for (const size_t count : {1U, 2U, 3U, 8U}) {
    int pair[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    const core::Descriptor other(pair[1]);
    Channel channel{core::Descriptor(pair[0])};
    const size_t before = open_here();
    send_files(other.get(), other.get(), count);
    {
      double seconds = 5;
      const Message m = channel.receive(seconds);
      EXPECT_EQ(m.bytes, "x");
      EXPECT_TRUE(m.file);
      EXPECT_EQ(open_here(), before + 1) << count;
    }
    EXPECT_EQ(open_here(), before) << count;
  }
}

}  // namespace
}  // namespace mo::app::isolate
