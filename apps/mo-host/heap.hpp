#pragma once

namespace mo::app {

// Models of many nodes spend much of their time on page faults and on finding pages: the heap's next part is
// made of large pages where the system has them. To be called once, before a model is loaded. A system that
// refuses changes nothing.
void use_large_pages();

}  // namespace mo::app
