#pragma once

#include <string>

#include "core/support/failure.hpp"

namespace mo::test {

// The failure that `f` ends in, with all its lines; empty when there is none.
template <class F>
std::string failure_of(F f) {
  try {
    f();
  } catch (const core::Failure& e) {
    return e.render();
  }
  return {};
}

}  // namespace mo::test
