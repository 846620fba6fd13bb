// Definitions of a plugin as parts of a message: as they are, right or wrong, so that the host's own
// checks see what the plugin said.
#pragma once

#include "apps/isolate/callbacks.hpp"

namespace mo::app::isolate {

// In the place of the depth of a context: a call that has none.
inline constexpr uint32_t no_context = UINT32_MAX;

// A copy in which members beyond the size that is stated are zero.
template <class Def>
Def sized_copy(const Def* from) {
  Def copy{};
  size_t size = 0;
  std::memcpy(&size, from, sizeof size);
  std::memcpy(static_cast<void*>(&copy), from, std::min(size, sizeof copy));
  copy.size = size;
  return copy;
}

// Everything but callbacks and self. Of what is read, these are NULL.
void put_definition(Side&, Writer&, const mo_operation_def&);
void put_definition(Side&, Writer&, const mo_extractor_def&);
void put_definition(Side&, Writer&, const mo_transformation_def&);
void put_definition(Side&, Writer&, const mo_frontend_def&);
void put_definition(Side&, Writer&, const mo_option_def&);
void put_definition(Side&, Writer&, const mo_converter_def&);
void put_definition(Side&, Writer&, const mo_plugin&);

void get_definition(Side&, Reader&, mo_operation_def&);
void get_definition(Side&, Reader&, mo_extractor_def&);
void get_definition(Side&, Reader&, mo_transformation_def&);
void get_definition(Side&, Reader&, mo_frontend_def&);
void get_definition(Side&, Reader&, mo_option_def&);
void get_definition(Side&, Reader&, mo_converter_def&);
void get_definition(Side&, Reader&, mo_plugin&);

// Structs in a list that a newer or older plugin lays out by its own size.
inline constexpr size_t largest_stride = 1U << 16U;
inline constexpr uint64_t longest_definition_list = 1U << 16U;
struct Stride {
  size_t bytes;
  uint64_t readable;  // so many elements are where the first one's size says
};
inline Stride stride_of(const void* items, uint64_t count) {
  if (items == nullptr || count == 0 || count > longest_definition_list) return {0, 0};
  size_t size = 0;
  std::memcpy(&size, items, sizeof size);
  const bool good = size >= sizeof(size_t) && size <= largest_stride;
  return {good ? size : sizeof(size_t), good ? count : 1};
}

}  // namespace mo::app::isolate
