// Keys and values of earlier tokens, in which each sequence of the batch has a length of its own.
#pragma once

#include "support/attention.hpp"
#include "support/rotary.hpp"

namespace mo::onnx::ms {

struct KeyLengths {
  OutPort total;    // [batch, 1], the keys of each sequence
  OutPort past;     // [batch, 1], those before the new ones
  OutPort fresh;    // [1], new ones
  OutPort longest;  // [1], the most keys of a sequence, or fewer where the cache has room for more
};

// Of a query with its heads first. In a first prompt, sequences of the batch may be shorter than the others;
// they begin at 0 all the same. `counts`, where it is not null, says how many of the new ones of each sequence
// count.
KeyLengths key_lengths(const Build& b, const OutPort& query, const OutPort& total, const OutPort& longest,
                       const OutPort& counts = {});

// The mask of all keys, [batch, keys], in which the lengths in input `lengths` are counted, where the cache in inputs
// `past` and behind it, which outputs `first` and behind it are, becomes state of the model; null where it is
// otherwise. Nobody sees then in which rows the entries are: new ones go behind all others, and the mask says which
// count. That is the form that runtimes know.
OutPort mask_of_state(const Build& b, const SourceNode& n, size_t past, size_t lengths, size_t first);
// The model's input of positions, as decoders have it beside their tokens; made where there is none. Null for a model
// without tokens.
OutPort position_input(const Graph& g);
// Of a cache whose rows all count.
KeyLengths key_lengths(const Build& b, const OutPort& query, const OutPort& past);

// The cache with the new entries right behind those that count; it may have room for more.
OutPort with_fresh(const Build& b, const OutPort& past, const OutPort& fresh, const KeyLengths& l);

// A cache of the last positions only, of which at least `window` are kept: its first rows have them in their
// order. One that is full loses as many at once as it has room beyond the window. A cache that has fewer rows than
// the window, as a state that begins empty, grows to it.
class WindowCache {
 public:
  // `past` is the cache of keys.
  WindowCache(const Build& b, const KeyLengths& l, const OutPort& past, int64_t window);
  // Entries of the cache and new ones, more than the cache has room for: what this step looks at.
  OutPort entries(const OutPort& past, const OutPort& fresh) const;
  OutPort positions() const { return positions_; }  // of the entries, [batch, entries]
  OutPort present(const OutPort& entries) const;

 private:
  OutPort resident(const OutPort& total) const;

  const Build& b_;
  OutPort room_, together_;             // lists of one element: rows of the cache, and all entries
  OutPort capacity_, dropped_at_once_;  // lists of one element
  OutPort from_, positions_,
      present_;  // [batch, …]: indices of entries in both, their positions, those that stay
};

// [batch, groups, length, size] with each head repeated.
OutPort repeated_heads(const Build& b, const OutPort& x, int64_t times, int64_t heads);

// Query, key and value with their heads first: inputs 0 to 2, or all of them in input 0.
Ports grouped_heads(const Build& b, int64_t queries, int64_t keys);

// Positions of the keys, and those of the new ones for each sequence: [1 or batch, 1, 1, keys] and
// [batch, 1, new, 1].
OutPort key_columns(const Build& b, const OutPort& key);
OutPort key_columns(const Build& b, const WindowCache& cache);
OutPort query_rows(const Build& b, const KeyLengths& l);

// Tables in inputs `cosines` and `sines`; positions are `given`, or counted from the past. `size` is that of a
// head, where it is known.
Rotary cache_rotary(const Build& b, const SourceNode& n, size_t cosines, size_t sines, const OutPort& given,
                    const KeyLengths& l, std::optional<int64_t> size);

}  // namespace mo::onnx::ms
