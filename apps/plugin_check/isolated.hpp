// Something that may crash, hang or end the process.
#pragma once

#include <functional>
#include <string>

namespace mo::app::checks {

struct Isolated {
  bool came_back = false;
  std::string answer;  // what f returned
  std::string how;     // it did not come back: signal, exit code or time, and the last it said on stderr
};

struct IsolatedLimits {
  int seconds = 60;
  bool ends_like_a_program = false;  // with what runs at exit; otherwise nothing does
};

// Runs f in a process of its own. Failure when there is none to be had.
Isolated run_isolated(const std::function<std::string()>& f, const IsolatedLimits&);

// What is being tried now: the last of these is told with a crash. Nothing where the caller is not isolated.
void note_attempt(const std::string& what);

// False where sanitizers need all of the address space.
bool limits_memory();

}  // namespace mo::app::checks
