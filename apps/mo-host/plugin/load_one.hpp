// A plugin loaded for itself, to be looked at.
#pragma once

#include "apps/mo-host/run.hpp"

namespace mo::app {

// A session that nothing is loaded into yet; messages go where those of the run go, and a crash in it is
// reported as one of the run is.
class SideSession {
 public:
  explicit SideSession(Run&);
  ~SideSession();
  SideSession(const SideSession&) = delete;
  SideSession& operator=(const SideSession&) = delete;

  core::Session& session() { return session_; }
  // One file, whatever its manifest says. Failure (Exit::plugin) as for --extensions.
  const core::Plugin& load(const std::string& path);

 private:
  Run& run_;
  core::Session session_;
};

}  // namespace mo::app
