// Says so when a plugin keeps the program waiting. It is not ended: what takes long may still come to an end.
#pragma once

namespace mo::app {

// After 30 s inside one callback, and again after 60, 120, …; MO_HANG_NOTICE has another number of seconds, 0
// for never.
void start_watchdog();

}  // namespace mo::app
