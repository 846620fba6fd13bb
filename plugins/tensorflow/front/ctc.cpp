// CTCGreedyDecoder and CTCLoss. TensorFlow has labels as sparse tensors: places, values and a shape.
#include "support/build.hpp"

namespace mo::tensorflow {

namespace ctc {

static OutPort math(const Build& b, std::string_view type, const OutPort& l, const OutPort& r) {
  return b.op(type, "opset1", {l, r});
}
// 0, 1, … for each of `count`, a list of one element.
static OutPort numbers(const Build& b, const OutPort& count) {
  return b.range(b.integer(0), b.reshape(count, b.list({})), 1);
}
static OutPort last_class(const Build& b, const OutPort& logits, int64_t blank) {
  const OutPort classes = b.dim(logits, 2);
  if (blank >= 0) return b.list({blank});
  return math(b, "Add", classes, b.list({blank}));
}

}  // namespace ctc

// Inputs [time, batch, class] and lengths. Outputs: places [n, 2], values [n], shape [2], and the logarithm
// of the probability, [batch, 1].
static Ports ctc_greedy_decoder(Build& b, const SourceNode& n) {
  using namespace ctc;
  const OutPort logits = b.in(0), lengths = b.convert(b.in(1), ElementType::i64);
  const OutPort by_batch = b.transpose(logits, {1, 0, 2});
  const Node decoder = b.node(
      "CTCGreedyDecoderSeqLen", "opset6",
      {by_batch, lengths, b.reshape(last_class(b, logits, n.native("blank_index", -1)), b.list({}))}, 2);
  decoder.set("merge_repeated", n.native("merge_repeated", false));
  decoder.set("classes_index_type", ElementType::i64).set("sequence_length_type", ElementType::i64);
  const OutPort classes = decoder.out_port(0), sizes = decoder.out_port(1);
  Ports outputs(4);
  if (b.wants(0) || b.wants(1)) {
    const Node places = b.node("NonZero", "opset3", {math(b, "GreaterEqual", classes, b.integer(0))});
    places.set("output_type", ElementType::i64);
    outputs[0] = b.transpose(places.out_port(), {1, 0});
    if (b.wants(1)) outputs[1] = b.op("GatherND", "opset5", {classes, outputs[0]});
  }
  if (b.wants(2))
    outputs[2] = b.concat({b.dim(by_batch, 0), b.reduce("ReduceMax", sizes, b.list({0}), true)});
  if (b.wants(3)) {
    const OutPort best = b.reduce("ReduceMax", by_batch, b.list({2}), false);
    const OutPort counts = math(b, "Less", b.unsqueeze(numbers(b, b.dim(by_batch, 1)), b.list({0})),
                                b.unsqueeze(lengths, b.list({1})));
    const OutPort sum = b.reduce("ReduceSum", b.select(counts, best, b.like(logits, 0)), b.list({1}), true);
    outputs[3] = b.op("Negative", "opset1", {sum});
  }
  return outputs;
}

// Inputs [time, batch, class], places and values of the labels, lengths.
static Ports ctc_loss(Build& b, const SourceNode& n) {
  using namespace ctc;
  const OutPort logits = b.in(0), places = b.convert(b.in(1), ElementType::i64);
  const OutPort by_batch = b.transpose(logits, {1, 0, 2});
  const OutPort batch = b.dim(by_batch, 0);
  const auto column = [&](int64_t i) {
    return b.op("Gather", "opset7", {places, b.integer(i), b.integer(1)});
  };
  const OutPort of_sample =
      math(b, "Equal", b.unsqueeze(numbers(b, batch), b.list({1})), b.unsqueeze(column(0), b.list({0})));
  const OutPort sizes = b.reduce("ReduceSum", b.convert(of_sample, ElementType::i32), b.list({1}), false);
  const OutPort empty = b.constant(Tensor::scalar<int32_t>(b.context(), 0));
  const OutPort dense = b.op("ScatterNDUpdate", "opset4",
                             {b.op("Broadcast", "opset3", {empty, b.concat({batch, b.dim(by_batch, 1)})}),
                              places, b.convert(b.in(2), ElementType::i32)});
  const bool second = n.is("CTCLossV2");
  const OutPort blank = second
                            ? b.constant(Tensor::scalar<int32_t>(b.context(), 0))
                            : b.convert(b.reshape(last_class(b, logits, -1), b.list({})), ElementType::i32);
  const Node loss =
      b.node("CTCLoss", "opset4", {by_batch, b.convert(b.in(3), ElementType::i32), dense, sizes, blank});
  loss.set("preprocess_collapse_repeated", n.native("preprocess_collapse_repeated", false));
  loss.set("ctc_merge_repeated", n.native("ctc_merge_repeated", true)).set("unique", false);
  return {loss.out_port()};
}

void register_ctc(Registry& r) {
  replace<ctc_greedy_decoder>(r, {"CTCGreedyDecoder", "places, values, shape = CTCGreedyDecoder(x, lengths)",
                                  "NonZero(CTCGreedyDecoderSeqLen(Transpose(x), lengths))"});
  for (const char* op : {"CTCLoss", "CTCLossV2"})
    replace<ctc_loss>(r, {op, text(op, "(x, places, values, lengths)"),
                          "CTCLoss-4(Transpose(x), lengths, labels, counts, blank)"});
}

}  // namespace mo::tensorflow
