// The manifest beside a plugin is refused with a message, or read: what is written of it then reads as the same.
#include "apps/known_plugins/manifest.hpp"
#include "custom_mutator.hpp"
#include "read_or_refuse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  using namespace mo;
  app::Manifest m;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (!read_or_refuse(core::Exit::plugin, [&] { m = app::manifest_from_json("x.mo.json", text); })) return 0;
  const std::string written = app::to_json(m);
  if (app::to_json(app::manifest_from_json("x.mo.json", written)) != written) std::abort();
  return 0;
}
