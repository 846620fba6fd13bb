// The exception of the SDK. It never leaves a plugin: thunks turn it into a status with its text.
#pragma once

#include <mo/text.hpp>

#include <stdexcept>

namespace mo {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, mo_status status = MO_ERROR, mo_node where = 0)
      : std::runtime_error(what), status_(status), where_(where) {}
  mo_status status() const { return status_; }
  mo_node where() const { return where_; }  // 0: the node at hand

 private:
  mo_status status_;
  mo_node where_;
};

template <class... Args>
[[noreturn]] void fail(const Args&... args) {
  throw Error(text(args...));
}

// Arguments are only turned into text when the condition does not hold.
template <class... Args>
void require(bool condition, const Args&... args) {
  if (!condition) throw Error(text(args...));
}

}  // namespace mo
