#include "support/key_cache.hpp"

#include <mo/conventions.h>
#include <mo/matcher.hpp>

namespace mo::onnx::ms {

namespace {

OutPort new_positions(const Build& b, const KeyLengths& l) {
  return b.add(l.past, b.unsqueeze(positions(b, l.fresh), b.list({0})));
}

// Cast(Sub(ReduceSum(mask, 1), 1)), as decoders count; of operators, or of operations already.
OutPort counted_mask(const OutPort& lengths) {
  const Pattern mask = any_input();
  const Pattern sum = wrap_type({"ReduceSum", "::ReduceSum"}, {mask, any_input()});
  const Pattern less = wrap_type({"Subtract", "::Sub"}, {sum, any_input()});
  Matcher m(wrap_type({"Convert", "::Cast"}, {less}));
  if (!m.match(lengths)) return {};
  const OutPort found = m.state().port(mask);
  const auto axes = m.state().node(sum).in_port(1).value(), one = m.state().node(less).in_port(1).value();
  const bool along_keys = axes && (axes->to_ints() == Ints{1} || axes->to_ints() == Ints{-1});
  const bool but_one = one && one->size() == 1 && one->to_ints().front() == 1;
  return along_keys && but_one && found.shape().rank() == 2 && is_integer(found.type()) ? found : OutPort();
}

// The model keeps the cache, and nothing but its output reads what becomes of it.
bool is_kept(const Build& b, const OutPort& past, const OutPort& present) {
  const auto kept =
      b.graph().attr<std::vector<std::string>>("kept_caches").value_or(std::vector<std::string>());
  const auto readers = present.get_destinations();
  return std::find(kept.begin(), kept.end(), past.node().name()) != kept.end() && readers.size() == 1 &&
         readers.front().node().is("Result");
}

}  // namespace

OutPort mask_of_state(const Build& b, const SourceNode& n, size_t past, size_t lengths, size_t first) {
  if (!b.has(past) || !b.has(past + 1) || n.out_count() < first + 2) return {};
  for (const size_t i : {size_t{0}, size_t{1}})
    if (!is_kept(b, b.in(past + i), n.out_port(first + i))) return {};
  return counted_mask(b.in(lengths));
}

OutPort position_input(const Graph& g) {
  if (const auto there = g.find("position_ids"); there && there->is("Parameter")) return there->out_port();
  for (const char* name : {"input_ids", "inputs_embeds"}) {
    const auto tokens = g.find(name);
    if (!tokens || !tokens->is("Parameter") || tokens->out_port().shape().rank() < 2) continue;
    const Shape all = tokens->out_port().shape(), shape{all[0], all[1]};
    const Node n = g.create_node("Parameter", "opset1", "position_ids");
    n.set("element_type", ElementType::i64).set("shape", shape);
    const auto dims = tokens->find_attr<std::vector<std::string>>(MO_ATTR_DIM_NAMES);
    if (dims && dims->size() >= 2)
      n.set(MO_ATTR_DIM_NAMES, std::vector<std::string>(dims->begin(), dims->begin() + 2));
    n.out_port().set_shape(ElementType::i64, shape);
    n.out_port().set_tensor_names({"position_ids"});
    return n.out_port();
  }
  return {};
}

KeyLengths key_lengths(const Build& b, const OutPort& query, const OutPort& past) {
  KeyLengths l;
  l.fresh = b.dim(query, 2);
  l.past = b.reshape(b.dim(past, 2), b.list({1, 1}));
  l.longest = b.add(b.dim(past, 2), l.fresh);
  l.total = b.reshape(l.longest, b.list({1, 1}));
  return l;
}

KeyLengths key_lengths(const Build& b, const OutPort& query, const OutPort& total, const OutPort& longest,
                       const OutPort& counts) {
  KeyLengths l;
  l.fresh = b.dim(query, 2);
  l.total = b.reshape(b.convert(total, ElementType::i64), b.list({-1, 1}));
  l.longest = b.reshape(b.convert(longest, ElementType::i64), b.list({1}));
  if (counts) {
    l.past = b.subtract(l.total, b.reshape(b.convert(counts, ElementType::i64), b.list({-1, 1})));
    return l;
  }
  const OutPort prompt = b.op("Equal", "opset1", {l.longest, l.fresh});
  l.past = b.select(prompt, b.integer(0), b.subtract(l.total, l.fresh));
  return l;
}

OutPort with_fresh(const Build& b, const OutPort& past, const OutPort& fresh, const KeyLengths& l) {
  const OutPort both = b.concat({past, fresh}, 2);
  const OutPort room = b.dim(past, 2);
  const OutPort place = b.unsqueeze(positions(b, b.op("Maximum", "opset1", {room, l.longest})), b.list({0}));
  const OutPort old = b.op("Less", "opset1", {place, l.past});
  const OutPort end = b.subtract(b.add(room, l.fresh), b.list({1}));
  const OutPort behind = b.op("Minimum", "opset1", {b.add(b.subtract(place, l.past), room), end});
  return gather(b, both, b.select(old, place, behind), 2, 1);
}

WindowCache::WindowCache(const Build& b, const KeyLengths& l, const OutPort& past, int64_t window) : b_(b) {
  const auto least = [&](const OutPort& x, const OutPort& y) { return b.op("Minimum", "opset1", {x, y}); };
  room_ = b.dim(past, 2);
  together_ = b.add(room_, l.fresh);
  capacity_ = b.op("Maximum", "opset1", {room_, b.list({window})});
  dropped_at_once_ = b.subtract(capacity_, b.list({window - 1}));
  const OutPort place = b.unsqueeze(ms::positions(b, together_), b.list({0}));
  const OutPort before = resident(l.past), last = b.subtract(together_, b.list({1}));
  const OutPort fresh = least(b.add(b.subtract(place, before), room_), last);
  from_ = b.select(b.op("Less", "opset1", {place, before}), place, fresh);
  const OutPort first = b.subtract(l.past, before);
  positions_ = b.add(first, place);
  const OutPort row = b.unsqueeze(ms::positions(b, capacity_), b.list({0}));
  const OutPort oldest = b.subtract(b.subtract(l.total, resident(l.total)), first);
  present_ = least(b.add(oldest, row), last);
}

// How many of so many positions, [batch, 1], the cache still has.
OutPort WindowCache::resident(const OutPort& total) const {
  const OutPort over = b_.op("Maximum", "opset1", {b_.subtract(total, capacity_), b_.integer(0)});
  const OutPort rounded_up = b_.add(over, b_.subtract(dropped_at_once_, b_.list({1})));
  return b_.subtract(total, b_.multiply(b_.divide(rounded_up, dropped_at_once_), dropped_at_once_));
}

OutPort WindowCache::entries(const OutPort& past, const OutPort& fresh) const {
  return gather(b_, b_.concat({past, fresh}, 2), from_, 2, 1);
}

OutPort WindowCache::present(const OutPort& entries) const { return gather(b_, entries, present_, 2, 1); }

OutPort repeated_heads(const Build& b, const OutPort& x, int64_t times, int64_t heads) {
  if (times == 1) return x;
  const Node wide = b.node("Broadcast", "opset3", {b.unsqueeze(x, b.list({2})), b.list({1, 1, times, 1, 1})});
  wide.set("mode", "bidirectional");
  const OutPort shape = b.shape_of(x);
  return b.reshape(wide.out_port(), b.concat({b.part(shape, 0, 1), b.list({heads}), b.part(shape, 2, 4)}));
}

Ports grouped_heads(const Build& b, int64_t queries, int64_t keys) {
  if (b.has(1)) {
    require(b.has(2), "input 1, the key, is given, and input 2, the value, is not");
    return {heads_first(b, b.in(0), queries), heads_first(b, b.in(1), keys), heads_first(b, b.in(2), keys)};
  }
  const OutPort all = heads_first(b, b.in(0), queries + 2 * keys);
  return split(b, all, 1, b.list({queries, keys, keys}), 3);
}

OutPort key_columns(const Build& b, const OutPort& key) {
  return b.reshape(positions(b, b.dim(key, 2)), b.list({1, 1, 1, -1}));
}

OutPort key_columns(const Build& b, const WindowCache& cache) {
  return b.unsqueeze(cache.positions(), b.list({1, 2}));
}

OutPort query_rows(const Build& b, const KeyLengths& l) {
  return b.unsqueeze(new_positions(b, l), b.list({1, 3}));
}

Rotary cache_rotary(const Build& b, const SourceNode& n, size_t cosines, size_t sines, const OutPort& given,
                    const KeyLengths& l, std::optional<int64_t> size) {
  require(b.has(cosines) && b.has(sines), "attribute 'do_rotary' is 1, but there are no inputs ", cosines,
          " and ", sines, ", the tables");
  Rotary r;
  r.cosines = b.in(cosines);
  r.sines = b.in(sines);
  r.interleaved = n.native("rotary_interleaved", 0) != 0;
  r.positions = given ? given : new_positions(b, l);
  const Shape table = r.cosines.shape();
  r.whole = table.rank() == 2 && table[1].is_static() && size == 2 * table[1].value();
  return r;
}

}  // namespace mo::onnx::ms
