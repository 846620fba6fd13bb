// Values, shapes and structs of mo/plugin.h as parts of a message.
#pragma once

#include "apps/isolate/wire.hpp"

namespace mo::app::isolate {

void put_shape(Writer&, const mo_shape&);
mo_shape get_shape(Reader&);
void put_value(Side&, Writer&, const mo_value&);
mo_value get_value(Side&, Reader&);
void put_strings(Writer&, const mo_str*, uint64_t count);
const mo_str* get_strings(Reader&, uint64_t& count);
void put_desc(Side&, Writer&, const mo_tensor_desc*);
const mo_tensor_desc* get_desc(Side&, Reader&);
void put_symbols(Side&, Writer&, const mo_symbols&);
mo_symbols get_symbols(Side&, Reader&);

// Lists of what is no plain value.
template <class T, class Put>
void put_each(Writer& w, const T* items, uint64_t count, Put put) {
  const bool there = items != nullptr && count <= Writer::longest_list;
  w.put<uint8_t>(there);
  for (uint64_t i = 0; there && i < count; ++i) put(items[i]);
}

template <class T, class Get>
const T* get_each(Reader& r, uint64_t count, Get get) {
  if (!r.flag()) return nullptr;
  auto* items = r.room<T>(count);
  for (uint64_t i = 0; i < count; ++i) items[i] = get();
  return items;
}

// Out of a message and into memory of its receiver's call: views of a message end with it.
mo_value keep_value(const mo_value&, Arena&);

}  // namespace mo::app::isolate
