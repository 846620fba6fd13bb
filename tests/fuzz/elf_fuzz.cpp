// A shared library that is looked into without being loaded is refused with a message, or read.
#include "apps/known_plugins/elf_file.hpp"
#include "apps/plugin_search/elf.hpp"
#include "custom_mutator.hpp"
#include "read_or_refuse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  using namespace mo;
  const std::string path = one_file("x.mo.so", data, size);
  (void)app::look_for_function(path, "mo_plugin_entry");
  (void)app::read_plugin_note(path);
  (void)app::read_build_id(path);
  read_or_refuse(core::Exit::plugin, [&] { (void)app::read_elf(path); });
  return 0;
}
