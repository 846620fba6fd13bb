// Bytes that are taken for a GraphDef, a MetaGraphDef or their text are refused with a message, or become a
// graph that is converted.
#include "custom_mutator.hpp"
#include "one_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mo::test::prepare_or_refuse(data, size, mo::core::Stage::final, "tf");
  return 0;
}
