// For any x86-64; the flags are in CMakeLists.txt.
#include "product_body.hpp"
