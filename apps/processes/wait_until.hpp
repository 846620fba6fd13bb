// Waiting for a process, but not for ever.
#pragma once

#include <sys/types.h>

#include <chrono>

namespace mo::app {

using Moment = std::chrono::steady_clock::time_point;

// As poll() wants it; 0 when it is past.
int milliseconds_until(Moment);

// Whether this child of ours has ended by then. It stays to be waited for, unless somebody else has done so.
bool ends_until(pid_t child, Moment);

// Ends the child, if it has not ended, and what is in its process group. What waitpid() says of the child; 0
// when somebody else has waited for it.
int end_group(pid_t child);

}  // namespace mo::app
