// Keys and values whose past and present are one buffer with room for more: MultiHeadAttention and the
// DecoderMasked… operators of com.microsoft. A search with beams does not move the buffer's rows. It says of
// which row of its group each entry of the past is.
#pragma once

#include "support/attention.hpp"

namespace mo::onnx::ms {

class SharedCache {
 public:
  // New entries, as many as `query` with its heads first, stand behind those of the past, of which `past` is
  // the number, a tensor of one element. `beams` is null or [groups, rows of a group, room].
  SharedCache(const Build& b, const OutPort& query, const OutPort& past, const OutPort& beams);
  OutPort past() const { return past_; }  // a list of one element
  // The buffer with the new entries: [batch, heads, room, size]. One that has no room for them grows.
  OutPort present(const OutPort& buffer, const OutPort& fresh) const;
  // The entries that count, each from the row that the table says.
  OutPort filled(const OutPort& present) const;

 private:
  OutPort rows_of(const OutPort& beams, const OutPort& batch) const;

  const Build& b_;
  OutPort past_, total_;  // lists of one element
  OutPort rows_;          // [entries, batch]; null without beams
};

}  // namespace mo::onnx::ms
