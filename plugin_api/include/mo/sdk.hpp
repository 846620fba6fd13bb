// Everything a plugin needs.
#pragma once

#include <mo/config.hpp>
#include <mo/lazy_views.hpp>
#include <mo/registry.hpp>
