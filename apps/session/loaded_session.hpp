// A session with the plugins that its options ask for: what the program and the library have in common.
#pragma once

#include "apps/isolate/careful_loading.hpp"
#include "apps/known_plugins/search_path.hpp"
#include "apps/session/early_options.hpp"
#include "core/host/host_tables.hpp"

namespace mo::app {

class LoadedSession {
 public:
  LoadedSession() = default;
  LoadedSession(const LoadedSession&) = delete;
  LoadedSession& operator=(const LoadedSession&) = delete;

  // Loads plugins, if asked for; who wants to hear of them has set session().log_sink. for_one_framework: what
  // built-in front-ends have for their models is there once a model is one of theirs, or something asks for it.
  void open(const EarlyOptions&, bool load_plugins, bool for_one_framework);
  // Adds what only computing needs: fast kernels that conversion does without.
  void load_kernels();

  // As given to open().
  const EarlyOptions& early() const { return early_; }
  core::Session& session() { return session_; }
  const core::Session& session() const { return session_; }
  const core::LoadReport& plugins() const { return plugins_; }

  // How plugins that are not built in are met.
  FirstContact first_contact() const;
  // How plugins are loaded in this run: all but which of them.
  CarefulRequest load_request(const SearchPath&) const;
  // Ids by --prefer, else by MO_PREFER: whose registrations are used where several claim one thing.
  std::vector<std::string> preferred() const;
  // Refused and skipped plugins, one line each; empty when there are none.
  std::string skipped_plugins() const;

 private:
  void load();
  void leave_out_disorder(const std::vector<std::string>& searched);
  void check_preferred(const std::vector<std::string>& ids, bool asked_for) const;

  EarlyOptions early_;
  core::Session session_{core::host_table()};
  core::LoadReport plugins_;
};

}  // namespace mo::app
