// Plugins apart from those of the run, to be looked at.
#pragma once

#include "apps/mo-host/program/program.hpp"

namespace mo::app {

// A session that nothing is loaded into yet; messages go where those of the run go, and a crash in it is
// reported as one of the run is.
class SideSession {
 public:
  explicit SideSession(Program&);
  ~SideSession();
  SideSession(const SideSession&) = delete;
  SideSession& operator=(const SideSession&) = delete;

  core::Session& session() { return session_; }

 private:
  Program& program_;
  core::Session session_;  // offers what that of the run offers: --simulate_abi
};

// What the plugin in this file registers, as JSON, whatever the manifest beside it says. A process of its own
// loads it. Failure (Exit::plugin) as for --extensions.
std::string probed_manifest(Program&, const std::string& path);

}  // namespace mo::app
