// Between a plugin and the host: a table of functions that count, fail when asked to, and watch memory.
#pragma once

#include <thread>

#include "core/registry/session.hpp"

namespace mo::app::checks {

struct Tap {
  // Calls of this plugin only; nullptr: of all.
  const core::Plugin* plugin = nullptr;
  size_t calls = 0;
  size_t fail_at = 0;  // the call that fails; 0: none
  mo_status status = MO_ERROR;
  std::string_view failed;               // the name of the function that did
  std::thread::id thread;                // the one that callbacks run on
  std::string_view wrong_thread;         // the name of a function that another one called
  bool finds_nothing = false;            // options and interfaces
  bool guards_memory = false;            // tensors end where readable memory does
  bool keeps_tensors = false;            // a reference to each that is made
  std::vector<core::TensorRef> tensors;  // these
};

Tap& tap();
// A [session] function of the host was called from another thread than its callback's: a Finding.
void require_own_thread();

// Today's host behind the tap. `larger`: as a later one, with more members than this header knows.
const mo_host* tapped_host(bool larger = false);

// While it lives the session's plugins see the tap.
class TapScope {
 public:
  TapScope(core::Session& session, bool larger = false) : session_(session), before_(*session.host()) {
    tap() = {};
    tap().thread = std::this_thread::get_id();
    session_.offer(*tapped_host(larger));
  }
  ~TapScope() {
    session_.offer(before_);
    tap() = {};
  }
  TapScope(const TapScope&) = delete;
  TapScope& operator=(const TapScope&) = delete;

 private:
  core::Session& session_;
  const mo_host& before_;
};

// `bytes` of memory that end at a page nobody may touch, or start behind one that can be read only.
class GuardedBytes {
 public:
  enum class Access { read_only, read_write };
  // `offset`: so many bytes are left free at the end.
  GuardedBytes(const void* from, size_t bytes, Access, size_t offset = 0);
  ~GuardedBytes();
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;
  std::byte* data() const { return data_; }

 private:
  void* map_ = nullptr;
  size_t length_ = 0;
  std::byte* data_ = nullptr;
};

// A tensor whose bytes are a copy of those of `t`, in guarded memory.
core::TensorRef guarded_copy(const mo_tensor& t, GuardedBytes::Access, size_t offset = 0);

}  // namespace mo::app::checks
