// An IR as views on memory.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

#include "core/ir/emitter.hpp"

namespace mo::app {

class IrInMemory final : public core::IrOutput {
 public:
  // Asked once where so many bytes of weights go; nullptr: there is no room for them.
  using Room = std::function<std::byte*(uint64_t bytes)>;
  explicit IrInMemory(Room room) : room_(std::move(room)) {}

  void begin(const std::string&) override {}
  void text(std::string_view bytes) override { xml_ += bytes; }
  void reserve(uint64_t bytes) override {
    bin_ = room_(bytes);
    if (bin_ == nullptr && bytes != 0)
      throw core::Failure(core::Exit::output, "MO0710",
                          mo::text("there is no room for ", bytes, " bytes of weights"));
    if (bytes == 1) *bin_ = {};  // what stands for no weights is not given
    prefer_large_pages(bin_, bytes);
  }
  void weights(uint64_t at, std::string_view bytes) override {
    std::memcpy(bin_ + at, bytes.data(), bytes.size());
  }
  void finish() override {}

  std::string take_xml() { return std::move(xml_); }

 private:
  // Small pages, each of which is a fault when it is first written, cost more than the weights themselves. Whoever has
  // no large ones says so, and nothing changes.
  static void prefer_large_pages(std::byte* at, uint64_t bytes) {
    constexpr uintptr_t page = 2 << 20;
    const auto first = reinterpret_cast<uintptr_t>(at);
    const uintptr_t begin = (first + page - 1) / page * page, end = (first + bytes) / page * page;
    if (begin < end) (void)madvise(at + (begin - first), end - begin, MADV_HUGEPAGE);
  }

  Room room_;
  std::string xml_;
  std::byte* bin_ = nullptr;
};

}  // namespace mo::app
