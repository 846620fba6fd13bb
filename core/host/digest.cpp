#include "core/host/digest.hpp"

#include <xxhash.h>

#include <memory>
#include <mo/text.hpp>

#include "core/graph/tensor.hpp"
#include "core/host/elf.hpp"
#include "core/host/refusal.hpp"
#include "core/support/hex.hpp"

namespace mo::core {

namespace {

class Hasher {
 public:
  Hasher() : state_(XXH3_createState(), &XXH3_freeState) {
    if (state_ == nullptr || XXH3_128bits_reset(state_.get()) != XXH_OK) throw std::bad_alloc();
  }
  void add(const void* bytes, size_t n) { (void)XXH3_128bits_update(state_.get(), bytes, n); }
  std::string hex() const {
    XXH128_canonical_t big_endian;
    XXH128_canonicalFromHash(&big_endian, XXH3_128bits_digest(state_.get()));
    return hex_of({reinterpret_cast<const char*>(big_endian.digest), sizeof big_endian.digest});
  }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

FileRef mapped(const std::string& path) {
  try {
    return map_file(path);
  } catch (const Error& e) {
    throw refusal(Rule::no_such_path, e.what()).with("file", path);
  }
}

}  // namespace

std::string file_digest(const std::string& path) {
  const FileRef file = mapped(path);
  Hasher hasher;
  hasher.add(file->data, file->bytes);
  return hasher.hex();
}

std::string loaded_digest(const std::string& path) {
  Hasher hasher;
  std::string problem;
  const auto take = [&](const void* bytes, size_t n) { hasher.add(bytes, n); };
  if (!visit_loaded(path, take, problem))
    throw refusal(Rule::not_a_library, text("the file ", problem)).with("file", path);
  return hasher.hex();
}

}  // namespace mo::core
