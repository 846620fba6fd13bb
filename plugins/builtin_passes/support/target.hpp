// The release that --target names, and what it has.
#pragma once

#include <mo/first_releases.h>

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

inline bool has_opset(Context c, int opset) { return target_runtime(c).opset >= opset; }
// Whether the release has the operation, of OpenVINO's "opset16".
inline bool has_operation(Context c, std::string_view op, std::string_view opset) {
  const auto* table =
      c.find_interface<mo_first_releases>(MO_FIRST_RELEASES_INTERFACE, MO_FIRST_RELEASES_REVISION);
  const std::string_view first =
      table == nullptr ? std::string_view() : view(table->first_release(str(op), str(opset)));
  if (!first.empty()) return view(target_runtime(c).name) == first || is_later(target_runtime(c), first);
  int32_t number = 0;
  if (opset.size() > 5) std::from_chars(opset.data() + 5, opset.data() + opset.size(), number);
  return has_opset(c, number);
}
// Whether files have to be read by this release or an older one.
inline bool targets_up_to(Context c, std::string_view release) {
  return !is_later(target_runtime(c), release);
}

// Whether IR version 10 is written: it was asked for, or the model is one and nothing else was.
inline bool writes_version_10(const Graph& g) {
  const Context c = g.context();
  if (const auto asked = option<std::string>(c, "ir_version")) return *asked == "10";
  return target_runtime(c).ir_version == 10 || g.attr<int64_t>("ir_version") == 10;
}

}  // namespace mo::builtin_passes
