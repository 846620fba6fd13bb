// The loss of sequences whose labels are not aligned with them. MXNet has the time first, and a label that
// stands for the end where no lengths are given.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace sequence_loss {

static OutPort small(const Build& b, const OutPort& x) { return b.convert(x, ElementType::i32); }

// How many labels there are before the first one that stands for the end.
static OutPort counted(const Build& b, const OutPort& labels, double end) {
  const OutPort is_end = small(b, b.op("Equal", "opset1", {labels, b.like(labels, end)}));
  const Node ended = b.node("CumSum", "opset3", {is_end, b.integer(1)});
  ended.set("exclusive", false).set("reverse", false);
  const OutPort there = b.op("Equal", "opset1", {ended.out_port(), b.like(is_end, 0)});
  return b.reduce("ReduceSum", small(b, there), b.list({1}), false);
}

static Ports ctc_loss(Build& b, const SourceNode& n) {
  const auto blank = n.native("blank_label", "first");
  require(blank == "first" || blank == "last", "attribute 'blank_label' is '", blank,
          "'; expected first or last");
  const bool is_first = blank == "first", has_times = n.native("use_data_lengths", false);
  const OutPort x = b.transpose(b.in(0), {1, 0, 2}), labels = small(b, b.in(1));
  const int64_t missing = dim_of(b, b.in(0), 0) - dim_of(b, b.in(1), 1);
  require(missing >= 0, "it has more labels than steps");
  const OutPort times =
      has_times ? small(b, b.in(2)) : b.broadcast(small(b, b.dim(b.in(0), 0)), b.dim(b.in(0), 1));
  const OutPort counts = n.native("use_label_lengths", false) ? small(b, b.in(has_times ? 3 : 2))
                                                              : counted(b, labels, is_first ? 0 : -1);
  const OutPort known = b.op("Maximum", "opset1", {labels, b.like(labels, 0)});
  const Node all = b.node("Pad", "opset1", {known, b.list({0, 0}), b.list({0, missing}), b.like(labels, 0)});
  all.set("pad_mode", "constant");
  const int64_t place = is_first ? 0 : dim_of(b, b.in(0), 2) - 1;
  const Node loss = b.node("CTCLoss", "opset4",
                           {x, times, all.out_port(), counts, b.like(labels, static_cast<double>(place))});
  loss.set("preprocess_collapse_repeated", false).set("ctc_merge_repeated", true).set("unique", false);
  return {loss.out_port()};
}

}  // namespace sequence_loss

void register_ctc_loss(Registry& r) {
  convert<sequence_loss::ctc_loss>(r, "CTCLoss ctc_loss _contrib_CTCLoss _contrib_ctc_loss _npx_ctc_loss",
                                   "CTCLoss(x, labels)",
                                   "CTCLoss(Transpose(x), lengths, Pad(labels), lengths)");
}

}  // namespace mo::mxnet
