// Attention in its parts, for the many operators that have it fused.
#pragma once

#include "support/microsoft.hpp"

namespace mo::onnx::ms {

// [batch, length, heads * size] as [batch, heads, length, size].
OutPort heads_first(const Build& b, const OutPort& x, int64_t heads);
// The biases of query, key and value that lie one after the other in `all`, each as [1, heads, 1, size];
// `query` has its heads first.
Ports biases_of_heads(const Build& b, const OutPort& all, const OutPort& query, int64_t heads);
// Entries of the last dimension of a tensor of rank 3 as heads, by their number or, if that is 0, by their
// size, a list of one element. One of rank 4 has its heads first already.
OutPort heads_of_input(const Build& b, const OutPort& x, int64_t heads, const OutPort& size = {});
// Back to the order of `like`, an input of rank 3 or 4.
OutPort heads_as_in(const Build& b, const OutPort& x, const OutPort& like);
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
// What is between: the argument of the softmax, and its result; both without the sink.
struct Between {
  OutPort scores, weights;
};
// softmax(query * key^T * scale + masks) * value
OutPort attend(const Build& b, const Scores& s, Between* between = nullptr);

// Positions 0, 1, … of `count`, a list of one element.
OutPort positions(const Build& b, const OutPort& count);
// `filler` where `kept` is false and 0 elsewhere, in the type of `like`.
OutPort mask_where(const Build& b, const OutPort& like, const OutPort& kept, double filler);
// The least number of the type of `like`.
double lowest(const OutPort& like);
// A mask of queries that see no later keys: [rows, columns]. `past` keys stand before the first query: a list
// of one element, or of one for each query that is added to its place.
OutPort causal_mask(const Build& b, const OutPort& like, const OutPort& query, const OutPort& key,
                    const OutPort& past, double filler);
// What input `i` says about keys: lengths, lengths and starts, or a number for each key; null when it says
// nothing. `query` and `key` have their heads first.
OutPort key_mask(const Build& b, const OutPort& like, size_t i, const OutPort& query, const OutPort& key,
                 double filler);

}  // namespace mo::onnx::ms
