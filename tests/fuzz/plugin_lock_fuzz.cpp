// The lock file of a folder with plugins is refused with a message, or read: what is written of it then reads as the same.
#include "apps/known_plugins/lock.hpp"
#include "custom_mutator.hpp"
#include "read_or_refuse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  using namespace mo;
  const std::string folder = (fuzz_folder() / "locked").string();
  write_file(app::lock_path(folder), {reinterpret_cast<const char*>(data), size});
  app::Lock lock;
  if (!read_or_refuse(core::Exit::plugin, [&] { lock = app::read_lock(folder); })) return 0;
  const std::string written = app::to_json(lock);
  write_file(app::lock_path(folder), written);
  if (app::to_json(app::read_lock(folder)) != written) std::abort();
  return 0;
}
