#include "core/graph/tensor.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

mo_file::~mo_file() {
  if (data != nullptr) munmap(const_cast<std::byte*>(data), bytes);
  if (fd >= 0) close(fd);
}

mo_tensor::~mo_tensor() {
  if (release != nullptr) release(user);
  if (base != nullptr) mo::core::release(base);
  if (file != nullptr) mo::core::release(file);
}

namespace mo::core {

void retain(mo_file* f) { f->references.fetch_add(1, std::memory_order_relaxed); }
void release(mo_file* f) {
  if (f->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete f;
}
void retain(mo_tensor* t) { t->references.fetch_add(1, std::memory_order_relaxed); }
void release(mo_tensor* t) {
  if (t->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete t;
}

uint64_t dense_bytes(ElementType type, const int64_t* dims, int64_t rank) {
  require(is_valid(type), "there is no element type ", static_cast<int32_t>(type));
  require(bits(type) != 0, "elements of type ", name(type), " have no fixed size");
  bool empty = false;
  for (int64_t i = 0; i < rank; ++i) {
    require(dims[i] >= 0, "dimension ", i, " is ", dims[i], "; a tensor has no negative dimensions");
    empty = empty || dims[i] == 0;
  }
  if (empty) return 0;
  uint64_t total = static_cast<uint64_t>(bits(type));
  for (int64_t i = 0; i < rank; ++i)
    if (__builtin_mul_overflow(total, static_cast<uint64_t>(dims[i]), &total) || total > (uint64_t{1} << 62))
      fail("a tensor of shape ", Shape::dims_of(dims, rank), " is larger than any memory");
  return (total + 7) / 8;
}

namespace {

TensorRef describe(ElementType type, std::vector<int64_t> dims, uint64_t bytes) {
  auto t = TensorRef::adopt(new mo_tensor);
  t->type = type;
  t->dims = std::move(dims);
  t->bytes = bytes;
  return t;
}

}  // namespace

TensorRef make_tensor(ElementType type, std::vector<int64_t> dims) {
  const uint64_t bytes = dense_bytes(type, dims.data(), static_cast<int64_t>(dims.size()));
  auto t = describe(type, std::move(dims), bytes);
  if (bytes != 0) {
    t->buffer.reset(static_cast<std::byte*>(std::calloc(bytes, 1)));
    if (t->buffer == nullptr) throw std::bad_alloc();
    t->data = t->buffer.get();
  }
  return t;
}

TensorRef make_tensor_from_bytes(ElementType type, std::vector<int64_t> dims, std::string_view bytes) {
  if (bits(type) != 0) {
    auto t = make_tensor(type, std::move(dims));
    require(t->bytes == bytes.size(), "a tensor of ", name(type), " ", shape_of(*t), " needs ", t->bytes,
            " bytes, not ", bytes.size());
    if (!bytes.empty()) std::memcpy(t->buffer.get(), bytes.data(), bytes.size());
    return t;
  }
  auto t = describe(type, std::move(dims), bytes.size());
  if (!bytes.empty()) {
    t->buffer.reset(static_cast<std::byte*>(std::malloc(bytes.size())));
    if (t->buffer == nullptr) throw std::bad_alloc();
    std::memcpy(t->buffer.get(), bytes.data(), bytes.size());
    t->data = t->buffer.get();
  }
  return t;
}

TensorRef view_tensor(const TensorRef& base, uint64_t offset, ElementType type, std::vector<int64_t> dims) {
  const uint64_t bytes =
      bits(type) != 0 ? dense_bytes(type, dims.data(), static_cast<int64_t>(dims.size())) : base->bytes;
  require(offset <= base->bytes && bytes <= base->bytes - offset, "a view of ", bytes, " bytes at ", offset,
          " does not fit into a tensor of ", base->bytes);
  auto t = describe(type, std::move(dims), bytes);
  t->data = base->data == nullptr ? nullptr : base->data + offset;
  t->base = TensorRef(base).detach();
  if (base->file != nullptr) {
    t->file = FileRef::share(base->file).detach();
    t->file_offset = base->file_offset + offset;
  }
  return t;
}

TensorRef file_tensor(const FileRef& file, uint64_t offset, uint64_t bytes, ElementType type,
                      std::vector<int64_t> dims) {
  require(offset <= file->bytes && bytes <= file->bytes - offset, "bytes ", offset, " to ", offset, "+",
          bytes, " are outside of '", file->path, "', which has ", file->bytes, " bytes");
  if (bits(type) != 0) {
    const uint64_t needed = dense_bytes(type, dims.data(), static_cast<int64_t>(dims.size()));
    require(needed == bytes, "a tensor of ", name(type), " ",
            Shape::dims_of(dims.data(), static_cast<int64_t>(dims.size())), " needs ", needed, " bytes, not ",
            bytes);
  }
  auto t = describe(type, std::move(dims), bytes);
  t->data = bytes == 0 ? nullptr : file->data + offset;
  t->file = FileRef(file).detach();
  t->file_offset = offset;
  return t;
}

bool equal_contents(const mo_tensor& a, const mo_tensor& b) {
  return a.type == b.type && a.dims == b.dims && a.bytes == b.bytes &&
         (a.data == b.data || a.bytes == 0 || std::memcmp(a.data, b.data, a.bytes) == 0);
}

FileRef map_file(const std::string& path) {
  const auto reason = [&](const char* what) { return text(what, " '", path, "': ", std::strerror(errno)); };
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw Error(reason("cannot open"), MO_IO_ERROR);
  auto file = FileRef::adopt(new mo_file(path, fd, nullptr, 0));
  struct stat status {};
  if (fstat(fd, &status) != 0) throw Error(reason("cannot read"), MO_IO_ERROR);
  if (!S_ISREG(status.st_mode)) throw Error(text("'", path, "' is not a file"), MO_IO_ERROR);
  if (status.st_size == 0) return file;
  const auto bytes = static_cast<uint64_t>(status.st_size);
  void* data = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED) throw Error(reason("cannot map"), MO_IO_ERROR);
  file->data = static_cast<const std::byte*>(data);
  file->bytes = bytes;
  return file;
}

}  // namespace mo::core
