// What a command line says about inputs and outputs is refused with a message, or read. The first letter says which option
// it is of.
#include "apps/options/input_grammar.hpp"
#include "apps/session/value_inputs.hpp"
#include "custom_mutator.hpp"
#include "read_or_refuse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  using namespace mo;
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  read_or_refuse(core::Exit::usage, [&] {
    switch (data[0]) {
      case 'i':
        return (void)app::parse_inputs(text);
      case 's':
        return (void)app::parse_shapes(text);
      case 'd':
        return (void)app::parse_dimensions(text);
      case 'o':
        return (void)app::parse_outputs(text);
      case 'f':
        return (void)app::parse_frozen_inputs(text);
      default:
        return (void)app::parse_value_inputs(text);
    }
  });
  return 0;
}
