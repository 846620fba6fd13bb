// Bytes that are taken for an ONNX file are refused with a message, or go through the whole conversion.
#include "custom_mutator.hpp"
#include "one_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mo::test::convert_or_refuse(data, size, "onnx");
  return 0;
}
