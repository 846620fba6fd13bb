// Bytes that are taken for a TensorFlow Lite model are refused with a message, or become a graph that is
// converted. libFuzzer spoils them as the replay does: at the fields of the FlatBuffer.
#include <cstring>

#include "mutate.hpp"
#include "one_model.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && defined(__clang__)
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string spoilt = mo::test::Mutator(seed).mutated({reinterpret_cast<const char*>(data), size});
  const size_t kept = std::min(spoilt.size(), max_size);
  std::memcpy(data, spoilt.data(), kept);
  return kept;
}
#endif
#endif

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mo::test::prepare_or_refuse(data, size, mo::core::Stage::final, "tflite");
  return 0;
}
