// No exception of a plugin reaches the host's own code.
#pragma once

#include "core/registry/rules.hpp"
#include "core/registry/session.hpp"

namespace mo::core {

// Looks at what a plugin that is not built in does beside its work; nullptr: nobody looks.
struct CallbackWatch {
  virtual ~CallbackWatch() = default;
  virtual void before(const CallContext&) noexcept = 0;
  virtual void after(const CallContext&, std::string_view callback) noexcept = 0;
};
inline CallbackWatch* callback_watch = nullptr;

class Watched {
 public:
  Watched(const CallContext& c, std::string_view callback)
      : context_(callback_watch == nullptr || c.plugin == nullptr || c.plugin->built_in ? nullptr : &c),
        callback_(callback) {
    if (context_ != nullptr) callback_watch->before(c);
  }
  ~Watched() {
    if (context_ != nullptr) callback_watch->after(*context_, callback_);
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  const CallContext* context_;
  std::string_view callback_;
};

// Runs a callback of a plugin. What it throws becomes MO_ERROR and a text that Call::check reports.
template <class F>
mo_status contain(CallContext& c, std::string_view callback, F f) {
  const auto caught = [&](std::string_view what) {
    c.error = text(rule_name(Rule::exception_left), " callback '", callback, "' let a C++ exception out (",
                   what, "); expected a status and a text for mo_host.fail");
    return mo_status{MO_ERROR};
  };
  const Watched watched(c, callback);
  try {
    return f();
  } catch (const std::exception& e) {
    return caught(reason_of(e));
  } catch (...) {
    return caught("not a std::exception");
  }
}

}  // namespace mo::core
