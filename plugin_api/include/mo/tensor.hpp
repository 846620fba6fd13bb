// Context, Tensor and File: owning C++ faces of what the host hands out.
#pragma once

#include <mo/half.hpp>
#include <mo/shape.hpp>
#include <mo/types.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace mo {

namespace detail {

inline mo_message message_of(std::string_view what, const Remarks& said, mo_node node) {
  mo_message m{};
  m.size = sizeof m;
  m.text = str(what);
  m.hint = str(said.hint);
  m.code = str(said.code);
  m.option = str(said.option);
  m.file = str(said.file);
  m.line = said.line;
  m.column = said.column;
  m.offset = said.offset;
  m.node = node;
  return m;
}

// The context of the callback that this thread runs; nullptr on threads of the plugin's own.
class AtHand {
 public:
  explicit AtHand(mo_context* c) : before_(std::exchange(current(), c)) {}
  ~AtHand() { current() = before_; }
  AtHand(const AtHand&) = delete;
  AtHand& operator=(const AtHand&) = delete;
  static mo_context* get() { return current(); }

 private:
  static mo_context*& current() {
    static thread_local mo_context* context = nullptr;
    return context;
  }
  mo_context* before_;
};

}  // namespace detail

// Wraps the mo_context of the running callback. Copy it freely; do not keep it beyond the callback.
class Context {
 public:
  Context() = default;
  explicit Context(mo_context* c) : c_(c) {}
  mo_context* get() const { return c_; }
  const mo_host* host() const { return c_->host; }
  const mo_graph_api& graph() const { return *c_->host->graph; }

  // Throws an Error with the host's text unless `status` is MO_OK.
  void check(mo_status status) const {
    if (status != MO_OK) throw Error(std::string(view(host()->last_error(c_))), status);
  }
  void log(int32_t level, std::string_view message) const { host()->log(c_, level, str(message)); }
  // Of several arguments the text, with a hint or a place among them.
  template <class... Args>
  void warn(const Args&... args) const {
    Remarks said;
    (detail::remark(said, args), ...);
    const std::string message = text(args...);
    const mo_message m = detail::message_of(message, said, 0);
    check(host()->log_with(c_, MO_LOG_WARNING, &m));
  }
  // Long work: `done` of `total`. Throws an Error with MO_CANCELLED when the user wants no more of it; let it
  // pass.
  void progress(uint64_t done, uint64_t total) const { check(host()->progress(c_, done, total)); }
  // A table of functions that a plugin, or the host, offers; nullptr when nobody does.
  template <class Table>
  const Table* find_interface(std::string_view name, uint32_t revision) const {
    const void* table = nullptr;
    const mo_status status = host()->get_interface(c_, str(name), revision, &table);
    if (status == MO_NOT_FOUND) return nullptr;
    check(status);
    return static_cast<const Table*>(table);
  }

 private:
  mo_context* c_ = nullptr;
};

// What the host lends while it lives is let go of at its end, so that reading much takes no memory.
class Lent {
 public:
  explicit Lent(Context c) : c_(c), mark_(c.host()->mark_lent(c.get())) {}
  ~Lent() { (void)c_.host()->release_lent(c_.get(), mark_); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

 private:
  Context c_;
  uint64_t mark_;
};

// A counted reference to a tensor of the host.
class Tensor {
 public:
  Tensor() = default;
  // Takes over one reference.
  static Tensor adopt(const mo_host* host, mo_tensor* t) { return Tensor(host, t); }
  // Adds a reference of its own to a borrowed tensor.
  static Tensor borrow(const mo_host* host, mo_tensor* t) {
    if (t != nullptr) host->tensor->retain(t);
    return Tensor(host, t);
  }
  Tensor(const Tensor& o) : Tensor(borrow(o.host_, o.t_)) {}
  Tensor(Tensor&& o) noexcept
      : host_(o.host_), t_(std::exchange(o.t_, nullptr)), info_(o.info_), data_(o.data_) {}
  Tensor& operator=(Tensor o) noexcept {
    std::swap(host_, o.host_);
    std::swap(t_, o.t_);
    std::swap(info_, o.info_);
    std::swap(data_, o.data_);
    return *this;
  }
  ~Tensor() {
    if (t_ != nullptr) host_->tensor->release(t_);
  }

  // A new tensor and its zero-filled elements, writable until it is handed to the host.
  template <class T>
  static std::pair<Tensor, T*> create(Context c, const std::vector<int64_t>& dims,
                                      ElementType type = element_type_of<T>()) {
    auto [t, data] = create_bytes(c, type, dims);
    return {std::move(t), static_cast<T*>(data)};
  }
  static std::pair<Tensor, void*> create_bytes(Context c, ElementType type,
                                               const std::vector<int64_t>& dims) {
    mo_tensor* t = nullptr;
    void* data = nullptr;
    c.check(c.host()->tensor->create(c.get(), static_cast<mo_type>(type), dims.data(),
                                     static_cast<int64_t>(dims.size()), &t, &data));
    return {adopt(c.host(), t), data};
  }
  template <class T>
  static Tensor of(Context c, const std::vector<T>& values, const std::vector<int64_t>& dims) {
    auto [t, data] = create<T>(c, dims);
    require(values.size() == t.size(), "a tensor of ", t.size(), " elements cannot hold ", values.size());
    std::copy(values.begin(), values.end(), data);
    return t;
  }
  template <class T>
  static Tensor vector(Context c, const std::vector<T>& values) {
    return of<T>(c, values, {static_cast<int64_t>(values.size())});
  }
  template <class T>
  static Tensor scalar(Context c, T value) {
    return of<T>(c, std::vector<T>{value}, {});
  }
  // A view of memory that `owner` keeps alive.
  template <class Owner>
  static Tensor wrap(Context c, ElementType type, const std::vector<int64_t>& dims, const void* data,
                     uint64_t bytes, Owner owner) {
    auto kept = std::make_unique<Owner>(std::move(owner));
    mo_tensor* t = nullptr;
    c.check(c.host()->tensor->wrap(
        c.get(), static_cast<mo_type>(type), dims.data(), static_cast<int64_t>(dims.size()), data, bytes,
        [](void* user) { delete static_cast<Owner*>(user); }, kept.get(), &t));
    (void)kept.release();  // the host calls release
    return adopt(c.host(), t);
  }
  // A tensor of strings in the layout of the IR.
  static Tensor strings(Context c, const std::vector<std::string_view>& values,
                        const std::vector<int64_t>& dims);
  // Elements converted to `type` from doubles; for constants whose type follows another tensor's.
  static Tensor filled(Context c, ElementType type, const std::vector<double>& values,
                       const std::vector<int64_t>& dims);

  // Another look at the same bytes.
  Tensor reshaped(Context c, const std::vector<int64_t>& dims) const { return slice(c, 0, type(), dims); }
  Tensor slice(Context c, uint64_t byte_offset, ElementType type, const std::vector<int64_t>& dims) const {
    mo_tensor* t = nullptr;
    c.check(host_->tensor->view(c.get(), t_, byte_offset, static_cast<mo_type>(type), dims.data(),
                                static_cast<int64_t>(dims.size()), &t));
    return adopt(host_, t);
  }

  explicit operator bool() const { return t_ != nullptr; }
  mo_tensor* get() const { return t_; }
  ElementType type() const { return static_cast<ElementType>(info_.element_type); }
  size_t rank() const { return static_cast<size_t>(info_.rank); }
  int64_t dim(size_t i) const { return info_.dims[i]; }
  std::vector<int64_t> dims() const { return {info_.dims, info_.dims + info_.rank}; }
  Shape shape() const { return Shape::dims_of(info_.dims, info_.rank); }
  size_t size() const {  // elements; the host checked that the product fits
    size_t n = 1;
    for (int64_t i = 0; i < info_.rank; ++i) n *= static_cast<size_t>(info_.dims[i]);
    return n;
  }
  // Of a lazy tensor they are computed, once, and stay in memory. Error when there is no memory, or who
  // computes them cannot; the same from all functions below that look at elements. Weights are better read in
  // pieces: see read, and read_pieces of mo/lazy.hpp.
  const void* data() const {
    if (data_ == nullptr && info_.bytes != 0) {
      if (const mo_status status = ask(detail::AtHand::get()); status != MO_OK) no_elements(status);
    }
    return data_;
  }
  uint64_t bytes() const { return info_.bytes; }
  // Nobody has asked for all elements yet.
  bool is_lazy() const { return data_ == nullptr && info_.bytes != 0 && info_.resident == 0; }
  // Equal for tensors that look at the same elements from their first on, and tells others apart.
  const void* place() const { return info_.bytes == 0 || is_lazy() ? t_ : data(); }
  // Copies bytes; nothing becomes resident that was not. Error beyond the end, and when a file became
  // shorter.
  void read(Context c, uint64_t offset, uint64_t bytes, void* to) const {
    c.check(host_->tensor->read(c.get(), t_, offset, bytes, to));
  }

  // Pointer to the elements when their type is T and they are aligned for it; nullptr otherwise.
  template <class T>
  const T* aligned() const {
    const bool fits = bits(type()) == 8 * static_cast<int>(sizeof(T)) &&
                      reinterpret_cast<uintptr_t>(data()) % alignof(T) == 0;
    return fits ? static_cast<const T*>(data()) : nullptr;
  }
  // Element i read as T's bits, whatever the alignment. The stored type must be as wide as T. Error when
  // there is no element i.
  template <class T>
  T bits_at(size_t i) const {
    if (i >= info_.bytes / sizeof(T)) no_element(i);
    T v;
    std::memcpy(&v, static_cast<const char*>(data()) + i * sizeof(T), sizeof(T));
    return v;
  }
  // Error when there is no element i.
  double number(size_t i) const;  // any numeric type but packed floats
  // Any integer or boolean type; floats are cut towards zero and saturate, NaN is 0.
  int64_t integer(size_t i) const;

  // All elements, converted. They are asked for before there is a list for them: where their number is made
  // up or above a limit, that is the error.
  std::vector<int64_t> to_ints() const {
    (void)data();
    std::vector<int64_t> v(size());
    for (size_t i = 0; i < v.size(); ++i) v[i] = integer(i);
    return v;
  }
  template <class T = float>
  std::vector<T> to_floats() const {
    (void)data();
    std::vector<T> v(size());
    if (v.empty()) return v;
    if (type() == element_type_of<T>())
      std::memcpy(v.data(), data(), v.size() * sizeof(T));
    else
      for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<T>(number(i));
    return v;
  }

 private:
  Tensor(const mo_host* host, mo_tensor* t) : host_(host), t_(t) {
    if (t_ == nullptr) return;
    info_.size = sizeof info_;
    (void)host_->tensor->info(t_, &info_);  // of a live tensor it does not fail
  }
  mo_status ask(mo_context* c) const { return host_->tensor->data(c, t_, &data_); }
  [[noreturn]] void no_elements(mo_status status) const {
    mo_context* c = detail::AtHand::get();
    const std::string_view why = c == nullptr ? std::string_view() : view(host_->last_error(c));
    throw Error(text("the elements of a tensor of shape ", shape(), " cannot be had: ",
                     !why.empty()             ? why
                     : status == MO_NO_MEMORY ? "there is no memory"
                                              : "who computes them fails"),
                status);
  }
  [[noreturn]] void no_element(size_t i) const {
    fail("element ", i, " of a tensor of shape ", shape(), " is asked for");
  }
  unsigned packed(size_t i) const {  // sub-byte element i
    const auto width = static_cast<size_t>(bits(type()));
    const auto* p = static_cast<const uint8_t*>(data());
    if (i >= size()) no_element(i);
    if (type() == ElementType::u1) return (p[i / 8] >> (7 - i % 8)) & 1U;
    const size_t bit = i * width;
    unsigned v = p[bit / 8] >> (bit % 8);
    if (bit % 8 + width > 8) v |= static_cast<unsigned>(p[bit / 8 + 1]) << (8 - bit % 8);
    return v & ((1U << width) - 1);
  }

  const mo_host* host_ = nullptr;
  mo_tensor* t_ = nullptr;
  mo_tensor_info info_{};
  mutable const void* data_ = nullptr;
};

namespace detail {

// Towards zero; what is too large becomes the nearest number there is, and what is none 0.
template <class T>
T saturated(double value) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(Limits::lowest())) return Limits::lowest();
  if (value >= static_cast<double>(Limits::max())) return Limits::max();
  return static_cast<T>(value);
}

}  // namespace detail

inline double Tensor::number(size_t i) const {
  switch (type()) {
    case ElementType::f32:
      return bits_at<float>(i);
    case ElementType::f64:
      return bits_at<double>(i);
    case ElementType::f16:
      return half_to_float(bits_at<uint16_t>(i));
    case ElementType::bf16:
      return bfloat_to_float(bits_at<uint16_t>(i));
    case ElementType::u64:
      return static_cast<double>(bits_at<uint64_t>(i));
    default:
      return static_cast<double>(integer(i));
  }
}

inline int64_t Tensor::integer(size_t i) const {
  switch (type()) {
    case ElementType::boolean:
    case ElementType::u8:
      return bits_at<uint8_t>(i);
    case ElementType::i8:
      return bits_at<int8_t>(i);
    case ElementType::i16:
      return bits_at<int16_t>(i);
    case ElementType::i32:
      return bits_at<int32_t>(i);
    case ElementType::i64:
      return bits_at<int64_t>(i);
    case ElementType::u16:
      return bits_at<uint16_t>(i);
    case ElementType::u32:
      return bits_at<uint32_t>(i);
    case ElementType::u64:
      return static_cast<int64_t>(bits_at<uint64_t>(i));
    case ElementType::u1:
    case ElementType::u2:
    case ElementType::u3:
    case ElementType::u4:
    case ElementType::u6:
      return packed(i);
    case ElementType::i4: {
      const unsigned v = packed(i);
      return v < 8 ? static_cast<int64_t>(v) : static_cast<int64_t>(v) - 16;
    }
    case ElementType::f32:
    case ElementType::f64:
    case ElementType::f16:
    case ElementType::bf16:
      return detail::saturated<int64_t>(number(i));
    default:
      fail("elements of type ", name(type()), " cannot be read as numbers");
  }
}

// Writes `value` as element i of `type`: an integer is cut towards zero and saturates, and is 0 for NaN.
inline void store_number(void* data, ElementType type, size_t i, double value) {
  const auto put = [&](auto v) { std::memcpy(static_cast<char*>(data) + i * sizeof v, &v, sizeof v); };
  switch (type) {
    case ElementType::boolean:
      return put(static_cast<uint8_t>(value != 0));
    case ElementType::f32:
      return put(static_cast<float>(value));
    case ElementType::f64:
      return put(value);
    case ElementType::f16:
      return put(float_to_half(static_cast<float>(value)));
    case ElementType::bf16:
      return put(float_to_bfloat(static_cast<float>(value)));
    case ElementType::i8:
      return put(detail::saturated<int8_t>(value));
    case ElementType::i16:
      return put(detail::saturated<int16_t>(value));
    case ElementType::i32:
      return put(detail::saturated<int32_t>(value));
    case ElementType::i64:
      return put(detail::saturated<int64_t>(value));
    case ElementType::u8:
      return put(detail::saturated<uint8_t>(value));
    case ElementType::u16:
      return put(detail::saturated<uint16_t>(value));
    case ElementType::u32:
      return put(detail::saturated<uint32_t>(value));
    case ElementType::u64:
      return put(detail::saturated<uint64_t>(value));
    default:
      fail("elements of type ", name(type), " cannot be written");
  }
}

inline Tensor Tensor::strings(Context c, const std::vector<std::string_view>& values,
                              const std::vector<int64_t>& dims) {
  std::string bytes;
  const auto put = [&bytes](size_t n) {
    require(n <= INT32_MAX, "strings of more than 2 GiB do not fit into one tensor");
    const auto v = static_cast<int32_t>(n);
    bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
  };
  put(values.size());
  size_t end = 0;
  put(end);
  for (const std::string_view v : values) put(end += v.size());
  for (const std::string_view v : values) bytes += v;
  auto owner = std::make_unique<std::string>(std::move(bytes));
  const std::string& kept = *owner;
  return wrap(c, ElementType::string, dims, kept.data(), kept.size(), std::move(owner));
}

inline Tensor Tensor::filled(Context c, ElementType type, const std::vector<double>& values,
                             const std::vector<int64_t>& dims) {
  auto [t, data] = create_bytes(c, type, dims);
  require(values.size() == t.size(), "a tensor of ", t.size(), " elements cannot hold ", values.size());
  for (size_t i = 0; i < values.size(); ++i) store_number(data, type, i, values[i]);
  return t;
}

// A counted reference to a mapped file.
class File {
 public:
  File() = default;
  static File open(Context c, std::string_view path) {
    mo_file* f = nullptr;
    c.check(c.host()->file->open(c.get(), str(path), &f));
    return File(c.host(), f);
  }
  // Refuses to leave `folder`.
  static File open_below(Context c, std::string_view folder, std::string_view relative) {
    mo_file* f = nullptr;
    c.check(c.host()->file->open_below(c.get(), str(folder), str(relative), &f));
    return File(c.host(), f);
  }
  File(File&& o) noexcept : host_(o.host_), f_(std::exchange(o.f_, nullptr)) {}
  File& operator=(File&& o) noexcept {
    std::swap(host_, o.host_);
    std::swap(f_, o.f_);
    return *this;
  }
  ~File() {
    if (f_ != nullptr) host_->file->release(f_);
  }

  std::string_view bytes() const {
    const void* data = nullptr;
    uint64_t n = 0;
    host_->file->data(f_, &data, &n);
    return {static_cast<const char*>(data), static_cast<size_t>(n)};
  }
  Tensor tensor(Context c, uint64_t offset, uint64_t bytes, ElementType type,
                const std::vector<int64_t>& dims) const {
    mo_tensor* t = nullptr;
    c.check(host_->file->tensor(c.get(), f_, offset, bytes, static_cast<mo_type>(type), dims.data(),
                                static_cast<int64_t>(dims.size()), &t));
    return Tensor::adopt(host_, t);
  }

 private:
  File(const mo_host* host, mo_file* f) : host_(host), f_(f) {}
  const mo_host* host_ = nullptr;
  mo_file* f_ = nullptr;
};

}  // namespace mo
