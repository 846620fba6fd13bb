// Element types that attributes name.
#pragma once

#include <mo/build.hpp>

namespace mo::mxnet {

// `dtype` by its name or its number; f32 where it is absent.
ElementType type_of(const SourceNode& n, std::string_view name = "dtype");

}  // namespace mo::mxnet
