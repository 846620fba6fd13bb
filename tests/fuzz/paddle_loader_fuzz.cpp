// Bytes that are taken for a program of PaddlePaddle, a ProgramDesc or PIR, are refused with a message, or become a graph.
#include "custom_mutator.hpp"
#include "one_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const mo::test::Reader paddle("paddle", "paddle");
  paddle.read(data, size);
  return 0;
}
