// Tensors of NumPy are refused with a message, or read: what is written of them then reads as the same. What does not begin
// as such a file is the dictionary of one, and behind a zero byte its elements.
#include "apps/run/npy.hpp"
#include "custom_mutator.hpp"
#include "read_or_refuse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mo::test;
  using namespace mo;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (constexpr std::string_view magic = "\x93NUMPY"; !bytes.starts_with(magic)) {
    const size_t end = std::min(bytes.find('\0'), bytes.size());
    const auto length = static_cast<uint16_t>(end);
    std::string head(magic);
    head += {1, 0, static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
    bytes = head + bytes.substr(0, end) + bytes.substr(std::min(end + 1, bytes.size()));
  }
  const auto path = fuzz_folder() / "x.npy";
  write_file(path, bytes);
  core::TensorRef tensor;
  if (!read_or_refuse(core::Exit::usage, [&] { tensor = app::read_npy(path.string()); })) return 0;
  const std::string written = app::to_npy(tensor);
  write_file(path, written);
  if (app::to_npy(app::read_npy(path.string())) != written) std::abort();
  return 0;
}
