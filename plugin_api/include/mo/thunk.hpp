// The border: runs C++ code and turns what it throws into a status with its text.
#pragma once

#include <mo/tensor.hpp>

#include <new>
#include <stdexcept>

namespace mo::detail {

inline mo_status report(mo_context* c, mo_status status, mo_node where, std::string_view what) {
  return c->host->fail(c, status == MO_OK ? MO_ERROR : status, where, str(what));
}
inline mo_status report(mo_context* c, const Error& e) {
  if (e.said().empty()) return report(c, e.status(), e.where(), e.what());
  const mo_message m = message_of(e.what(), e.said(), e.where());
  return c->host->fail_with(c, e.status() == MO_OK ? MO_ERROR : e.status(), &m);
}

template <class F>
mo_status guard(mo_context* c, F&& f) noexcept {
  const AtHand at_hand(c);
  try {
    if constexpr (std::is_same_v<decltype(f()), mo_status>)
      return f();
    else {
      f();
      return MO_OK;
    }
  } catch (const Error& e) {
    return report(c, e);
  } catch (const std::bad_alloc&) {
    return report(c, MO_NO_MEMORY, 0, "out of memory");
  } catch (const std::length_error&) {
    return report(c, MO_ERROR, 0,
                  "a list would have more elements than memory; the sizes that it follows from are wrong");
  } catch (const std::exception& e) {
    return report(c, MO_ERROR, 0, e.what());
  } catch (...) {
    return report(c, MO_ERROR, 0, "an exception that is not derived from std::exception");
  }
}

}  // namespace mo::detail
