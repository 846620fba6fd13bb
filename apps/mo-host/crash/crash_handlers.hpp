// What is said after a crash or an interruption: who was at work, and on what.
#pragma once

namespace mo::app {

void install_signal_handlers();
// Handlers of exit() run last first: called again once plugins are loaded, which may have some of their own.
void expect_no_exit();
// From here on the program may end.
void end_of_main();

}  // namespace mo::app
