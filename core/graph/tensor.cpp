#include "core/graph/lazy_elements.hpp"

#include "core/graph/file_descriptor.hpp"
#include "core/graph/resident_pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

mo_file::~mo_file() {
  mo::core::forget_pages(*this);
  if (data != nullptr) munmap(const_cast<std::byte*>(data), bytes);
  mo::core::give_up_descriptor(fd);
}

mo_tensor::mo_tensor() = default;
mo_tensor::~mo_tensor() {
  if (release != nullptr) release(user);
  if (base != nullptr) mo::core::release(base);
  if (file != nullptr) mo::core::release(file);
}

const std::byte* mo_tensor::computed() const {
  if (lazy != nullptr) return lazy->compute(*this);
  const std::byte* d = base->data() + base_offset;
  known.store(d, std::memory_order_release);
  return d;
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
  demand(is_valid(type), "there is no element type ", static_cast<int32_t>(type));
  demand(bits(type) != 0, "elements of type ", name(type), " have no fixed size");
  bool empty = false;
  for (int64_t i = 0; i < rank; ++i) {
    demand(dims[i] >= 0, "dimension ", i, " is ", dims[i], "; a tensor has no negative dimensions");
    empty = empty || dims[i] == 0;
  }
  if (empty) return 0;
  uint64_t total = static_cast<uint64_t>(bits(type));
  for (int64_t i = 0; i < rank; ++i)
    if (__builtin_mul_overflow(total, static_cast<uint64_t>(dims[i]), &total) || total > (uint64_t{1} << 62))
      fail_with(MO_INVALID_ARGUMENT, {}, "a tensor of shape ", Shape::dims_of(dims, rank),
                " is larger than any memory");
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

TensorRef make_tensor(ElementType type, std::vector<int64_t> dims, std::shared_ptr<MemoryAccount> account) {
  const uint64_t bytes = dense_bytes(type, dims.data(), static_cast<int64_t>(dims.size()));
  auto t = describe(type, std::move(dims), bytes);
  if (bytes != 0) {
    t->charge = Charge(std::move(account), bytes);
    t->buffer.reset(static_cast<std::byte*>(std::calloc(bytes, 1)));
    if (t->buffer == nullptr) throw std::bad_alloc();
    t->known = t->buffer.get();
  }
  return t;
}

TensorRef make_tensor_from_bytes(ElementType type, std::vector<int64_t> dims, std::string_view bytes) {
  if (bits(type) != 0) {
    auto t = make_tensor(type, std::move(dims));
    demand(t->bytes == bytes.size(), "a tensor of ", name(type), " ", shape_of(*t), " needs ", t->bytes,
           " bytes, not ", bytes.size());
    if (!bytes.empty()) std::memcpy(t->buffer.get(), bytes.data(), bytes.size());
    return t;
  }
  auto t = describe(type, std::move(dims), bytes.size());
  if (!bytes.empty()) {
    t->buffer.reset(static_cast<std::byte*>(std::malloc(bytes.size())));
    if (t->buffer == nullptr) throw std::bad_alloc();
    std::memcpy(t->buffer.get(), bytes.data(), bytes.size());
    t->known = t->buffer.get();
  }
  return t;
}

TensorRef view_tensor(const TensorRef& base, uint64_t offset, ElementType type, std::vector<int64_t> dims) {
  const uint64_t bytes =
      bits(type) != 0 ? dense_bytes(type, dims.data(), static_cast<int64_t>(dims.size())) : base->bytes;
  demand(offset <= base->bytes && bytes <= base->bytes - offset, "a view of ", bytes, " bytes at ", offset,
         " does not fit into a tensor of ", base->bytes);
  auto t = describe(type, std::move(dims), bytes);
  if (const std::byte* data = base->known; data != nullptr) t->known = data + offset;
  // A view of a view looks at what that one looks at.
  const mo_tensor& root = base->base != nullptr ? *base->base : *base;
  t->base = TensorRef::share(const_cast<mo_tensor*>(&root)).detach();
  t->base_offset = base->base_offset + offset;
  if (base->file != nullptr) {
    t->file = FileRef::share(base->file).detach();
    t->file_offset = base->file_offset + offset;
  }
  return t;
}

TensorRef file_tensor(const FileRef& file, uint64_t offset, uint64_t bytes, ElementType type,
                      std::vector<int64_t> dims) {
  demand(offset <= file->bytes && bytes <= file->bytes - offset, "bytes ", offset, " to ", offset, "+", bytes,
         " are outside of '", file->path, "', which has ", file->bytes, " bytes");
  if (bits(type) != 0) {
    const uint64_t needed = dense_bytes(type, dims.data(), static_cast<int64_t>(dims.size()));
    demand(needed == bytes, "a tensor of ", name(type), " ",
           Shape::dims_of(dims.data(), static_cast<int64_t>(dims.size())), " needs ", needed, " bytes, not ",
           bytes);
  }
  auto t = describe(type, std::move(dims), bytes);
  t->known = bytes == 0 ? nullptr : file->data + offset;
  t->file = FileRef(file).detach();
  t->file_offset = offset;
  looked_at(*file, offset, 1);  // whoever says where they are has read that nearby
  return t;
}

bool in_file(const mo_tensor& t) {
  constexpr uint64_t tiny = 256;
  return t.bytes > tiny && t.file != nullptr && t.file->is_file();
}

namespace {

void read_file(const mo_file& file, uint64_t offset, size_t count, std::byte* to) {
  const FileDescriptor descriptor(file);
  while (count != 0) {
    const ssize_t n = pread(descriptor.get(), to, count, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      throw Error(text("cannot read '", file.path,
                       "': ", n == 0 ? "it became shorter during the conversion" : std::strerror(errno)),
                  MO_IO_ERROR);
    to += n;
    offset += static_cast<uint64_t>(n);
    count -= static_cast<size_t>(n);
  }
}

}  // namespace

bool is_plain_memory(const mo_tensor& t) { return !in_file(t) && t.known != nullptr; }

void read_bytes(const mo_tensor& t, uint64_t offset, size_t count, std::byte* to) {
  if (count == 0) return;
  if (in_file(t)) return read_file(*t.file, t.file_offset + offset, count, to);
  if (const std::byte* data = t.known.load(std::memory_order_acquire); data != nullptr) {
    if (t.file != nullptr) looked_at(*t.file, t.file_offset + offset, count);
    std::memcpy(to, data + offset, count);
    return;
  }
  if (t.lazy != nullptr) return t.lazy->read(t, offset, count, to);
  read_bytes(*t.base, t.base_offset + offset, count, to);
}

uint32_t depth_of(const mo_tensor& t) {
  if (t.known.load(std::memory_order_acquire) != nullptr || t.bytes == 0) return 0;
  return t.lazy != nullptr ? t.lazy->depth() : depth_of(*t.base);
}

bool equal_contents(const mo_tensor& a, const mo_tensor& b) {
  if (a.type != b.type || a.dims != b.dims || a.bytes != b.bytes) return false;
  if (&a == &b || a.bytes == 0) return true;
  const std::byte *x = a.known, *y = b.known;
  if (x != nullptr && y != nullptr) return x == y || std::memcmp(x, y, a.bytes) == 0;
  constexpr size_t window = size_t{1} << 14;
  const std::unique_ptr<std::byte[]> one(new std::byte[window]), other(new std::byte[window]);
  for (uint64_t at = 0; at < a.bytes; at += window) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(window, a.bytes - at));
    read_bytes(a, at, n, one.get());
    read_bytes(b, at, n, other.get());
    if (std::memcmp(one.get(), other.get(), n) != 0) return false;
  }
  return true;
}

namespace {

int64_t nanoseconds(const timespec& t) { return int64_t{1'000'000'000} * t.tv_sec + t.tv_nsec; }

}  // namespace

bool is_unchanged(const mo_file& file) {
  struct stat now {};
  if (!file.is_file() || stat(file.path.c_str(), &now) != 0) return true;
  if (now.st_dev != file.device || now.st_ino != file.inode) return true;
  return static_cast<uint64_t>(now.st_size) == file.bytes && nanoseconds(now.st_mtim) == file.changed_at;
}

// Where the file's large pages in the kernel's cache are no large pages of the mapping: one touch would make
// two megabytes resident, so a walk along headers all weights between them.
static void* map_in_small_pages(int fd, uint64_t bytes) {
  constexpr uint64_t large = uint64_t{1} << 21, small = 4096;
  if (bytes < large) return mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
  void* room =
      mmap(nullptr, bytes + 2 * large, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return room;
  const auto begin = reinterpret_cast<uintptr_t>(room), end = begin + bytes + 2 * large;
  const uintptr_t at = begin / large * large + large + small,
                  after = (at + bytes + small - 1) / small * small;
  void* data = mmap(reinterpret_cast<void*>(at), bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0);
  const int error = errno;
  (void)munmap(room, at - begin);
  (void)munmap(reinterpret_cast<void*>(after), end - after);
  errno = error;
  return data;
}

FileRef map_file(const std::string& path) {
  const auto reason = [&](const char* what) { return text(what, " '", path, "': ", std::strerror(errno)); };
  if (path.find('\0') != path.npos) throw Error("the path of a file has a zero byte", MO_IO_ERROR);
  // A pipe would be waited for until somebody writes to it.
  Descriptor opened(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const int fd = opened.get();
  if (fd < 0) throw Error(reason("cannot open"), MO_IO_ERROR);
  auto file = FileRef::adopt(new mo_file(path, -1, nullptr, 0));
  struct stat status {};
  if (fstat(fd, &status) != 0) throw Error(reason("cannot read"), MO_IO_ERROR);
  if (!S_ISREG(status.st_mode)) throw Error(text("'", path, "' is not a file"), MO_IO_ERROR);
  file->device = status.st_dev;
  file->inode = status.st_ino;
  file->changed_at = nanoseconds(status.st_mtim);
  if (const auto bytes = static_cast<uint64_t>(status.st_size); bytes != 0) {
    void* data = map_in_small_pages(fd, bytes);
    if (data == MAP_FAILED) throw Error(reason("cannot map"), MO_IO_ERROR);
    file->data = static_cast<const std::byte*>(data);
    file->bytes = bytes;
  }
  file->fd = keep_descriptor(std::move(opened));
  return file;
}

}  // namespace mo::core
