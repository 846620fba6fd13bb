// Everything a plugin needs.
#pragma once

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 201703L
#error "the C++ SDK of mo-host needs C++17 (-std=c++17); plugins in C or in older C++ include <mo/plugin.h>"
#endif

#include <mo/config.hpp>
#include <mo/lazy_views.hpp>
#include <mo/registry.hpp>
#include <mo/rewrite.hpp>
#include <mo/target.hpp>
