// The examples that NIST published for FIPS 180-4.
#include "apps/known_plugins/sha256.hpp"

#include <gtest/gtest.h>

namespace mo::app {
namespace {

std::string of(std::string_view text, size_t piece) {
  Sha256 hash;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) hash.add(text.substr(0, piece));
  return hash.hex();
}

TEST(Sha256, GivesThePublishedDigests) {
  for (const size_t piece : {1, 3, 64, 1000}) {
    EXPECT_EQ(of("", piece), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(of("abc", piece), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", piece),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(of(std::string(1'000'000, 'a'), piece),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }
}

}  // namespace
}  // namespace mo::app
