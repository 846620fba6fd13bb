// libFuzzer spoils inputs of this fuzzer as the replay does, where they have something to say, and in one of
// four cases in its own ways. Included by a fuzzer whose inputs are files of a format.
#pragma once

#ifdef MO_LIBFUZZER
#include <algorithm>
#include <cstring>

#include "mutate.hpp"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string spoilt = mo::test::Mutator(seed).mutated({reinterpret_cast<const char*>(data), size});
  const size_t kept = std::min(spoilt.size(), max_size);
  std::memcpy(data, spoilt.data(), kept);
  return kept;
}
#endif
