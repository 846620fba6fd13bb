// The last words after a crash or an interruption: who was at work, and on what.
#pragma once

#include "core/registry/session.hpp"

namespace mo::app {

void install_signal_handlers();
// Handlers of exit() run last first: called again once plugins are loaded, which may have some of their own.
void expect_no_exit();
// From here on the program may end.
void end_of_main();
// The session whose callbacks a crash report names, nullptr for none; and the model it works on.
void watch_session(const core::Session*);
void watch_model(const std::string& path);

}  // namespace mo::app
