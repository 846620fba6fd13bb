#include "core/host/abi_functions.hpp"

#include <cstring>

#include "core/graph/lazy_elements.hpp"

namespace mo::core::abi {

namespace {

// What a plugin gave with a definition.
struct Lent {
  void (*release)(void* user);
  void* user;

  Lent(void (*r)(void*), void* u) : release(r), user(u) {}
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() {
    if (release != nullptr) release(user);
  }
};

// What a plugin computes. Its context belongs to no session: a reading may come from any thread, and later.
class PluginSource final : public ElementSource {
 public:
  PluginSource(const mo_lazy_def& d, std::shared_ptr<Lent> lent, const Plugin* plugin)
      : read_(d.read), lent_(std::move(lent)), plugin_(plugin == nullptr ? "" : plugin->id) {}

  void read(uint64_t offset, size_t count, std::byte* to) override {
    if (context_ == nullptr) {
      context_ = std::make_unique<CallContext>();
      context_->size = sizeof(mo_context);
      context_->host = &host_table();
    }
    context_->error.clear();
    const mo_status status = read_(lent_->user, context_.get(), offset, count, to);
    if (status == MO_OK) return;
    const std::string what = context_->error.empty() ? "it did not say why" : context_->error;
    throw Error(
        text("a lazy tensor", plugin_.empty() ? "" : text(" of ", plugin_), " cannot be read: ", what),
        status);
  }

 private:
  decltype(mo_lazy_def::read) read_;
  std::shared_ptr<Lent> lent_;
  std::string plugin_;
  std::unique_ptr<CallContext> context_;
};

std::vector<int64_t> checked_dims(const mo_lazy_def& d) {
  if (d.rank < 0 || d.rank > 1024)
    throw Error(text("rank is ", d.rank, "; expected 0 to 1024"), MO_INVALID_ARGUMENT);
  if (d.rank != 0) need(d.dims, "dims");
  return {d.dims, d.dims + d.rank};
}

std::vector<TensorRef> checked_bases(const mo_lazy_def& d) {
  std::vector<TensorRef> bases;
  if (d.n_bases != 0) need(d.bases, "bases");
  for (uint64_t i = 0; i < d.n_bases; ++i) {
    need(d.bases[i], "bases");
    bases.push_back(TensorRef::share(d.bases[i]));
  }
  return bases;
}

}  // namespace

mo_status tensor_lazy(mo_context* c, const mo_lazy_def* def, mo_tensor** tensor) {
  return guarded(c, [&] {
    need(def, "definition");
    need(tensor, "tensor");
    if (def->size < sizeof(mo_lazy_def) || def->reserved != 0)
      throw Error("size or reserved of the definition is not what mo/plugin.h says", MO_INVALID_ARGUMENT);
    need(reinterpret_cast<const void*>(def->read), "read");
    std::vector<int64_t> dims = checked_dims(*def);
    const auto type = static_cast<ElementType>(def->element_type);
    if (!is_valid(type))
      throw Error(text("there is no element type ", def->element_type), MO_INVALID_ARGUMENT);
    if (bits(type) == 0 && def->bytes == 0)
      throw Error("strings that are lazy say how many bytes they take", MO_INVALID_ARGUMENT);
    if (bits(type) != 0 && def->bytes != 0) {
      const uint64_t needed = dense_bytes(type, dims.data(), def->rank);
      demand(needed == def->bytes, "a tensor of ", name(type), " ", Shape::dims_of(dims.data(), def->rank),
             " needs ", needed, " bytes, not ", def->bytes);
    }
    const auto lent = std::make_shared<Lent>(def->release, def->user);
    try {
      auto source = std::make_unique<PluginSource>(*def, lent, static_cast<CallContext*>(c)->plugin);
      *tensor = lazy_tensor(type, std::move(dims), def->bytes, std::move(source), checked_bases(*def),
                            account_of(c))
                    .detach();
    } catch (...) {
      lent->release = nullptr;  // it stays the plugin's
      throw;
    }
  });
}

mo_status tensor_read(mo_context* c, const mo_tensor* t, uint64_t offset, uint64_t bytes, void* buffer) {
  return guarded(c, [&] {
    need(t, "tensor");
    if (bytes != 0) need(buffer, "buffer");
    if (offset > t->bytes || bytes > t->bytes - offset)
      throw Error(text(bytes, " bytes at ", offset, " are asked for of a tensor of ", t->bytes),
                  MO_INVALID_ARGUMENT);
    read_bytes(*t, offset, bytes, static_cast<std::byte*>(buffer));
  });
}

}  // namespace mo::core::abi
