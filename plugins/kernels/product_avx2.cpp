// For processors with AVX2 and FMA; the flags are in CMakeLists.txt.
#include "product_body.hpp"
