// The reference of transformations: what `list transformations --format=md` shows.
#pragma once

#include <string>

#include "core/registry/session.hpp"

namespace mo::app {

// One section per transformation that states what it does to a graph: before and after, in the text form.
std::string transformation_reference(const core::Session&);

}  // namespace mo::app
