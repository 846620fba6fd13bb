// The format, as flatc makes it of schema.fbs: readers of its tables, only for files that are verified.
#pragma once

#include <mo/error.hpp>

#include <flatbuffers/flatbuffers.h>

#include <cstring>
#include <vector>

#include "schema_generated.h"

namespace mo::tflite {

using Table = flatbuffers::Table;
using Bytes = std::string_view;

// The elements of a vector as they lie in the file; they need not be aligned.
template <class To, class T>
std::vector<To> list_of(const flatbuffers::Vector<T>* v) {
  std::vector<To> all(flatbuffers::VectorLength(v));
  for (size_t i = 0; i < all.size(); ++i) {
    T element;
    std::memcpy(&element, v->Data() + i * sizeof(T), sizeof(T));
    all[i] = static_cast<To>(element);
  }
  return all;
}

template <class T>
Bytes bytes_of(const flatbuffers::Vector<T>* v) {
  return v == nullptr ? Bytes{} : Bytes{reinterpret_cast<const char*>(v->Data()), v->size() * sizeof(T)};
}

inline std::string_view text_of(const flatbuffers::String* s) { return bytes_of<char>(s); }

}  // namespace mo::tflite
