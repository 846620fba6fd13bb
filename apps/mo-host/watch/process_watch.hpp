// What plugins that are not built in change of the process is put back, and told: a relative path would lead elsewhere, files
// would get other permissions, Ctrl-C would do nothing.
#pragma once

namespace mo::app {

// From here on. For the program alone: in a library the process is somebody else's.
void watch_process();

}  // namespace mo::app
