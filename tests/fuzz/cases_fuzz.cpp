// The file of --cases is refused with a message, or read.
#include "apps/mo-host/models/cases.hpp"
#include "custom_mutator.hpp"
#include "read_or_refuse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  using namespace mo;
  const std::string path = one_file("cases.jsonl", data, size);
  read_or_refuse(core::Exit::usage, [&] { (void)app::read_cases(path); });
  return 0;
}
