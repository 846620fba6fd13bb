// Tables of a FlatBuffer by the numbers of their fields, see schema.hpp. Only of buffers that are verified.
#pragma once

#include <mo/error.hpp>

#include <flatbuffers/flatbuffers.h>

#include <cstring>
#include <vector>

namespace mo::tflite {

using Table = flatbuffers::Table;
using Bytes = std::string_view;

constexpr flatbuffers::voffset_t field_offset(uint16_t field) {
  return static_cast<flatbuffers::voffset_t>(4 + 2 * field);
}

inline bool has_field(const Table* t, uint16_t field) { return t->CheckField(field_offset(field)); }

template <class T>
T number_of(const Table* t, uint16_t field, T fallback = 0) {
  return t->GetField<T>(field_offset(field), fallback);
}

inline const Table* table_of(const Table* t, uint16_t field) {
  return t->GetPointer<const Table*>(field_offset(field));
}

// The elements of a vector as they lie in the file; they need not be aligned.
template <class T>
class Elements {
 public:
  Elements() = default;
  Elements(const Table* t, uint16_t field) {
    const auto* v = t->GetPointer<const uint8_t*>(field_offset(field));
    if (v == nullptr) return;
    size_ = flatbuffers::ReadScalar<flatbuffers::uoffset_t>(v);
    data_ = v + sizeof(flatbuffers::uoffset_t);
  }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T operator[](size_t i) const {
    T v;
    std::memcpy(&v, data_ + i * sizeof(T), sizeof(T));
    return v;
  }
  template <class To = T>
  std::vector<To> list() const {
    std::vector<To> all(size_);
    for (size_t i = 0; i < size_; ++i) all[i] = static_cast<To>((*this)[i]);
    return all;
  }
  Bytes bytes() const {
    return empty() ? Bytes{} : Bytes{reinterpret_cast<const char*>(data_), size_ * sizeof(T)};
  }

 private:
  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

inline std::string_view text_of(const Table* t, uint16_t field) { return Elements<char>(t, field).bytes(); }

// A vector of tables.
class Tables {
 public:
  Tables(const Table* t, uint16_t field) : vector_(t->GetPointer<const Vector*>(field_offset(field))) {}
  size_t size() const { return vector_ == nullptr ? 0 : vector_->size(); }
  const Table* operator[](size_t i) const { return vector_->Get(static_cast<flatbuffers::uoffset_t>(i)); }

 private:
  using Vector = flatbuffers::Vector<flatbuffers::Offset<Table>>;
  const Vector* vector_;
};

}  // namespace mo::tflite
