#include "apps/isolate/channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <system_error>

#include "apps/isolate/wire.hpp"

namespace mo::app::isolate {

namespace {

// A length beyond this is garbage, and what is believed of a length before its bytes are there.
constexpr uint64_t longest_message = uint64_t{1} << 36U;
constexpr size_t growth = size_t{64} << 20U;

[[noreturn]] void failed(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

void Channel::wait(short events, double& seconds) const {
  using Clock = std::chrono::steady_clock;
  for (;;) {
    pollfd p[] = {{socket_.get(), events, 0}, {process_.get(), POLLIN, 0}};  // -1 is passed over
    const auto before = Clock::now();
    const int limit = seconds < 0 ? -1 : static_cast<int>(std::min(std::ceil(seconds * 1000), 1e9));
    const int ready = poll(p, std::size(p), limit);
    if (ready < 0 && errno != EINTR) failed("poll");
    if (seconds >= 0)
      seconds = std::max(0.0, seconds - std::chrono::duration<double>(Clock::now() - before).count());
    if (ready == 0) throw TimedOut();
    if (ready > 0 && p[0].revents == 0) throw Closed();
    if (ready > 0) return;
  }
}

void Channel::send(std::string_view bytes, int file, double seconds) {
  const uint64_t size = bytes.size();
  char header[sizeof size];
  std::memcpy(header, &size, sizeof size);
  iovec parts[2] = {{header, sizeof header}, {const_cast<char*>(bytes.data()), bytes.size()}};
  size_t done = 0;
  const size_t all = sizeof header + bytes.size();
  while (done < all) {
    msghdr m{};
    iovec left[2];
    size_t n = 0, skip = done;
    for (const iovec& part : parts) {
      if (skip < part.iov_len) left[n++] = {static_cast<char*>(part.iov_base) + skip, part.iov_len - skip};
      skip -= std::min(skip, part.iov_len);
    }
    m.msg_iov = left;
    m.msg_iovlen = n;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    if (file >= 0 && done == 0) {
      m.msg_control = control;
      m.msg_controllen = sizeof control;
      cmsghdr* c = CMSG_FIRSTHDR(&m);
      c->cmsg_level = SOL_SOCKET;
      c->cmsg_type = SCM_RIGHTS;
      c->cmsg_len = CMSG_LEN(sizeof(int));
      std::memcpy(CMSG_DATA(c), &file, sizeof file);
    }
    const ssize_t sent = sendmsg(socket_.get(), &m, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      done += static_cast<size_t>(sent);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      wait(POLLOUT, seconds);
    } else if (errno == EPIPE || errno == ECONNRESET || errno == EBADF) {
      throw Closed();
    } else if (errno != EINTR) {
      failed("sendmsg");
    }
  }
}

size_t Channel::read_some(char* to, size_t size, core::Descriptor* file, double& seconds) {
  for (;;) {
    msghdr m{};
    iovec part{to, size};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    m.msg_iov = &part;
    m.msg_iovlen = 1;
    if (file != nullptr) {
      m.msg_control = control;
      m.msg_controllen = sizeof control;
    }
    const ssize_t got = recvmsg(socket_.get(), &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got > 0) {
      for (cmsghdr* c = CMSG_FIRSTHDR(&m); c != nullptr; c = CMSG_NXTHDR(&m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        // There may be more than one, as there is room for two. All of them are open here now.
        for (size_t at = 0; at + sizeof(int) <= c->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
          int fd = -1;
          std::memcpy(&fd, CMSG_DATA(c) + at, sizeof fd);
          *file = core::Descriptor(fd);
        }
      }
      return static_cast<size_t>(got);
    }
    if (got == 0 || errno == ECONNRESET || errno == EBADF) throw Closed();
    if (errno == EAGAIN || errno == EWOULDBLOCK)
      wait(POLLIN, seconds);
    else if (errno != EINTR)
      failed("recvmsg");
  }
}

Message Channel::receive(double& seconds) {
  Message m;
  uint64_t size = 0;
  char header[sizeof size];
  for (size_t have = 0; have < sizeof header;)
    have += read_some(header + have, sizeof header - have, &m.file, seconds);
  std::memcpy(&size, header, sizeof size);
  if (size == 0 || size > longest_message) throw Violation("a message of an impossible length");
  for (size_t have = 0; have < size;) {
    if (have == m.bytes.size()) m.bytes.resize(std::min<uint64_t>(size, have + growth));
    have += read_some(m.bytes.data() + have, m.bytes.size() - have, nullptr, seconds);
  }
  return m;
}

core::Descriptor sealed_copy(uint64_t bytes,
                             const std::function<void(uint64_t offset, size_t count, std::byte* to)>& read) {
  core::Descriptor file(memfd_create("mo-host tensor", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) failed("memfd_create");
  std::vector<std::byte> piece(std::min<uint64_t>(bytes, uint64_t{1} << 18));
  for (uint64_t at = 0; at < bytes; at += piece.size()) {
    const auto count = static_cast<size_t>(std::min<uint64_t>(piece.size(), bytes - at));
    read(at, count, piece.data());
    for (size_t done = 0; done < count;) {
      const ssize_t n = write(file.get(), piece.data() + done, count - done);
      if (n < 0 && errno != EINTR) failed("write");
      if (n > 0) done += static_cast<size_t>(n);
    }
  }
  if (fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0)
    failed("F_ADD_SEALS");
  return file;
}

}  // namespace mo::app::isolate
