#include "apps/isolate/shared.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdlib>
#include <system_error>

namespace mo::app::isolate {
namespace {

// In a copy of this process, which then cannot open anything.
int lend_without_room(const std::string& path) {
  const core::FileRef file = core::map_file(path);
  Shared shared(nullptr);
  Writer w;
  shared.put_file(w, file.get());
  Arena arena;
  Reader r(w.bytes(), arena);
  if (!r.flag()) return 1;
  const auto handle = r.get<uint64_t>();
  const rlimit one{1, 1};  // which is taken
  if (dup2(file->fd, 0) != 0 || setrlimit(RLIMIT_NOFILE, &one) != 0) return 2;
  try {
    Writer answer;
    (void)shared.put_file_bytes(answer, handle);
    return 3;  // the plugin would wait for a file that does not come
  } catch (const std::system_error& e) {
    return e.code().value() == EMFILE ? 0 : 4;
  }
}

TEST(Shared, AFileThatCannotBeLentIsAnError) {
  char path[] = "/tmp/mo-shared-XXXXXX";
  const core::Descriptor file(mkstemp(path));
  ASSERT_TRUE(file);
  ASSERT_EQ(ftruncate(file.get(), 1 << 20), 0);
  const pid_t child = fork();
  if (child == 0) _exit(lend_without_room(path));
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  unlink(path);
}

}  // namespace
}  // namespace mo::app::isolate
