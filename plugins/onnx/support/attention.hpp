// Attention in its parts, for the many operators that have it fused.
#pragma once

#include "support/microsoft.hpp"

namespace mo::onnx::ms {

// [batch, length, heads * size] as [batch, heads, length, size].
OutPort heads_first(const Build& b, const OutPort& x, int64_t heads);
// The same for an input of rank 3; one of rank 4 has its heads first already.
OutPort heads_of_input(const Build& b, const OutPort& x, int64_t heads);
// [batch, heads, length, size] as [batch, length, heads * size].
OutPort heads_merged(const Build& b, const OutPort& x);

struct Scores {
  OutPort like;               // what tells the type, which is not known of the others
  OutPort query, key, value;  // heads first
  double scale = 0;           // 0: one by the root of the size of a head
  double softcap = 0;         // 0: none
  Ports masks;                // added
  OutPort sink;               // one more number in each softmax, of shape [heads or 1, 1, 1]
};
// softmax(query * key^T * scale + masks) * value
OutPort attend(const Build& b, const Scores& s);

// Positions 0, 1, … of `count`, a list of one element.
OutPort positions(const Build& b, const OutPort& count);
// `filler` where `kept` is false and 0 elsewhere, in the type of `like`.
OutPort mask_where(const Build& b, const OutPort& like, const OutPort& kept, double filler);
// The least number of the type of `like`.
double lowest(const OutPort& like);
// A mask of queries that see no later keys: [rows, columns]. The first one stands behind `past` keys, a list
// of one element.
OutPort causal_mask(const Build& b, const OutPort& like, const OutPort& query, const OutPort& key,
                    const OutPort& past, double filler);
// What input `i` says about keys: lengths, lengths and starts, or a number for each key; null when it says
// nothing. `query` and `key` have their heads first.
OutPort key_mask(const Build& b, const OutPort& like, size_t i, const OutPort& query, const OutPort& key,
                 double filler);

}  // namespace mo::onnx::ms
