// Everything a plugin needs.
#pragma once

#include <mo/config.hpp>
#include <mo/registry.hpp>
