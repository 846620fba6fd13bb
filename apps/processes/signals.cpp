#include "apps/processes/signals.hpp"

namespace mo::app {

std::string_view meaning_of(int signal) noexcept {
  switch (signal) {
    case SIGSEGV:
      return "invalid memory access";
    case SIGABRT:
      return "abort";
    case SIGFPE:
      return "arithmetic error";
    case SIGILL:
      return "invalid instruction";
    case SIGBUS:
      return "bus error";
    default:
      return "ended by a signal";
  }
}

void forget_signal_handlers() noexcept {
  for (const int s : crash_signals) (void)signal(s, SIG_DFL);
  const auto forget = [](int s) {
    struct sigaction now {};
    if (sigaction(s, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) (void)signal(s, SIG_DFL);
  };
  for (const int s : interrupt_signals) forget(s);
  for (const int s : {SIGALRM, SIGPIPE}) forget(s);
}

}  // namespace mo::app
