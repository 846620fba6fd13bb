// The last words after a crash or an interruption: who was at work, and on what.
#pragma once

#include "core/host/session.hpp"

namespace mo::app {

void install_signal_handlers();
// The session whose callbacks a crash report names, nullptr for none; and the model it works on.
void watch_session(const core::Session*);
void watch_model(const std::string& path);

}  // namespace mo::app
