#include "apps/processes/signals.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mo::app {
namespace {

void handle(int) {}

// In a copy of this process: what a test changes is not for those after it.
int exit_code_of(int (*f)()) {
  const pid_t child = fork();
  if (child == 0) _exit(f());
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

bool has_handler(int signal, void (*expected)(int)) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == expected;
}

TEST(Signals, HandlersAreForgotten) {
  EXPECT_EQ(exit_code_of([] {
              for (const int s : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGINT, SIGTERM, SIGHUP, SIGALRM,
                                  SIGPIPE, SIGUSR1})
                signal(s, handle);
              forget_signal_handlers();
              for (const int s :
                   {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGPIPE})
                if (!has_handler(s, SIG_DFL)) return s;
              return has_handler(SIGUSR1, handle) ? 0 : SIGUSR1;
            }),
            0);
}

TEST(Signals, WhatIsIgnoredStaysSo) {
  EXPECT_EQ(exit_code_of([] {
              for (const int s : {SIGSEGV, SIGINT, SIGTERM, SIGHUP}) signal(s, SIG_IGN);
              forget_signal_handlers();
              for (const int s : {SIGINT, SIGTERM, SIGHUP})
                if (!has_handler(s, SIG_IGN)) return s;
              return has_handler(SIGSEGV, SIG_DFL) ? 0 : SIGSEGV;
            }),
            0);
}

TEST(Signals, CrashesHaveWords) {
  for (const int s : crash_signals) EXPECT_NE(meaning_of(s), meaning_of(SIGKILL)) << s;
  EXPECT_EQ(meaning_of(SIGSEGV), "invalid memory access");
  EXPECT_EQ(meaning_of(SIGKILL), "ended by a signal");
}

}  // namespace
}  // namespace mo::app
