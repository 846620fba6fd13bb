#include "support/shared_cache.hpp"

namespace mo::onnx::ms {

SharedCache::SharedCache(const Build& b, const OutPort& query, const OutPort& past, const OutPort& beams)
    : b_(b), past_(b.reshape(b.convert(past, ElementType::i64), b.list({1}))) {
  const OutPort batch = b.dim(query, 0);
  // As many rows as there are sequences, for the choice of each.
  const Node spread = b.node("Broadcast", "opset3", {past_, b.concat({batch, b.list({1})})});
  spread.set("mode", "numpy");
  lengths_.past = spread.out_port();
  lengths_.fresh = b.dim(query, 2);
  lengths_.total = add(b, lengths_.past, lengths_.fresh);
  lengths_.longest = add(b, past_, lengths_.fresh);
  if (beams) rows_ = rows_of(beams, batch);
}

OutPort SharedCache::rows_of(const OutPort& beams, const OutPort& batch) const {
  const OutPort table =
      b_.reshape(b_.convert(beams, ElementType::i64), b_.concat({b_.list({-1}), b_.dim(beams, 2)}));
  const OutPort own = b_.unsqueeze(positions(b_, batch), b_.list({1}));
  const OutPort group = subtract(b_, own, b_.op("FloorMod", "opset1", {own, b_.dim(beams, 1)}));
  const OutPort chosen = b_.op(
      "Slice", "opset8", {add(b_, table, group), b_.list({0}), lengths_.longest, b_.list({1}), b_.list({1})});
  const OutPort is_past = b_.op("Less", "opset1", {positions(b_, lengths_.longest), past_});
  return transpose(b_, b_.select(is_past, chosen, own), {1, 0});
}

OutPort SharedCache::present(const OutPort& buffer, const OutPort& fresh) const {
  return with_fresh(b_, buffer, fresh, lengths_);
}

OutPort SharedCache::filled(const OutPort& present) const {
  const OutPort x =
      b_.op("Slice", "opset8", {present, b_.list({0}), lengths_.longest, b_.list({1}), b_.list({2})});
  if (!rows_) return x;
  return transpose(b_, gather(b_, transpose(b_, x, {2, 0, 1, 3}), rows_, 1, 1), {1, 2, 0, 3});
}

}  // namespace mo::onnx::ms
