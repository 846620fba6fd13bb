// XXH3 with 128 bits, as hexadecimal digits.
#pragma once

#include <xxhash.h>

#include <memory>
#include <new>
#include <string>

#include "apps/known_plugins/hex.hpp"

namespace mo::app {

class Xxh3 {
 public:
  Xxh3() : state_(XXH3_createState(), &XXH3_freeState) {
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

}  // namespace mo::app
