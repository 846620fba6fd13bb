// Digests of plugins: XXH3-128, 32 hexadecimal digits.
#pragma once

#include <functional>
#include <string>

namespace mo::app {

// Of all bytes of a file. Throws Failure (Exit::plugin) when it cannot be read.
std::string file_digest(const std::string& path);

// Of what the system would map of a library: code, data and everything the loader reads. Debug information
// and symbol tables that only tools read are not part of it, so that a stripped file has the digest it had
// before. Throws Failure (Exit::plugin) for what is no library.
std::string loaded_digest(const std::string& path);
// That, piece by piece.
void visit_loaded(const std::string& path, const std::function<void(const void*, size_t)>& take);

}  // namespace mo::app
