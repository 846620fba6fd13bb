// The host's side of the border: callbacks as the registry keeps them let no exception out, whoever calls
// them.
#pragma once

#include "core/registry/contain.hpp"

#include <algorithm>
#include <memory>

namespace mo::core {

template <size_t n>
struct CallbackName {
  char text[n] = {};
  constexpr CallbackName(const char (&name)[n]) { std::copy_n(name, n, text); }  // NOLINT: a literal is meant
};

template <CallbackName name, auto member>
struct Thunk;

template <CallbackName name, class Def, class... Args, mo_status (*Def::*member)(void*, mo_context*, Args...)>
struct Thunk<name, member> {
  static mo_status call(void* def, mo_context* c, Args... args) {
    const Def& d = *static_cast<const Def*>(def);
    return contain(*static_cast<CallContext*>(c), name.text, [&] { return (d.*member)(d.user, c, args...); });
  }
};

// What these throw reaches nobody who could act on it.
template <CallbackName name, class Def, class... Args, void (*Def::*member)(void*, Args...)>
struct Thunk<name, member> {
  static void call(void* def, Args... args) noexcept {
    const Def& d = *static_cast<const Def*>(def);
    try {
      (d.*member)(d.user, args...);
    } catch (...) {
    }
  }
};

// The definition whose callbacks `to` calls from now on; its own `user` is theirs.
template <class Def, class Kept>
void adopt(const Def& d, Kept& to) {
  auto own = std::make_shared<Def>(d);
  to.self = own.get();
  to.definition = std::move(own);
}

// NULL stays NULL.
template <CallbackName name, auto member, class Def>
auto thunk(const Def& d) -> decltype(&Thunk<name, member>::call) {
  return d.*member == nullptr ? nullptr : &Thunk<name, member>::call;
}

}  // namespace mo::core
