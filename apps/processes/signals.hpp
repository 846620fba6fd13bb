// The signals that a program of this host handles, for those who undo that in a process of their own.
#pragma once

#include <signal.h>

#include <array>
#include <string_view>

namespace mo::app {

inline constexpr std::array crash_signals{SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL};
inline constexpr std::array interrupt_signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

// What a crash was, in words. [async-signal-safe]
std::string_view meaning_of(int signal) noexcept;

// A copy of this process ends by itself, and whoever waits for it sees how. What is ignored stays so, as
// nohup wants it, but for crashes. [async-signal-safe]
void forget_signal_handlers() noexcept;

}  // namespace mo::app
