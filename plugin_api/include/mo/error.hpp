// The exception of the SDK. It never leaves a plugin: thunks turn it into a status with its text.
#pragma once

#include <mo/text.hpp>

#include <stdexcept>
#include <utility>

namespace mo {

// What can be said of a failure, or in the log, beside its text: see mo_message.
struct Remarks {
  std::string hint, code, option, file;
  uint64_t line = 0, column = 0, offset = 0;
  bool empty() const { return hint.empty() && code.empty() && option.empty() && file.empty(); }
};

// Among the arguments of fail, require and the like: what to try. It is no part of the text.
//   require(axis < rank, "axis is ", axis, "; expected less than ", rank, hint("--input_shape says the
//   rank"));
struct Hint {
  std::string text;
};
template <class... Args>
Hint hint(const Args&... args) {
  return {text(args...)};
}
inline void append_text(std::string&, const Hint&) {}

// Likewise: where in the user's files it is.
struct Place {
  std::string_view file;
  uint64_t line = 0, column = 0;  // from 1 on; 0: not known
  uint64_t offset = 0;            // in bytes, where there are no lines
};
inline void append_text(std::string&, const Place&) {}

namespace detail {
template <class T>
void remark(Remarks&, const T&) {}
inline void remark(Remarks& r, const Hint& h) { r.hint = h.text; }
inline void remark(Remarks& r, const Place& p) {
  r.file = p.file;
  r.line = p.line;
  r.column = p.column;
  r.offset = p.offset;
}
// what() ends at a zero byte, which names in files may have; the text goes on.
inline std::string without_zero_bytes(std::string s) {
  for (size_t at = s.find('\0'); at != std::string::npos; at = s.find('\0', at)) s.replace(at, 1, "\\0");
  return s;
}
}  // namespace detail

class Error : public std::runtime_error {
 public:
  explicit Error(std::string what, mo_status status = MO_ERROR, mo_node where = 0, Remarks said = {})
      : std::runtime_error(detail::without_zero_bytes(std::move(what))),
        status_(status),
        where_(where),
        said_(std::move(said)) {}
  mo_status status() const { return status_; }
  mo_node where() const { return where_; }  // 0: the node at hand
  const Remarks& said() const { return said_; }

 private:
  mo_status status_;
  mo_node where_;
  Remarks said_;
};

template <class... Args>
[[noreturn]] void fail_with(mo_status status, Remarks said, const Args&... args) {
  (detail::remark(said, args), ...);
  throw Error(text(args...), status, 0, std::move(said));
}

template <class... Args>
[[noreturn]] void fail(const Args&... args) {
  fail_with(MO_ERROR, {}, args...);
}

// Arguments are only turned into text when the condition does not hold.
template <class... Args>
void require(bool condition, const Args&... args) {
  if (!condition) fail(args...);
}

}  // namespace mo
