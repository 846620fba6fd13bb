// Bytes that are taken for an archive of torch.export are refused with a message, or become a graph.
#include "custom_mutator.hpp"
#include "one_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const mo::test::Reader pytorch("pytorch", "pytorch");
  pytorch.read(data, size);
  return 0;
}
