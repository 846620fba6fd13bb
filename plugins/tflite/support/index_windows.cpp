#include "support/index_windows.hpp"

#include <algorithm>

namespace mo::tflite {

bool contains(const Ints& list, int64_t v) { return std::find(list.begin(), list.end(), v) != list.end(); }

void require_different(const Ints& list, int64_t limit, std::string_view attribute) {
  Ints sorted = list;
  std::sort(sorted.begin(), sorted.end());
  const bool unique = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  require(unique && (sorted.empty() || (sorted.front() >= 0 && sorted.back() < limit)), "attribute '",
          attribute, "' is ", list, ", expected different numbers below ", limit);
}

OutPort window_offsets(const Build& b, const Ints& sizes) {
  int64_t count = 1;
  for (const int64_t s : sizes) {
    require(s >= 0 && count * s <= (1 << 20), "its windows are of ", sizes,
            " elements, but each index is written out, which is done up to ", 1 << 20);
    count *= s;
  }
  std::vector<double> places;
  for (int64_t k = 0; k < count; ++k) {
    int64_t rest = k;
    Ints place(sizes.size());
    for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d]) place[d] = rest % sizes[d];
    places.insert(places.end(), place.begin(), place.end());
  }
  Ints dims = sizes;
  dims.push_back(static_cast<int64_t>(sizes.size()));
  return b.constant(Tensor::filled(b.context(), ElementType::i64, places, dims));
}

OutPort index_last(const Build& b, const OutPort& indices, int64_t at, int64_t rank) {
  const OutPort i = b.convert(indices, ElementType::i64);
  if (at == rank) return b.unsqueeze(i, b.list({rank}));
  if (at == rank - 1) return i;
  Ints order;
  for (int64_t d = 0; d < rank; ++d)
    if (d != at) order.push_back(d);
  order.push_back(at);
  return b.transpose(i, order);
}

OutPort window_places(const Build& b, const OutPort& first, int64_t batch_rank, const Ints& sizes) {
  Ints between;
  for (size_t k = 0; k < sizes.size(); ++k) between.push_back(batch_rank + static_cast<int64_t>(k));
  return op1(b, "Add", {b.unsqueeze(first, b.list(between)), window_offsets(b, sizes)});
}

}  // namespace mo::tflite
