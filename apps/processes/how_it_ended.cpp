#include "apps/processes/how_it_ended.hpp"

#include <sys/wait.h>

#include <cstring>
#include <mo/text.hpp>

namespace mo::app {

std::string how_it_ended(int status) {
  if (WIFEXITED(status)) return text("ended its process with exit status ", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const char* name = sigabbrev_np(signal);
  const char* meaning = sigdescr_np(signal);
  return text("was ended by SIG", name == nullptr ? "?" : name, " (", meaning == nullptr ? "" : meaning, ")");
}

}  // namespace mo::app
