// When this process may be copied: never while one of its threads is in the middle of loading plugins, for the copy
// has that thread no more, and what it has locked stays locked there.
#pragma once

#include <sys/types.h>

namespace mo::app {

// Nobody copies the process meanwhile. Any number of threads may have one.
class NotCopied {
 public:
  NotCopied();
  ~NotCopied();
  NotCopied(const NotCopied&) = delete;
  NotCopied& operator=(const NotCopied&) = delete;
};

// fork(), as soon as no other thread has a NotCopied. The thread's own does not count.
pid_t copy_process();

}  // namespace mo::app
