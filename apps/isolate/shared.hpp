// What the host has lent to an isolated plugin, by numbers that the plugin may say or forge.
#pragma once

#include "apps/isolate/channel.hpp"
#include "apps/isolate/wire.hpp"
#include "core/graph/tensor.hpp"

#include <set>
#include <unordered_map>
#include <vector>

namespace mo::app::isolate {

class Shared final : public Side {
 public:
  explicit Shared(std::shared_ptr<core::MemoryAccount> account) : account_(std::move(account)) {}
  void put_tensor(Writer&, mo_tensor*) override;
  mo_tensor* get_tensor(Reader&) override;
  mo_tensor* own_tensor(Reader&) override { throw Violation("a callback hands out a tensor"); }
  void drop_tensor(mo_tensor* t) override {
    if (t != nullptr) core::release(t);
  }
  void put_file(Writer&, mo_file*) override;
  mo_file* get_file(Reader&) override;
  mo_file* own_file(Reader&) override { throw Violation("a callback hands out a file"); }
  void drop_file(mo_file* f) override {
    if (f != nullptr) core::release(f);
  }
  mo_str keep(std::string_view) override;

  // Handles the plugin no longer has.
  void take_released(Reader&);
  // The bytes behind a handle: in the message, or as a file.
  core::Descriptor put_tensor_bytes(Writer&, uint64_t handle) const;
  core::Descriptor put_file_bytes(Writer&, uint64_t handle) const;

  // What arrives in one message stays until the host function it is for has ended.
  size_t held() const { return held_.size(); }
  void let_go(size_t held) { held_.resize(held); }

 private:
  struct Lent {
    core::TensorRef tensor;
    core::FileRef file;
    uint64_t sent = 0;
  };
  Lent& lend(const void* what, uint64_t& handle);
  const Lent& at(uint64_t handle) const;

  std::shared_ptr<core::MemoryAccount> account_;  // for tensors that the plugin makes
  std::unordered_map<uint64_t, Lent> lent_;
  std::unordered_map<const void*, uint64_t> handles_;
  std::vector<core::TensorRef> held_;
  std::set<std::string, std::less<>> lasting_;
  uint64_t next_ = 1;
};

}  // namespace mo::app::isolate
