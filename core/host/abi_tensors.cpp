// mo_tensor_api and mo_file_api.
#include "core/graph/resident_pages.hpp"
#include "core/host/abi_functions.hpp"
#include "core/registry/abi.hpp"

namespace mo::core::abi {

namespace {

std::vector<int64_t> dims_of(const int64_t* dims, int64_t rank) {
  if (rank < 0 || rank > 1024)
    throw Error(text("rank is ", rank, "; expected 0 to 1024"), MO_INVALID_ARGUMENT);
  if (rank != 0) need(dims, "dims");
  return {dims, dims + rank};
}

}  // namespace

void tensor_retain(mo_tensor* t) {
  if (t != nullptr) retain(t);
}
void tensor_release(mo_tensor* t) {
  if (t != nullptr) release(t);
}

mo_status tensor_create(mo_context* c, mo_type type, const int64_t* dims, int64_t rank, mo_tensor** tensor,
                        void** data) {
  return guarded(c, [&] {
    need(tensor, "tensor");
    TensorRef t = make_tensor(checked_type(type), dims_of(dims, rank), account_of(c));
    if (data != nullptr) *data = t->buffer.get();
    *tensor = t.detach();
  });
}

mo_status tensor_wrap(mo_context* c, mo_type type, const int64_t* dims, int64_t rank, const void* data,
                      uint64_t bytes, void (*release_bytes)(void*), void* user, mo_tensor** tensor) {
  return guarded(c, [&] {
    need(tensor, "tensor");
    if (bytes != 0) need(data, "data");
    std::vector<int64_t> d = dims_of(dims, rank);
    const ElementType t = checked_type(type);
    if (bits(t) != 0) {
      const uint64_t needed = dense_bytes(t, d.data(), rank);
      demand(needed == bytes, "a tensor of ", name(t), " ", Shape::dims_of(d.data(), rank), " needs ", needed,
             " bytes, not ", bytes);
    }
    auto made = TensorRef::adopt(new mo_tensor);
    if (bits(t) == 0) made->charge = Charge(account_of(c), bytes);  // nobody has them in a file
    made->type = t;
    made->dims = std::move(d);
    made->known = static_cast<const std::byte*>(data);
    made->bytes = bytes;
    made->release = release_bytes;
    made->user = user;
    *tensor = made.detach();
  });
}

mo_status tensor_view(mo_context* c, mo_tensor* base, uint64_t offset, mo_type type, const int64_t* dims,
                      int64_t rank, mo_tensor** tensor) {
  return guarded(c, [&] {
    need(base, "base");
    need(tensor, "tensor");
    *tensor = view_tensor(TensorRef::share(base), offset, checked_type(type), dims_of(dims, rank)).detach();
  });
}

mo_status tensor_info(const mo_tensor* t, mo_tensor_info* info) {
  if (t == nullptr || info == nullptr || info->size < sizeof(size_t)) return MO_INVALID_ARGUMENT;
  mo_tensor_info i{};
  i.size = std::min(info->size, sizeof i);
  i.dims = t->dims.data();
  i.rank = static_cast<int64_t>(t->dims.size());
  i.bytes = t->bytes;
  i.element_type = static_cast<mo_type>(t->type);
  i.resident = t->bytes == 0 || t->known.load(std::memory_order_acquire) != nullptr ? 1 : 0;
  std::copy_n(reinterpret_cast<const char*>(&i), i.size, reinterpret_cast<char*>(info));
  return MO_OK;
}

mo_status tensor_data(mo_context* c, const mo_tensor* t, const void** data) {
  const auto give = [&] {
    need(t, "tensor");
    need(data, "data");
    *data = t->bytes == 0 ? nullptr : t->data();
    if (in_file(*t)) looked_at(*t->file, t->file_offset, t->bytes);
  };
  if (c != nullptr) return guarded(c, give);
  try {
    give();
    return MO_OK;
  } catch (const Error& e) {
    return e.status() == MO_OK ? MO_ERROR : e.status();
  } catch (const std::exception&) {
    return MO_NO_MEMORY;
  }
}

mo_status file_open(mo_context* c, mo_str path, mo_file** file) {
  return guarded(c, [&] {
    need(file, "file");
    *file = session_of(c).open_file(std::string(checked(path, "path"))).detach();
  });
}

mo_status file_open_below(mo_context* c, mo_str folder, mo_str relative, mo_file** file) {
  return guarded(c, [&] {
    need(file, "file");
    *file = session_of(c)
                .open_file_below(std::string(checked(folder, "folder")),
                                 std::string(checked(relative, "relative")))
                .detach();
  });
}

void file_release(mo_file* f) {
  if (f != nullptr) release(f);
}

void file_data(const mo_file* file, const void** data, uint64_t* bytes) {
  if (data != nullptr) *data = file->data;
  if (bytes != nullptr) *bytes = file->bytes;
}

mo_status file_tensor(mo_context* c, mo_file* file, uint64_t offset, uint64_t bytes, mo_type type,
                      const int64_t* dims, int64_t rank, mo_tensor** tensor) {
  return guarded(c, [&] {
    need(file, "file");
    need(tensor, "tensor");
    const ElementType t = checked_type(type);
    *tensor = core::file_tensor(FileRef::share(file), offset, bytes, t, dims_of(dims, rank)).detach();
  });
}

}  // namespace mo::core::abi
