// Runs a program and prints its exit status, wall time in nanoseconds, processor time in microseconds
// and peak memory in KiB.
//
//     time_process LOG PROGRAM ARGUMENT...       output and errors of the program go to the file LOG
//
// This process stays small, because Linux counts a parent's memory into the peak of its child until
// the child's exec.

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: time_process LOG PROGRAM ARGUMENT...\n");
    return 2;
  }
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);

  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, argv[2], &files, nullptr, argv + 2, environ); error != 0) {
    std::fprintf(stderr, "time_process: %s: %s\n", argv[2], std::strerror(error));
    return 1;
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child) {
    std::perror("time_process");
    return 1;
  }
  const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - start;
  posix_spawn_file_actions_destroy(&files);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  const long long processor = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL +
                              usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
  std::printf("%d %lld %lld %ld\n", code, static_cast<long long>(time.count()), processor, usage.ru_maxrss);
  return 0;
}
