// What is kept of first contact with a plugin is as if it were not there, or read.
#include "apps/known_plugins/plugin_cache.hpp"
#include "custom_mutator.hpp"
#include "read_or_refuse.hpp"

namespace {

// A plugin that was met, and where the cache keeps what is known of it.
struct Met {
  mo::test::TemporaryFolder folder;
  std::string cache = (folder.path() / "cache").string();
  mo::core::FoundPlugin plugin;
  mo::app::PluginCache known{cache, "1.0"};
  std::filesystem::path entry;

  Met() {
    plugin.path = plugin.canonical = (folder.path() / "x.mo.so").string();
    mo::test::write_file(plugin.path, "a plugin");
    mo::app::KnownPlugin k;
    k.manifest = "{}";
    if (!known.keep(plugin, k)) std::abort();
    for (const auto& file : std::filesystem::directory_iterator(cache))
      if (file.is_regular_file()) entry = file.path();
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  static const Met met;
  // Each entry says which build of the host it is of; those of the corpus are of this one.
  std::string text(reinterpret_cast<const char*>(data), size);
  constexpr std::string_view host = "HOST";
  if (const size_t at = text.find(host); at != text.npos)
    text.replace(at, host.size(), mo::app::host_identity() + ", ABI 1.0");
  write_file(met.entry, text);
  (void)met.known.find(met.plugin);
  return 0;
}
