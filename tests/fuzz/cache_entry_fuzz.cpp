// A file in the cache of conversions is damaged, with a sentence that says how, or read.
#include "apps/mo-host/convert/cache_entry.hpp"
#include "custom_mutator.hpp"

#include <mo/error.hpp>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read_or_damaged = [&](auto read) {
    try {
      (void)read(text, "entry.json");
    } catch (const mo::Error& e) {
      if (std::string_view(e.what()).empty()) std::abort();
    }
  };
  read_or_damaged(mo::app::read_lists);
  read_or_damaged(mo::app::read_kept_result);
  return 0;
}
