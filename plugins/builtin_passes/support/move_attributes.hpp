#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

// `to` gets all attributes of `from`. Bodies leave it: a body has one holder.
void move_attributes(const Node& from, const Node& to);

}  // namespace mo::builtin_passes
