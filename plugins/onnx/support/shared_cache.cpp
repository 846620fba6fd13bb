#include "support/shared_cache.hpp"

namespace mo::onnx::ms {

SharedCache::SharedCache(const Build& b, const OutPort& query, const OutPort& past, const OutPort& beams)
    : b_(b),
      past_(b.reshape(b.convert(past, ElementType::i64), b.list({1}))),
      total_(b.add(past_, b.dim(query, 2))) {
  if (beams) rows_ = rows_of(beams, b.dim(query, 0));
}

static OutPort entries_of_cache(const Build& b, const OutPort& x, const OutPort& from, const OutPort& to) {
  return b.op("Slice", "opset8", {x, from, to, b.list({1}), b.list({2})});
}

OutPort SharedCache::rows_of(const OutPort& beams, const OutPort& batch) const {
  const OutPort table =
      b_.reshape(b_.convert(beams, ElementType::i64), b_.concat({b_.list({-1}), b_.dim(beams, 2)}));
  const OutPort own = b_.unsqueeze(positions(b_, batch), b_.list({1}));
  const OutPort group = b_.subtract(own, b_.op("FloorMod", "opset1", {own, b_.dim(beams, 1)}));
  const OutPort chosen =
      b_.op("Slice", "opset8", {b_.add(table, group), b_.list({0}), total_, b_.list({1}), b_.list({1})});
  const OutPort is_past = b_.op("Less", "opset1", {positions(b_, total_), past_});
  return b_.transpose(b_.select(is_past, chosen, own), {1, 0});
}

OutPort SharedCache::present(const OutPort& buffer, const OutPort& fresh) const {
  return b_.concat({entries_of_cache(b_, buffer, b_.list({0}), past_), fresh,
                    entries_of_cache(b_, buffer, total_, b_.list({INT64_MAX}))},
                   2);
}

OutPort SharedCache::filled(const OutPort& present) const {
  const OutPort x = entries_of_cache(b_, present, b_.list({0}), total_);
  if (!rows_) return x;
  return b_.transpose(gather(b_, b_.transpose(x, {2, 0, 1, 3}), rows_, 1, 1), {1, 2, 0, 3});
}

}  // namespace mo::onnx::ms
