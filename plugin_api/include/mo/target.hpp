// mo/target.hpp: the release of the runtime that an IR is written for. What each release has the host knows,
// so that a plugin goes with releases that are later than itself.
#pragma once

#include <mo/tensor.hpp>

#include <charconv>
#include <optional>

namespace mo {

// The oldest release that has to read what is written.
inline mo_runtime target_runtime(Context c) {
  mo_runtime r{};
  r.size = sizeof r;
  c.check(c.host()->target_runtime(c.get(), &r));
  return r;
}

// The first release with an operation set, of "opset16" with 16; nothing where the host knows of none.
inline std::optional<mo_runtime> first_runtime(Context c, int32_t opset) {
  mo_runtime r{};
  r.size = sizeof r;
  const mo_status status = c.host()->first_runtime(c.get(), opset, &r);
  if (status == MO_NOT_FOUND) return std::nullopt;
  c.check(status);
  return r;
}

// Whether it comes after the release of this name: "2022.3".
inline bool is_later(const mo_runtime& r, std::string_view name) {
  int32_t year = 0, number = 0;
  const char* end = name.data() + name.size();
  const char* point = std::from_chars(name.data(), end, year).ptr;
  const bool whole = point != end && *point == '.' && std::from_chars(point + 1, end, number).ptr == end;
  require(whole, "'", name, "' is no name of a release; expected YEAR.NUMBER");
  return r.year != year ? r.year > year : r.number > number;
}

}  // namespace mo
