// Walks protobuf wire format in place: finds fields and big payloads without copying or decoding what nobody
// asks for.
//
//   for (mo::wire::Field f : mo::wire::Message(bytes)) if (f.number == 7) graph = f.bytes();
//
// Input is untrusted: every read is checked, and a broken message throws mo::Error with its byte offset.
#pragma once

#include <mo/error.hpp>

#include <cstdint>
#include <cstring>

namespace mo::wire {

enum Type : uint32_t { varint = 0, fixed64 = 1, length = 2, group_start = 3, group_end = 4, fixed32 = 5 };

class Reader {
 public:
  explicit Reader(std::string_view bytes)
      : begin_(bytes.data()), p_(bytes.data()), end_(bytes.data() + bytes.size()) {}
  bool done() const { return p_ == end_; }
  size_t offset() const { return static_cast<size_t>(p_ - begin_); }

  uint64_t read_varint() {
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (p_ == end_) broken("ends inside a number");
      const auto b = static_cast<uint8_t>(*p_++);
      v |= static_cast<uint64_t>(b & 0x7fU) << shift;
      if (b < 0x80) return v;
    }
    broken("has a number of more than 10 bytes");
  }
  template <class T>
  T read_fixed() {
    if (static_cast<size_t>(end_ - p_) < sizeof(T)) broken("ends inside a number");
    T v;
    std::memcpy(&v, p_, sizeof v);
    p_ += sizeof v;
    return v;
  }
  std::string_view read_bytes() {
    const uint64_t n = read_varint();
    if (n > static_cast<uint64_t>(end_ - p_)) broken("ends inside a field");
    const std::string_view s(p_, static_cast<size_t>(n));
    p_ += n;
    return s;
  }
  [[noreturn]] void broken(std::string_view what) const {
    throw Error(text("the file is damaged: a message ", what, " (", offset(), " bytes into it)"));
  }

 private:
  const char* begin_;
  const char* p_;
  const char* end_;
};

struct Field {
  uint32_t number = 0;
  Type type = varint;
  uint64_t raw = 0;          // varint, fixed32, fixed64
  std::string_view payload;  // length-delimited

  std::string_view bytes() const {
    if (type != length)
      fail("the file is damaged: field ", number, " has wire type ", static_cast<uint32_t>(type),
           ", expected 2");
    return payload;
  }
  uint64_t integer() const {
    if (type != varint)
      fail("the file is damaged: field ", number, " has wire type ", static_cast<uint32_t>(type),
           ", expected 0");
    return raw;
  }
  int64_t signed_integer() const { return static_cast<int64_t>(integer()); }
  float f32() const {
    if (type != fixed32)
      fail("the file is damaged: field ", number, " has wire type ", static_cast<uint32_t>(type),
           ", expected 5");
    float f;
    const auto low = static_cast<uint32_t>(raw);
    std::memcpy(&f, &low, sizeof f);
    return f;
  }
};

// The fields of one message, in order.
class Message {
 public:
  explicit Message(std::string_view bytes) : bytes_(bytes) {}

  class Iterator {
   public:
    explicit Iterator(std::string_view bytes, bool at_end) : reader_(bytes), at_end_(at_end) {
      if (!at_end_) ++*this;
    }
    const Field& operator*() const { return field_; }
    Iterator& operator++() {
      if (reader_.done()) {
        at_end_ = true;
        return *this;
      }
      next();
      return *this;
    }
    bool operator!=(const Iterator& o) const { return at_end_ != o.at_end_; }

   private:
    void next() {
      const uint64_t key = reader_.read_varint();
      field_.number = static_cast<uint32_t>(key >> 3);
      if (field_.number == 0 || key >> 32 != 0) reader_.broken("has an invalid field number");
      field_.type = static_cast<Type>(key & 7U);
      field_.payload = {};
      switch (field_.type) {
        case varint:
          field_.raw = reader_.read_varint();
          break;
        case fixed64:
          field_.raw = reader_.read_fixed<uint64_t>();
          break;
        case fixed32:
          field_.raw = reader_.read_fixed<uint32_t>();
          break;
        case length:
          field_.payload = reader_.read_bytes();
          break;
        default:
          reader_.broken("uses groups or an unknown wire type");
      }
    }
    Reader reader_;
    Field field_;
    bool at_end_;
  };
  Iterator begin() const { return Iterator(bytes_, false); }
  Iterator end() const { return Iterator({}, true); }

 private:
  std::string_view bytes_;
};

// Repeated scalars come one by one or packed; both append to `out`.
template <class T>
void append_integers(const Field& f, std::vector<T>& out) {
  if (f.type == varint) {
    out.push_back(static_cast<T>(f.raw));
    return;
  }
  Reader r(f.bytes());
  while (!r.done()) out.push_back(static_cast<T>(r.read_varint()));
}
template <class T>
void append_fixed(const Field& f, std::vector<T>& out) {
  if (f.type != length) {
    T v;
    std::memcpy(&v, &f.raw, sizeof v);  // little-endian, as everything here
    out.push_back(v);
    return;
  }
  Reader r(f.bytes());
  while (!r.done()) out.push_back(r.read_fixed<T>());
}

}  // namespace mo::wire
