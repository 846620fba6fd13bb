// What the sources of the plugin share.
#pragma once

#include <mo/sdk.hpp>

namespace acme {

// Operations of ours live in an opset of our own: "opset1" and its like belong to OpenVINO.
inline constexpr std::string_view opset = "com.acme";

void register_scaled_shift(mo::Registry&);
void register_scaled_shift_extractor(mo::Registry&);
void register_fuse_swish(mo::Registry&);

}  // namespace acme
