// The border: runs C++ code and turns what it throws into a status with its text.
#pragma once

#include <mo/tensor.hpp>

#include <new>

namespace mo::detail {

inline mo_status report(mo_context* c, mo_status status, mo_node where, std::string_view what) {
  return c->host->fail(c, status == MO_OK ? MO_ERROR : status, where, str(what));
}

template <class F>
mo_status guard(mo_context* c, F&& f) noexcept {
  try {
    if constexpr (std::is_same_v<decltype(f()), mo_status>)
      return f();
    else {
      f();
      return MO_OK;
    }
  } catch (const Error& e) {
    return report(c, e.status(), e.where(), e.what());
  } catch (const std::bad_alloc&) {
    return report(c, MO_NO_MEMORY, 0, "out of memory");
  } catch (const std::exception& e) {
    return report(c, MO_ERROR, 0, e.what());
  } catch (...) {
    return report(c, MO_ERROR, 0, "an exception that is not derived from std::exception");
  }
}

}  // namespace mo::detail
