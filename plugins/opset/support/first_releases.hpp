// Operations that came with a later release than the first of their set; said beside their registration:
//
//   r.operation<OneHot<16>>("OneHot", "opset16");
//   came_with("2025.4", "OneHot", "opset16");
//
// Measured by tests/conformance/runtimes/releases.
#pragma once

#include <mo/sdk.hpp>

namespace mo::opset {

// `release` lives until exit, as literals do.
void came_with(std::string_view release, std::string_view op, std::string_view opset);

// The host and transformations ask for them (mo/first_releases.h).
void offer_first_releases(Registry&);

}  // namespace mo::opset
