// The release that --target names, and what it has.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

inline bool has_opset(Context c, int opset) { return target_runtime(c).opset >= opset; }
// Whether files have to be read by this release or an older one.
inline bool targets_up_to(Context c, std::string_view release) {
  return !is_later(target_runtime(c), release);
}

// Whether IR version 10 is written: it was asked for, or the model is one and nothing else was.
inline bool writes_version_10(const Graph& g) {
  const Context c = g.context();
  return target_runtime(c).ir_version == 10 ||
         (!option<std::string>(c, "ir_version") && g.attr<int64_t>("ir_version") == 10);
}

}  // namespace mo::builtin_passes
