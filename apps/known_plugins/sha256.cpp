// The digest alone of libcrypto, as a static library: its newer interface would bring all of it.
#define OPENSSL_API_COMPAT 0x10101000L  // NOLINT: what the header asks for
#include "apps/known_plugins/sha256.hpp"

#include <openssl/sha.h>

#include <array>

#include "apps/files/regular_file.hpp"
#include "apps/known_plugins/hex.hpp"

namespace mo::app {

struct Sha256::State {
  SHA256_CTX context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) { SHA256_Init(&state_->context); }
Sha256::~Sha256() = default;

Sha256& Sha256::add(std::string_view bytes) {
  SHA256_Update(&state_->context, bytes.data(), bytes.size());
  return *this;
}

Sha256& Sha256::add_text(std::string_view text) { return add(std::to_string(text.size()) + ":").add(text); }

std::string Sha256::hex() {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256_Final(digest.data(), &state_->context);
  return hex_of({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string sha256_of(const core::Descriptor& file) {
  Sha256 sum;
  const auto take = [&](std::string_view piece) { return sum.add(piece), true; };
  return each_piece(file.get(), take) ? sum.hex() : std::string();
}

std::string sha256_of_file(const std::string& path) {
  const RegularFile opened(path);
  return opened.descriptor ? sha256_of(opened.descriptor) : std::string();
}

}  // namespace mo::app
