// Work that may crash, hang or end the process, in a copy of this one.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace mo::app {

struct CopyLimits {
  std::chrono::milliseconds time{};
  // True once nothing more is expected of the copy: it is ended then, and not waited for.
  std::function<bool(std::string_view answer)> is_whole = nullptr;
};

// How the copy ended, and what came of it until then.
struct Copied {
  std::string answer;  // at most largest_answer and a bit
  std::string said;    // on stdout and stderr: the first and the last of it
  int status = 0;      // as waitpid() gives it
  bool in_time = true;
};

inline constexpr size_t largest_answer = size_t{64} << 20U;

// Has `work`, which does not return, write its answer to a descriptor. The copy has a process group of its
// own, nothing to read, and none of this program's ways to end: no handler of a signal, no core file. What it
// has started ends with it, and it ends with this process. Throws std::system_error when there is no process
// or pipe to be had.
Copied run_in_copy(const std::function<void(int answer_to)>& work, const CopyLimits&);

// Writes all of it, whatever signals come. False, and errno, when that fails.
bool write_all(int to, std::string_view);
// The same, or ends the process: for `work`.
void write_or_exit(int to, std::string_view);

}  // namespace mo::app
