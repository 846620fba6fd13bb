// What a crash report says of the plugin at work. Nothing here allocates or waits.
#pragma once

#include <string>
#include <string_view>

#include "apps/mo-host/crash/signal_text.hpp"
#include "core/registry/session.hpp"

namespace mo::app {

// Innermost first: the first call that knows a thing is the one at hand.
struct CurrentWork {
  const core::Plugin* plugin = nullptr;
  const core::Transformation* transformation = nullptr;
  const core::Graph* graph = nullptr;
  core::NodeId node = core::no_node;
};

// Of the session that is watched. Between calls, whoever is asked to let go of something.
CurrentWork current_work();
// One line for each thing that is known.
void describe(SignalText&, const CurrentWork&);
std::string_view name_of(const core::Plugin&);
// Of plugins that are not built in the one that was called last; nullptr: none was. Who comes afterwards may be innocent.
void note_foreign_call(const core::Plugin*);
// Its id, which lies where nobody but the host writes; "": nobody was called.
const char* last_foreign_call();
// The session whose callbacks are reported, nullptr for none; and the model it works on.
const core::Session* watched_session();
void watch_session(const core::Session*);
void watch_model(const std::string& path);

}  // namespace mo::app
