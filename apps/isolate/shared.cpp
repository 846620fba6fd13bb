#include "apps/isolate/shared.hpp"

#include <fcntl.h>

#include <cerrno>
#include <mo/error.hpp>
#include <system_error>

#include "apps/isolate/proxies.hpp"
#include "core/graph/file_descriptor.hpp"

namespace mo::app::isolate {

namespace {

// Small values come with their handle; large ones as a mapping when they are asked for.
constexpr uint64_t small = 4096;
constexpr uint64_t in_message = 65536;
constexpr size_t most_lasting = size_t{1} << 20U;

void put_inline(Writer& w, const void* data, uint64_t bytes) {
  w.put<uint64_t>(0);
  if (bytes != 0) w.raw(data, bytes);
}

core::Descriptor duplicate(int fd) {
  core::Descriptor copy(fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!copy) throw std::system_error(errno, std::generic_category(), "dup");
  return copy;
}

}  // namespace

Shared::Lent& Shared::lend(const void* what, uint64_t& handle) {
  const auto [it, is_new] = handles_.try_emplace(what, next_);
  if (is_new) ++next_;
  handle = it->second;
  return lent_[handle];
}

const Shared::Lent& Shared::at(uint64_t handle) const {
  const auto it = lent_.find(handle);
  if (it == lent_.end()) throw Violation("a tensor or file is named that the plugin does not have");
  return it->second;
}

void Shared::put_tensor(Writer& w, mo_tensor* t) {
  w.put<uint8_t>(t != nullptr);
  if (t == nullptr) return;
  uint64_t handle = 0;
  Lent& l = lend(t, handle);
  if (!l.tensor) l.tensor = core::TensorRef::share(t);
  const bool first = l.sent++ == 0;
  w.put(handle);
  w.put(static_cast<mo_type>(t->type));
  w.list(t->dims.data(), t->dims.size());
  w.put(t->bytes);
  const bool with_data = first && t->bytes <= small;
  w.put<uint8_t>(with_data);
  if (with_data && t->bytes != 0) w.raw(t->data(), t->bytes);
}

mo_tensor* Shared::get_tensor(Reader& r) {
  const auto form = r.get<uint8_t>();
  if (form == 0) return nullptr;
  const auto handle = r.get<uint64_t>();
  if (form == 1) {
    const Lent& l = at(handle);
    if (!l.tensor) throw Violation("a file is given for a tensor");
    held_.push_back(l.tensor);
    return held_.back().get();
  }
  if (form != 2 || (handle & made_by_plugin) == 0 || lent_.contains(handle))
    throw Violation("a tensor comes in an impossible form");
  const auto type = static_cast<ElementType>(r.get<mo_type>());
  uint64_t rank = 0;
  const auto* dims = r.list<int64_t>(rank);
  const auto bytes = r.get<uint64_t>();
  const char* data = r.raw(bytes);
  if (!is_valid(type) || rank > 1024 || (rank != 0 && dims == nullptr))
    throw Violation("a tensor comes with an impossible type or shape");
  try {
    Lent l;
    core::Charge charge(account_, bytes);
    l.tensor = core::make_tensor_from_bytes(type, {dims, dims + rank}, {data, bytes});
    l.tensor->charge = std::move(charge);
    l.sent = 1;
    handles_[l.tensor.get()] = handle;
    held_.push_back(l.tensor);
    lent_[handle] = std::move(l);
  } catch (const Error& e) {
    throw Violation(e.what());
  } catch (const core::Failure& f) {
    throw Violation(f.message());
  }
  return held_.back().get();
}

void Shared::put_file(Writer& w, mo_file* f) {
  w.put<uint8_t>(f != nullptr);
  if (f == nullptr) return;
  uint64_t handle = 0;
  Lent& l = lend(f, handle);
  if (!l.file) l.file = core::FileRef::share(f);
  ++l.sent;
  w.put(handle);
  w.put(f->bytes);
}

mo_file* Shared::get_file(Reader& r) {
  const auto handle = r.get<uint64_t>();
  if (handle == 0) return nullptr;
  const Lent& l = at(handle);
  if (!l.file) throw Violation("a tensor is given for a file");
  return l.file.get();
}

mo_str Shared::keep(std::string_view s) {
  if (lasting_.size() > most_lasting) throw Violation("it gives too many texts");
  const std::string& kept = *lasting_.emplace(s).first;
  return {kept.data(), kept.size()};
}

void Shared::take_released(Reader& r) {
  uint64_t count = 0;
  const auto* list = r.list<std::pair<uint64_t, uint64_t>>(count);
  for (uint64_t i = 0; list != nullptr && i < count; ++i) {
    const auto it = lent_.find(list[i].first);
    if (it == lent_.end() || list[i].second > it->second.sent)
      throw Violation("a tensor or file is given back that the plugin does not have");
    it->second.sent -= list[i].second;
    if (it->second.sent != 0) continue;
    handles_.erase(it->second.tensor ? static_cast<const void*>(it->second.tensor.get())
                                     : static_cast<const void*>(it->second.file.get()));
    lent_.erase(it);
  }
}

core::Descriptor Shared::put_tensor_bytes(Writer& w, uint64_t handle) const {
  const Lent& l = at(handle);
  if (!l.tensor) throw Violation("a file is given for a tensor");
  const mo_tensor& t = *l.tensor;
  if (t.bytes <= in_message) {
    put_inline(w, t.data(), t.bytes);
    return {};
  }
  if (t.file != nullptr && t.file->is_file()) {
    w.put(t.file_offset);
    return duplicate(core::FileDescriptor(*t.file).get());
  }
  w.put<uint64_t>(0);
  return sealed_copy(t.bytes, [&t](uint64_t at, size_t n, std::byte* to) { core::read_bytes(t, at, n, to); });
}

core::Descriptor Shared::put_file_bytes(Writer& w, uint64_t handle) const {
  const Lent& l = at(handle);
  if (!l.file) throw Violation("a tensor is given for a file");
  if (l.file->bytes <= in_message) {
    put_inline(w, l.file->data, l.file->bytes);
    return {};
  }
  w.put<uint64_t>(0);
  if (l.file->is_file()) return duplicate(core::FileDescriptor(*l.file).get());
  return sealed_copy(l.file->bytes, [&](uint64_t at, size_t n, std::byte* to) {  // a part in memory
    std::copy_n(l.file->data + at, n, to);
  });
}

}  // namespace mo::app::isolate
