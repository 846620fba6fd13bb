// SHA-256 (FIPS 180-4), as OpenSSL computes it.
#pragma once

#include "core/support/descriptor.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace mo::app {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  Sha256& add(std::string_view bytes);
  // The length goes in front, so that two texts are never taken for two others.
  Sha256& add_text(std::string_view text);
  // 64 hexadecimal digits. Nothing may be added any more.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Of all bytes of a file, from where it is read; "" when it cannot be.
std::string sha256_of(const core::Descriptor&);
std::string sha256_of_file(const std::string& path);

}  // namespace mo::app
