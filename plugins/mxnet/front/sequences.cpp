// SequenceMask, SequenceReverse and SequenceLast: time is the first dimension, or the second one with axis 1.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace sequences {

struct Form {
  bool has_lengths = false;
  int64_t time = 0, batch = 1;
};

static Form read(const Build& b, const SourceNode& n) {
  Form f;
  f.has_lengths = n.native("use_sequence_length", false);
  f.time = n.native("axis", 0);
  require(f.time == 0 || f.time == 1, "attribute 'axis' is ", f.time, "; expected 0 or 1");
  f.batch = 1 - f.time;
  require(!f.has_lengths || b.has(1), "the lengths of its sequences are not connected");
  return f;
}

static Ports mask(Build& b, const SourceNode& n) {
  const Form f = read(b, n);
  if (!f.has_lengths) return {b.in(0)};
  const OutPort x = b.in(0);
  const size_t rank = rank_of(b, x);
  const OutPort steps = b.range(b.integer(0), b.reshape(b.dim(x, f.time), b.list({})), 1);
  const OutPort inside = b.op("Less", "opset1",
                              {along(b, steps, static_cast<size_t>(f.time), rank),
                               along(b, as_index(b, b.in(1)), static_cast<size_t>(f.batch), rank)});
  return {b.select(inside, x, b.like(x, n.native("value", 0.0)))};
}

static Ports reverse(Build& b, const SourceNode& n) {
  const Form f = read(b, n);
  OutPort lengths;
  if (f.has_lengths) {
    lengths = as_index(b, b.in(1));
  } else {
    lengths = b.broadcast(b.dim(b.in(0), f.time), b.dim(b.in(0), f.batch));
  }
  const Node r = b.node("ReverseSequence", "opset1", {b.in(0), lengths});
  r.set("batch_axis", f.batch).set("seq_axis", f.time);
  return {r.out_port()};
}

static Ports last(Build& b, const SourceNode& n) {
  const Form f = read(b, n);
  const OutPort x = b.in(0);
  if (!f.has_lengths) {
    const Node g = b.node("Gather", "opset8", {x, b.integer(-1), b.integer(f.time)});
    g.set("batch_dims", 0);
    return {g.out_port()};
  }
  const OutPort rows = f.time == 0 ? b.transpose(x,
                                                 [&] {
                                                   Ints order{1, 0};
                                                   for (size_t i = 2, end = rank_of(b, x); i < end; ++i)
                                                     order.push_back(static_cast<int64_t>(i));
                                                   return order;
                                                 }())
                                   : x;
  const OutPort places = b.subtract(as_index(b, b.in(1)), b.list({1}));
  return {b.gather(rows, places, 1, 1)};
}

}  // namespace sequences

void register_sequences(Registry& r) {
  convert<sequences::mask>(r, "SequenceMask _npx_sequence_mask", "SequenceMask(x, lengths)",
                           "Select(Less(Range, lengths), x, value)");
  convert<sequences::reverse>(r, "SequenceReverse", "SequenceReverse(x, lengths)",
                              "ReverseSequence(x, lengths)");
  convert<sequences::last>(r, "SequenceLast", "SequenceLast(x, lengths)", "Gather(x, Subtract(lengths, 1))");
}

}  // namespace mo::mxnet
