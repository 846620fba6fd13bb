// For processors with AVX-512; the flags are in CMakeLists.txt.
#include "product_body.hpp"
