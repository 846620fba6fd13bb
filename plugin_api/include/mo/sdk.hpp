// Everything a plugin needs.
#pragma once

#include <mo/registry.hpp>
