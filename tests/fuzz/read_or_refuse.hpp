// What the fuzzers of the host's own files share: reading ends, or is refused as what the file is the fault of.
#pragma once

#include "one_model.hpp"

namespace mo::test {

// False: it was refused.
template <class Read>
bool read_or_refuse(core::Exit as, Read read) {
  try {
    read();
    return true;
  } catch (const core::Failure& f) {
    if (f.exit() == as && !f.message().empty()) return false;
    std::fprintf(stderr, "%s\n", f.render().c_str());
    std::abort();
  }
}

// Always of the same name: a message of a fuzzer says it.
inline std::string one_file(const char* name, const uint8_t* data, size_t size) {
  const auto path = fuzz_folder() / name;
  write_file(path, {reinterpret_cast<const char*>(data), size});
  return path.string();
}

}  // namespace mo::test
