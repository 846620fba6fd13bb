# What Debian packages bring. protobuf is looked for by the tests alone, see tests/CMakeLists.txt.

find_package(Boost 1.74 REQUIRED COMPONENTS filesystem)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(pugixml REQUIRED)

# These come without a CMake package.
function(mo_find_plain_library target header library)
  find_path(${target}_INCLUDE_DIR ${header} REQUIRED)
  find_library(${target}_LIBRARY ${library} REQUIRED)
  mark_as_advanced(${target}_INCLUDE_DIR ${target}_LIBRARY)
  add_library(${target} UNKNOWN IMPORTED)
  set_target_properties(${target} PROPERTIES
    IMPORTED_LOCATION "${${target}_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${${target}_INCLUDE_DIR}")
endfunction()

mo_find_plain_library(re2 re2/re2.h re2)
mo_find_plain_library(xxhash xxhash.h xxhash)
# SHA-256 and nothing else of it gets into the program, which needs no library more for that.
mo_find_plain_library(crypto openssl/sha.h libcrypto.a)
find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
find_path(NLOHMANN_JSON_INCLUDE_DIR nlohmann/json.hpp REQUIRED)
find_path(ROBIN_MAP_INCLUDE_DIR tsl/robin_set.h REQUIRED)
mark_as_advanced(CLI11_INCLUDE_DIR NLOHMANN_JSON_INCLUDE_DIR)
