// A plugin in its own process, as the host sees it.
#pragma once

#include "apps/isolate/host_calls.hpp"
#include "apps/isolate/process.hpp"
#include "apps/isolate/shared.hpp"
#include "core/registry/session.hpp"

#include <memory>
#include <vector>

namespace mo::app::isolate {

// What a callback of the plugin threw; the host tells it as it tells that of any plugin.
struct Thrown : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct ThrownUnknown {};

class Isolated : public std::enable_shared_from_this<Isolated> {
 public:
  Isolated(const core::Session&, const core::FoundPlugin&, double seconds);
  ~Isolated();
  Isolated(const Isolated&) = delete;
  Isolated& operator=(const Isolated&) = delete;

  // Reads the first message. Throws what is to be said of a file that is no plugin.
  void start();
  std::string id() const;
  // What mo_plugin_entry gave or threw there.
  const mo_plugin* descriptor() const;

  // Has the plugin's process run something. put writes the arguments, take reads the answer of an MO_OK. When
  // the process is gone, or has to go, the context says so and MO_ERROR is returned.
  template <class Put, class Take>
  mo_status ask(uint32_t what, uint64_t number, mo_context* c, Put put, Take take) {
    return converse(
        [&](Writer& w, uint32_t context) {
          w.put(what);
          w.put(number);
          w.put(context);
          put(shared_, w);
        },
        [&](Reader& r) { take(shared_, r); }, c);
  }
  // Of what returns nothing: that it failed is logged.
  template <class Put>
  void tell(Extra what, uint64_t number, Put put) {
    if (failure_) return;
    (void)ask(static_cast<uint32_t>(what), number, nullptr, put, [](Shared&, Reader&) {});
    if (failure_) session_.log(MO_LOG_WARNING, failure_->render());
  }

  // For the functions that serve what the plugin asks.
  Shared& shared() { return shared_; }
  const core::Session& session() const { return session_; }
  mo_context* context_at(uint32_t index) const;

 private:
  mo_status converse(const std::function<void(Writer&, uint32_t context)>& put,
                     const std::function<void(Reader&)>& take, mo_context* c);
  mo_status hear(const std::function<void(Reader&)>& take, mo_context* c, double seconds);
  mo_status fault(mo_context* c, const char* code, const std::string& what);
  mo_status report(mo_context* c) const;

  const core::Session& session_;
  std::string name_;
  double seconds_;
  Process process_;
  Shared shared_;
  std::vector<mo_context*> contexts_;     // of callbacks under way
  std::optional<core::Failure> failure_;  // why it is gone
  uint64_t callbacks_ = 0, host_calls_ = 0, answered_there_ = 0;

  Arena arena_;
  Message first_;
  mo_plugin descriptor_{};
  enum class Entry { descriptor, null, threw } entry_ = Entry::null;
  mo_str thrown_{};
};

// Executes what the plugin asks of the host; a file that belongs to the answer comes back.
core::Descriptor serve(const std::shared_ptr<Isolated>&, Reader&, Writer&);

}  // namespace mo::app::isolate
